"""Apply a check to resources of some types only."""

from collections.abc import Callable

from pulumi_policy import ReportViolation, ResourceValidationArgs

Report = Callable[[str], None]
"""Takes the message of one violation: what was found and what is required."""

Validation = Callable[[ResourceValidationArgs, ReportViolation], None]
"""What a resource policy runs."""


def for_type(check: Callable[[ResourceValidationArgs, Report], None], *tokens: str) -> Validation:
    """Return a validation that runs `check` on resources whose type token is one of `tokens`."""
    wanted = frozenset(tokens)

    def validate(args: ResourceValidationArgs, report_violation: ReportViolation) -> None:
        if args.resource_type in wanted:
            check(args, lambda message: report_violation(message, None))

    return validate

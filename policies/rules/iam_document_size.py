"""A policy over AWS's limit is refused half-way through an update, after the resources before it were made."""

from collections import defaultdict
from typing import Any

from pulumi_policy import EnforcementLevel, Severity, StackValidationPolicy

from ._reading import UNKNOWN, elements, read
from ._sizes import INLINE_TOTALS, LIMITS, length
from ._stack import Report, Stack, for_stack


def _check(stack: Stack, report: Report) -> None:
    for type_, (key, limit) in LIMITS.items():
        for resource in stack.of(type_):
            _report_long(resource.urn, key, _known_length(read(resource.props, key)), limit, report)
    for type_, (key, owner, limit) in INLINE_TOTALS.items():
        _check_inline(stack, type_, key, owner, limit, report)


def _check_inline(stack: Stack, type_: str, key: str, owner: str, limit: int, report: Report) -> None:
    """Inline policies count together, by whose they are."""
    totals: defaultdict[str, int] = defaultdict(int)
    first: dict[str, str] = {}
    for role in stack.of(owner):
        for inline in elements(read(role.props, "inlinePolicies")):
            totals[role.urn] += _known_length(read(inline, "policy"))
        first[role.urn] = role.urn
    for policy in stack.of(type_):
        value = read(policy.props, key)
        linked = stack.links(policy, key, value, owner).certain
        whose = linked[0].urn if linked else value if isinstance(value, str) else policy.urn
        totals[whose] += _known_length(read(policy.props, "policy"))
        first.setdefault(whose, policy.urn)
    for whose, total in totals.items():
        _report_long(first[whose], "all inline policies together", total, limit, report)


def _known_length(document: Any) -> int:
    return 0 if document is None or document is UNKNOWN else length(document)


def _report_long(urn: str, what: str, found: int, limit: int, report: Report) -> None:
    if found > limit:
        report(f"{what} has {found} characters without white space; AWS takes at most {limit}.", urn)


RULE = StackValidationPolicy(
    name="iam-document-size",
    description="A policy over AWS's limit is refused half-way through an update, after the resources before it were "
    "made.",
    severity=Severity.MEDIUM,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["identity"],
    remediation_steps="Split the document into several managed policies, or name resources by a common prefix.",
    url="https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html",
    validate=for_stack(_check),
)

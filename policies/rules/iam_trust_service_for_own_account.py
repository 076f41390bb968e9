"""A service that may take on the role for whatever account does so for a stranger who has learnt the role's name."""

from typing import Final

from pulumi_policy import EnforcementLevel, ResourceValidationArgs, ResourceValidationPolicy, Severity

from ._documents import Statement, statements
from ._for_type import Report, for_type
from ._reading import UNKNOWN, read
from ._service_access import is_for_somebody, services

_DEPUTIES: Final = frozenset(
    f"{name}.amazonaws.com"
    for name in (
        "pods.eks",
        *("bedrock", "cloudtrail", "config", "datasync", "ecs-tasks", "eks", "events", "fis", "pipes"),
        *("sagemaker", "scheduler", "states", "vpc-flow-logs"),
    )
)
"""Services whose guides ask for aws:SourceAccount or aws:SourceArn in a trust policy; read 2026-11-30."""


def _check(args: ResourceValidationArgs, report: Report) -> None:
    policy = read(args.props, "assumeRolePolicy")
    for statement in (None if policy is UNKNOWN else statements(policy)) or ():
        deputies = ", ".join(name for name in services(statement) if name in _DEPUTIES)
        if not deputies or not statement.allows:
            continue
        if not is_for_somebody(statement):
            report(
                f"assumeRolePolicy, {statement.label}: {deputies} may take on the role for any account; "
                "aws:SourceAccount should be your own."
            )
        elif not _names_its_source(statement):
            report(
                f"assumeRolePolicy, {statement.label}: {deputies} may take on the role for all of the account; "
                "aws:SourceArn should name the cluster, the flow log or the like."
            )


def _names_its_source(statement: Statement) -> bool:
    return statement.conditions is None or any(
        one.key == "aws:sourcearn" and all(value is UNKNOWN or str(value).strip("*") for value in one.values)
        for one in statement.conditions
    )


RULE = ResourceValidationPolicy(
    name="iam-trust-service-for-own-account",
    description="A service that may take on the role for whatever account does so for a stranger who has learnt the "
    "role's name.",
    severity=Severity.MEDIUM,
    # Roles that the services' own consoles make have no such condition.
    enforcement_level=EnforcementLevel.ADVISORY,
    tags=["identity"],
    remediation_steps="Add the conditions StringEquals aws:SourceAccount and ArnLike aws:SourceArn to the trust "
    "policy.",
    url="https://docs.aws.amazon.com/IAM/latest/UserGuide/confused-deputy.html",
    validate=for_type(_check, "aws:iam/role:Role"),
)

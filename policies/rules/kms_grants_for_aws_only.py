"""Who may grant a key to anybody hands it on, past every policy; an AWS service needs grants only for its own work."""

from collections.abc import Iterator
from typing import Any, Final

from pulumi_policy import EnforcementLevel, ResourceValidationArgs, ResourceValidationPolicy, Severity

from ._documents import CARRIERS, Statement, attached, statements
from ._for_type import Report, for_type
from ._reading import UNKNOWN, read
from ._resource_policies import KEYS

_ACTION: Final = "kms:CreateGrant"
_CONDITIONS: Final = (
    "kms:grantisforawsresource",
    "kms:granteeprincipal",
    "kms:grantconstrainttype",
    "kms:retiringprincipal",
)


def _check_identity(args: ResourceValidationArgs, report: Report) -> None:
    for where, policy in attached(args.props):
        for statement in _handing_on(policy):
            # ECR asks for both, without a condition, for the role that makes repositories.
            if not statement.grants("kms:RetireGrant"):
                report(_message(where, statement))


def _check_key(args: ResourceValidationArgs, report: Report) -> None:
    for statement in _handing_on(read(args.props, "policy")):
        if not all(isinstance(name, str) and name.endswith(":root") for _, name in statement.principals):
            report(_message("policy", statement))


def _message(where: str, statement: Statement) -> str:
    return (
        f"{where}, {statement.label}: {_ACTION} to whomever; the condition Bool kms:GrantIsForAWSResource: true must "
        "limit it."
    )


def _handing_on(policy: Any) -> Iterator[Statement]:
    """A grant of the whole service is for another rule: administrators of a key have it."""
    for statement in (None if policy is UNKNOWN else statements(policy)) or ():
        named = any(isinstance(action, str) and action.lower() == _ACTION.lower() for action in statement.actions)
        limited = statement.conditions is None or any(one.key in _CONDITIONS for one in statement.conditions)
        if statement.allows and named and not limited:
            yield statement


RULE = ResourceValidationPolicy(
    name="kms-grants-for-aws-only",
    description="Who may grant a key to anybody hands it on, past every policy; an AWS service needs grants only "
    "for its own work.",
    severity=Severity.HIGH,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["data", "encryption", "identity"],
    remediation_steps="Put kms:CreateGrant into a statement of its own with the condition Bool "
    "kms:GrantIsForAWSResource: true.",
    url="https://docs.aws.amazon.com/kms/latest/developerguide/grants.html",
    validate=[for_type(_check_identity, *CARRIERS), for_type(_check_key, *KEYS)],
)

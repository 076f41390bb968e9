"""Whoever may pass any role to a service has every right that any role has."""

from collections.abc import Iterator

from pulumi_policy import EnforcementLevel, ResourceValidationArgs, ResourceValidationPolicy, Severity

from ._documents import CARRIERS, Statement, attached, is_everything, matching, statements
from ._for_type import Report, for_type
from ._reading import UNKNOWN

_ACTION = "iam:PassRole"
_CONDITION = "iam:passedtoservice"
_OPERATORS = ("StringEquals", "StringLike", "StringEqualsIgnoreCase")


def _check(args: ResourceValidationArgs, report: Report) -> None:
    for where, policy in attached(args.props):
        for statement in (None if policy is UNKNOWN else statements(policy)) or ():
            if statement.allows and _grants_it(statement):
                for fault in _faults(statement):
                    report(f"{where}, {statement.label}: {fault}")


def _grants_it(statement: Statement) -> bool:
    return any(isinstance(action, str) and matching(action, _ACTION) for action in statement.actions)


def _faults(statement: Statement) -> Iterator[str]:
    if "NotResource" in statement.excludes:
        yield f"{_ACTION} with NotResource; it must name the roles."
    for resource in statement.known_resources:
        if is_everything(resource) or resource.endswith(":role/*"):
            yield f"{_ACTION} on {resource}; it must name the roles."
    if statement.conditions is not None and not any(
        condition.operator in _OPERATORS and condition.key == _CONDITION and "*" not in condition.values
        for condition in statement.conditions
    ):
        yield f"{_ACTION} without the condition iam:PassedToService; it must name who may be given the role."


RULE = ResourceValidationPolicy(
    name="iam-pass-role-scoped",
    description="Whoever may pass any role to a service has every right that any role has.",
    severity=Severity.CRITICAL,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["identity"],
    remediation_steps="Limit iam:PassRole to the ARNs of the roles and add {StringEquals: {iam:PassedToService: "
    "SERVICE.amazonaws.com}}.",
    url="https://docs.aws.amazon.com/IAM/latest/UserGuide/id_roles_use_passrole.html",
    validate=for_type(_check, *CARRIERS),
)

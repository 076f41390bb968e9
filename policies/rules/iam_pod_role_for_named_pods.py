"""A pod's role that names no pod is any pod's for whom somebody makes an association."""

from typing import Final

from pulumi_policy import EnforcementLevel, ResourceValidationArgs, ResourceValidationPolicy, Severity

from ._documents import Statement, statements
from ._for_type import Report, for_type
from ._reading import UNKNOWN, read

_SERVICE: Final = ("Service", "pods.eks.amazonaws.com")
_KEYS: Final = ("aws:requesttag/kubernetes-namespace", "aws:requesttag/kubernetes-service-account")


def _check(args: ResourceValidationArgs, report: Report) -> None:
    policy = read(args.props, "assumeRolePolicy")
    for statement in (None if policy is UNKNOWN else statements(policy)) or ():
        if statement.allows and _SERVICE in statement.principals and (missing := _missing(statement)):
            report(
                f"assumeRolePolicy, {statement.label}: names one of namespace and service account and leaves the other "
                f"open; StringEquals {missing} should be there too."
            )


def _missing(statement: Statement) -> str:
    """A role that names neither is left to its association, as EKS's own guide has it."""
    if statement.conditions is None:
        return ""
    named = {
        one.key
        for one in statement.conditions
        if one.operator == "StringEquals" or all(value is UNKNOWN or "*" not in str(value) for value in one.values)
    }
    lacking = [key for key in _KEYS if key not in named]
    return lacking[0] if len(lacking) == 1 else ""


RULE = ResourceValidationPolicy(
    name="iam-pod-role-for-named-pods",
    description="A pod's role that names no pod is any pod's for whom somebody makes an association.",
    severity=Severity.LOW,
    # A role may be meant for every service account of a namespace.
    enforcement_level=EnforcementLevel.ADVISORY,
    tags=["cluster", "identity"],
    remediation_steps="Compare aws:RequestTag/kubernetes-namespace and aws:RequestTag/kubernetes-service-account "
    "with the pod's, by StringEquals.",
    url="https://docs.aws.amazon.com/eks/latest/userguide/pod-id-abac.html",
    validate=for_type(_check, "aws:iam/role:Role"),
)

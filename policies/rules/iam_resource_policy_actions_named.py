"""A service, or whoever meets a condition, that may do everything with a resource may also hand it on or delete it."""

from pulumi_policy import EnforcementLevel, ResourceValidationArgs, ResourceValidationPolicy, Severity

from ._documents import Statement, statements
from ._for_type import Report, for_type
from ._reading import UNKNOWN, read
from ._resource_policies import CARRIERS
from ._service_access import services, whole_services

_LINKED_ROLE = ":role/aws-service-role/"


def _check(args: ResourceValidationArgs, report: Report) -> None:
    policy = read(args.props, "policy")
    for statement in (None if policy is UNKNOWN else statements(policy)) or ():
        whole = whole_services(statement)
        if statement.allows and whole and (who := _whom(statement)):
            report(f"policy, {statement.label}: {', '.join(whole)} for {who}; the actions must be named.")


def _whom(statement: Statement) -> str:
    """Accounts and people may be given everything, a service, its role and whoever meets a condition may not."""
    if statement.anyone is True:
        return "everyone who meets its conditions"
    roles = [name for _, name in statement.principals if isinstance(name, str) and _LINKED_ROLE in name]
    return ", ".join([*services(statement), *roles])


RULE = ResourceValidationPolicy(
    name="iam-resource-policy-actions-named",
    description="A service, or whoever meets a condition, that may do everything with a resource may also hand it "
    "on or delete it.",
    severity=Severity.HIGH,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["data", "identity"],
    remediation_steps="Name the actions that the service's own guide asks for, such as s3:PutObject or "
    "kms:GenerateDataKey*.",
    url="https://docs.aws.amazon.com/IAM/latest/UserGuide/best-practices.html#grant-least-privilege",
    validate=for_type(_check, *CARRIERS),
)

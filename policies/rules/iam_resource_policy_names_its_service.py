"""Everyone for whom a source is named is every service that calls for it, also the one that comes next year."""

from pulumi_policy import EnforcementLevel, ResourceValidationArgs, ResourceValidationPolicy, Severity

from ._documents import Statement, narrows_callers, statements
from ._for_type import Report, for_type
from ._reading import UNKNOWN, read
from ._resource_policies import BUCKETS, KEYS, QUEUES, SECRETS

_SOURCES = ("aws:sourceaccount", "aws:sourcearn")


def _check(args: ResourceValidationArgs, report: Report) -> None:
    policy = read(args.props, "policy")
    for statement in (None if policy is UNKNOWN else statements(policy)) or ():
        if statement.allows and statement.anyone is True and _by_source_alone(statement):
            report(
                f"policy, {statement.label}: Principal * with a condition on the source alone; Principal should be the "
                "service that calls."
            )


def _by_source_alone(statement: Statement) -> bool:
    if not statement.conditions or not narrows_callers(statement):
        return False
    keys = {one.key for one in statement.conditions}
    return not keys.isdisjoint(_SOURCES) and keys <= {*_SOURCES, "aws:securetransport"}


RULE = ResourceValidationPolicy(
    name="iam-resource-policy-names-its-service",
    description="Everyone for whom a source is named is every service that calls for it, also the one that comes next "
    "year.",
    severity=Severity.LOW,
    # It lets nobody in who is not called for: older guides of AWS have it so.
    enforcement_level=EnforcementLevel.ADVISORY,
    tags=["data", "identity"],
    remediation_steps="Write Principal {Service: NAME.amazonaws.com} beside the condition.",
    url="https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_principal.html",
    validate=for_type(_check, *BUCKETS, *KEYS, *QUEUES, *SECRETS),
)

"""A repository that everyone may pull from gives away models and code; one that everyone may push to runs theirs."""

from pulumi_policy import EnforcementLevel, ResourceValidationArgs, ResourceValidationPolicy, Severity

from ._documents import open_statements
from ._for_type import Report, for_type
from ._reading import UNKNOWN, read
from ._resource_policies import REPOSITORIES


def _check(args: ResourceValidationArgs, report: Report) -> None:
    policy = read(args.props, "policy")
    for statement, how in () if policy is UNKNOWN else open_statements(policy):
        report(f"policy, {statement.label}: {how}; it must name accounts or demand aws:PrincipalOrgID.")


RULE = ResourceValidationPolicy(
    name="ecr-repository-policy-not-open",
    description="A repository that everyone may pull from gives away models and code, and one that everyone may "
    "push to runs theirs.",
    severity=Severity.CRITICAL,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["data", "identity"],
    remediation_steps="Name the accounts that may pull; leave pushing to roles of this account.",
    url="https://docs.aws.amazon.com/AmazonECR/latest/userguide/repository-policies.html",
    validate=for_type(_check, *REPOSITORIES),
)

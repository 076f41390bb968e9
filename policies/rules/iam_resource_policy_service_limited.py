"""A service that acts for everybody carries out a stranger's wish on your bucket, key or queue."""

from pulumi_policy import EnforcementLevel, ResourceValidationArgs, ResourceValidationPolicy, Severity

from ._for_type import Report, for_type
from ._reading import UNKNOWN, read
from ._resource_policies import CARRIERS
from ._service_access import for_anybody


def _check(args: ResourceValidationArgs, report: Report) -> None:
    policy = read(args.props, "policy")
    for statement, services in () if policy is UNKNOWN else for_anybody(policy):
        report(
            f"policy, {statement.label}: {', '.join(services)} may act for any account; a condition must name yours "
            "(aws:SourceAccount, or aws:SourceArn with the account in it)."
        )


RULE = ResourceValidationPolicy(
    name="iam-resource-policy-service-limited",
    description="A service that acts for everybody carries out a stranger's wish on your bucket, key or queue.",
    severity=Severity.HIGH,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["data", "identity"],
    remediation_steps="Add the condition StringEquals aws:SourceAccount with your account (for CloudWatch Logs' key "
    "ArnLike kms:EncryptionContext:aws:logs:arn).",
    url="https://docs.aws.amazon.com/IAM/latest/UserGuide/confused-deputy.html",
    validate=for_type(_check, *CARRIERS),
)

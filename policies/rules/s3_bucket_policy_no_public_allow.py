"""A policy that allows everyone opens the bucket to the world, or waits for the day the public access block goes.

A Deny for everyone protects. An Allow for everyone passes if a condition names who calls: an account, an organisation,
a VPC or an endpoint (the keys are those by which S3 itself tells a public policy).
"""

from pulumi_policy import EnforcementLevel, ResourceValidationArgs, ResourceValidationPolicy, Severity

from ._buckets import BUCKETS, side
from ._documents import open_statements
from ._for_type import Report, for_type
from ._frameworks import security_hub
from ._reading import UNKNOWN, read


def _check(args: ResourceValidationArgs, report: Report) -> None:
    policy = read(args.props, "policy")
    if policy is UNKNOWN:
        return
    for statement, how in open_statements(policy):
        report(
            f"policy, {statement.label}: {how}; it must name the principals, or demand aws:PrincipalOrgID, "
            "aws:PrincipalAccount or aws:SourceVpce."
        )


RULE = ResourceValidationPolicy(
    name="s3-bucket-policy-no-public-allow",
    description="A policy that allows everyone opens the bucket to the world, or waits for the day the public access "
    "block goes.",
    severity=Severity.CRITICAL,
    enforcement_level=EnforcementLevel.MANDATORY,
    framework=security_hub("S3.2"),
    tags=["data"],
    remediation_steps="Name the roles that may read; for a whole organisation add the condition StringEquals "
    "aws:PrincipalOrgID.",
    url="https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-control-block-public-access.html",
    validate=for_type(_check, *side("BucketPolicy"), *BUCKETS),
)

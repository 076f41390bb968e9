"""Without a bucket key every object that is read costs a call of KMS, and a training run reads millions."""

from pulumi_policy import EnforcementLevel, ResourceValidationArgs, ResourceValidationPolicy, Severity

from ._buckets import side
from ._for_type import Report, for_type
from ._reading import differs, elements, read


def _check(args: ResourceValidationArgs, report: Report) -> None:
    for index, rule in enumerate(elements(read(args.props, "rules"))):
        by_kms = read(rule, "applyServerSideEncryptionByDefault", "sseAlgorithm") == "aws:kms"
        if by_kms and differs(read(rule, "bucketKeyEnabled"), True, absent=False):
            report(f"rules[{index}].bucketKeyEnabled is not true; it should be, or KMS charges each object.")


RULE = ResourceValidationPolicy(
    name="s3-bucket-key-enabled",
    description="Without a bucket key every object that is read costs a call of KMS, and a training run reads "
    "millions.",
    severity=Severity.LOW,
    # Policies that compare the encryption context of single objects need the calls.
    enforcement_level=EnforcementLevel.ADVISORY,
    tags=["data", "money"],
    remediation_steps="Set bucket_key_enabled true beside sse_algorithm aws:kms.",
    url="https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucket-key.html",
    validate=for_type(_check, *side("BucketServerSideEncryptionConfiguration")),
)

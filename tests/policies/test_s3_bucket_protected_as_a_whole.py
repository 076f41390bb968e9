import pulumi
import pulumi_aws as aws

from policies.rules.s3_bucket_protected_as_a_whole import RULE
from tests.policies.judging import messages


def test_what_is_left_unprotected_beside_a_protected_bucket_is_reported(preview: bool) -> None:
    def build() -> None:
        bucket = aws.s3.Bucket("bucket", opts=pulumi.ResourceOptions(protect=True))
        aws.s3.BucketPolicy("policy", bucket=bucket.id, policy="{}")

    assert messages(RULE, build, preview=preview) == [
        "policy: is not protected, and 1 other resources of bucket bucket are; all of them must be, or none.",
    ]


def test_all_protected_and_none_protected_are_quiet(preview: bool) -> None:
    def build() -> None:
        kept = pulumi.ResourceOptions(protect=True)
        bucket = aws.s3.Bucket("bucket", opts=kept)
        aws.s3.BucketPolicy("policy", bucket=bucket.id, policy="{}", opts=kept)
        aws.s3.BucketVersioning("free", bucket=aws.s3.Bucket("free").id, versioning_configuration={"status": "Enabled"})

    assert messages(RULE, build, preview=preview) == []

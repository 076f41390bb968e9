import pulumi_aws as aws

from policies.rules.s3_bucket_policy_present import RULE
from tests.policies.judging import later, messages


def test_a_bucket_without_a_policy_is_reported_beside_one_that_has_it(preview: bool) -> None:
    def build() -> None:
        aws.s3.BucketPolicy("policy", bucket=aws.s3.Bucket("good").id, policy="{}")
        aws.s3.Bucket("bad")

    assert messages(RULE, build, preview=preview) == [
        "bad: has no BucketPolicy; the bucket must have one that refuses plain HTTP."
    ]


def test_a_policy_of_its_own_and_an_inline_one_are_quiet(preview: bool) -> None:
    def build() -> None:
        aws.s3.BucketPolicy("policy", bucket=aws.s3.Bucket("side").id, policy="{}")
        aws.s3.Bucket("inline", policy="{}")

    assert messages(RULE, build, preview=preview) == []


def test_an_unknown_policy_still_is_one(preview: bool) -> None:
    def build() -> None:
        aws.s3.BucketPolicy("policy", bucket=aws.s3.Bucket("bucket").id, policy=later("{}"))

    assert messages(RULE, build, preview=preview) == []

from typing import Any

import pulumi_aws as aws
import pytest

from policies.rules.s3_bucket_public_access_blocked import RULE
from tests.policies.judging import later, messages

FLAGS = ("block_public_acls", "block_public_policy", "ignore_public_acls", "restrict_public_buckets")
MUST = (
    "the bucket must have one with blockPublicAcls, blockPublicPolicy, ignorePublicAcls, restrictPublicBuckets all "
    "true."
)


def _blocked(**flags: Any) -> None:
    bucket = aws.s3.Bucket("bucket")
    settings: dict[str, Any] = {**dict.fromkeys(FLAGS, True), **flags}
    aws.s3.BucketPublicAccessBlock("block", bucket=bucket.id, **settings)


def test_a_bucket_without_a_block_is_reported(preview: bool) -> None:
    assert messages(RULE, lambda: aws.s3.Bucket("bucket"), preview=preview) == [
        f"bucket: has no BucketPublicAccessBlock; {MUST}"
    ]


@pytest.mark.parametrize("flag", FLAGS)
def test_each_flag_that_is_false_is_reported(flag: str, preview: bool) -> None:
    words = flag.split("_")
    camel = words[0] + "".join(word.title() for word in words[1:])
    assert messages(RULE, lambda: _blocked(**{flag: False}), preview=preview) == [f"block: {camel} is false; {MUST}"]


def test_four_flags_are_quiet(preview: bool) -> None:
    assert messages(RULE, _blocked, preview=preview) == []


def test_an_unknown_flag_is_quiet_and_hides_no_certain_one() -> None:
    def build() -> None:
        _blocked(block_public_acls=later(False), restrict_public_buckets=None)

    assert messages(RULE, build, preview=True) == [f"block: restrictPublicBuckets is not set; {MUST}"]
    assert len(messages(RULE, build)) == 2

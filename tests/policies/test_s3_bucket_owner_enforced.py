from typing import Any

import pulumi_aws as aws

from policies.rules.s3_bucket_owner_enforced import RULE
from tests.policies.judging import later, messages

MUST = "the bucket must have one with objectOwnership BucketOwnerEnforced."


def _owned(ownership: Any) -> None:
    aws.s3.BucketOwnershipControls("owner", bucket=aws.s3.Bucket("bucket").id, rule={"object_ownership": ownership})


def test_a_bucket_with_acls_in_force_is_reported(preview: bool) -> None:
    assert messages(RULE, lambda: aws.s3.Bucket("bucket"), preview=preview) == [
        f"bucket: has no BucketOwnershipControls; {MUST}"
    ]
    assert messages(RULE, lambda: _owned("ObjectWriter"), preview=preview) == [
        f"owner: objectOwnership is ObjectWriter; {MUST}"
    ]


def test_an_enforced_owner_is_quiet(preview: bool) -> None:
    assert messages(RULE, lambda: _owned("BucketOwnerEnforced"), preview=preview) == []


def test_an_unknown_ownership_is_quiet_until_it_is_known() -> None:
    assert messages(RULE, lambda: _owned(later("ObjectWriter")), preview=True) == []
    assert len(messages(RULE, lambda: _owned(later("ObjectWriter")))) == 1

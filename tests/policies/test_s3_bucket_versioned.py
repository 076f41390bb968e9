from typing import Any

import pulumi_aws as aws
from pulumi_policy import EnforcementLevel

from policies.rules.s3_bucket_versioned import RULE
from tests.policies.judging import later, messages

MUST = "versioning should be Enabled (AWS default: never)."


def _versioned(status: Any) -> None:
    aws.s3.BucketVersioning("versions", bucket=aws.s3.Bucket("bucket").id, versioning_configuration={"status": status})


def test_a_bucket_without_versions_is_reported(preview: bool) -> None:
    assert messages(RULE, lambda: aws.s3.Bucket("bucket"), preview=preview) == [
        f"bucket: has no BucketVersioning; {MUST}"
    ]
    assert messages(RULE, lambda: _versioned("Suspended"), preview=preview) == [
        f"versions: status is Suspended; {MUST}"
    ]


def test_it_is_only_an_advice_since_scratch_needs_no_versions() -> None:
    assert RULE.enforcement_level is EnforcementLevel.ADVISORY


def test_enabled_versioning_is_quiet_in_both_forms(preview: bool) -> None:
    def build() -> None:
        _versioned("Enabled")
        aws.s3.Bucket("inline", versioning={"enabled": True})

    assert messages(RULE, build, preview=preview) == []


def test_an_unknown_status_is_quiet_until_it_is_known() -> None:
    assert messages(RULE, lambda: _versioned(later("Suspended")), preview=True) == []
    assert messages(RULE, lambda: _versioned(later("Suspended"))) == [f"versions: status is Suspended; {MUST}"]

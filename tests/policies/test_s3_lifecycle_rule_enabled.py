import pulumi_aws as aws

from policies.rules.s3_lifecycle_rule_enabled import RULE
from tests.policies.judging import later, messages


def test_a_disabled_rule_is_reported(preview: bool) -> None:
    def build() -> None:
        aws.s3.BucketLifecycleConfiguration(
            "l", bucket="b", rules=[{"id": "expire", "status": "Disabled", "expiration": {"days": 1}}]
        )

    assert messages(RULE, build, preview=preview) == [
        "l: rules[0] (expire) is Disabled; it should be Enabled, or go.",
    ]


def test_an_enabled_rule_is_quiet(preview: bool) -> None:
    def build() -> None:
        aws.s3.BucketLifecycleConfiguration(
            "l", bucket="b", rules=[{"id": "expire", "status": "Enabled", "expiration": {"days": 1}}]
        )

    assert messages(RULE, build, preview=preview) == []


def test_an_unknown_status_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        aws.s3.BucketLifecycleConfiguration("l", bucket="b", rules=[{"id": "expire", "status": later("Disabled")}])

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == [
        "l: rules[0] (expire) is Disabled; it should be Enabled, or go.",
    ]

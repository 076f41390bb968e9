import pulumi_aws as aws

from policies.rules.logs_group_retention_and_key import RULE
from tests.policies.judging import later, messages

NO_KEY = "group: kmsKeyId is not set (AWS default: Amazon's key); it must name a KMS key of your own."


def test_a_group_that_says_nothing_is_kept_for_ever_under_amazons_key(preview: bool) -> None:
    assert messages(RULE, lambda: aws.cloudwatch.LogGroup("group"), preview=preview) == [
        NO_KEY,
        "group: retentionInDays is not set, so logs are kept for ever (AWS default); it must be set, and at least 30.",
    ]


def test_a_retention_below_the_packs_is_reported(preview: bool) -> None:
    def build() -> None:
        aws.cloudwatch.LogGroup("group", retention_in_days=90, kms_key_id=later("arn"))

    assert messages(RULE, build, preview=preview) == []
    assert messages(RULE, build, preview=preview, config={"min_days": 365}) == [
        "group: retentionInDays is 90, so logs are kept 90 days; it must be set, and at least 365."
    ]


def test_an_unknown_retention_hides_no_missing_key() -> None:
    def build() -> None:
        aws.cloudwatch.LogGroup("group", retention_in_days=later(1))

    assert messages(RULE, build, preview=True) == [NO_KEY]
    assert len(messages(RULE, build)) == 2

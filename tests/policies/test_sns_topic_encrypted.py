import pulumi_aws as aws

from policies.rules.sns_topic_encrypted import RULE
from tests.policies.judging import later, messages

FAULT = ["topic: kmsMasterKeyId is not set (AWS default: in the clear); it must name a KMS key."]


def test_a_topic_without_a_key_is_reported(preview: bool) -> None:
    assert messages(RULE, lambda: aws.sns.Topic("topic"), preview=preview) == FAULT


def test_a_topic_with_a_key_is_quiet(preview: bool) -> None:
    assert messages(RULE, lambda: aws.sns.Topic("topic", kms_master_key_id="alias/alarms"), preview=preview) == []


def test_an_unknown_key_is_one(preview: bool) -> None:
    assert messages(RULE, lambda: aws.sns.Topic("topic", kms_master_key_id=later("k")), preview=preview) == []

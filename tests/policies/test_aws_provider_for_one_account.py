import pulumi_aws as aws

from policies.rules.aws_provider_for_one_account import RULE
from tests.policies.judging import later, messages


def test_a_provider_for_whatever_account_is_reported(preview: bool) -> None:
    def build() -> None:
        aws.Provider("aws", region="us-east-1")

    assert messages(RULE, build, preview=preview) == [
        "aws: allowedAccountIds is not set; it should name the one account that this is for.",
    ]


def test_a_provider_that_names_its_account_is_quiet(preview: bool) -> None:
    def build() -> None:
        aws.Provider("aws", region="us-east-1", allowed_account_ids=["111122223333"])

    assert messages(RULE, build, preview=preview) == []


def test_an_unknown_account_is_quiet(preview: bool) -> None:
    def build() -> None:
        aws.Provider("aws", allowed_account_ids=[later("111122223333")])

    assert messages(RULE, build, preview=preview) == []

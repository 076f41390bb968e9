import pulumi_aws as aws

from policies.rules.iam_no_access_keys import RULE
from tests.policies.judging import later, messages

FAULT = "is a credential that does not expire; it must be a role, whose credentials expire by themselves."


def test_an_access_key_is_reported_whoever_it_is_for(preview: bool) -> None:
    def build() -> None:
        aws.iam.AccessKey("key", user=later("robot"))
        aws.iam.ServiceSpecificCredential("git", user_name="robot", service_name="codecommit.amazonaws.com")

    assert messages(RULE, build, preview=preview) == [f"key: {FAULT}", f"git: {FAULT}"]


def test_users_and_roles_without_keys_are_quiet(preview: bool) -> None:
    def build() -> None:
        aws.iam.User("user")
        aws.iam.Role("role", assume_role_policy="{}")

    assert messages(RULE, build, preview=preview) == []


def test_a_key_whose_user_is_unknown_is_certain_all_the_same() -> None:
    assert len(messages(RULE, lambda: aws.iam.AccessKey("key", user=later("robot")), preview=True)) == 1

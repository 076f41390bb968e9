import pulumi_aws as aws
import pytest

from policies.rules.iam_policy_no_admin import RULE
from tests.policies.judging import later, messages

MUST = "it must be a policy that names the actions and resources of the job."


@pytest.mark.parametrize(
    "name",
    ["AdministratorAccess", "PowerUserAccess", "AmazonS3FullAccess", "job-function/AdministratorAccess-Amplify"],
)
def test_a_broad_policy_of_aws_is_reported(name: str, preview: bool) -> None:
    arn = f"arn:aws:iam::aws:policy/{name}"

    def build() -> None:
        aws.iam.RolePolicyAttachment("attachment", role=later("role"), policy_arn=arn)

    assert messages(RULE, build, preview=preview) == [f"attachment: policyArn holds {arn}; {MUST}"]


def test_managed_policies_of_a_role_are_read_in_any_partition(preview: bool) -> None:
    arn = "arn:aws-us-gov:iam::aws:policy/IAMFullAccess"

    def build() -> None:
        aws.iam.Role("role", assume_role_policy="{}", managed_policy_arns=[later("arn"), arn])

    assert messages(RULE, build, preview=preview) == [f"role: managedPolicyArns holds {arn}; {MUST}"]


def test_narrow_policies_and_ones_of_your_own_are_quiet(preview: bool) -> None:
    def build() -> None:
        for name, arn in {
            "worker": "arn:aws:iam::aws:policy/AmazonEKSWorkerNodePolicy",
            "own": "arn:aws:iam::111122223333:policy/CheckpointsFullAccess",
        }.items():
            aws.iam.RolePolicyAttachment(name, role="role", policy_arn=arn)

    assert messages(RULE, build, preview=preview) == []


def test_an_unknown_policy_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        arn = later("arn:aws:iam::aws:policy/AdministratorAccess")
        aws.iam.RolePolicyAttachment("attachment", role="role", policy_arn=arn)

    assert messages(RULE, build, preview=True) == []
    assert len(messages(RULE, build)) == 1

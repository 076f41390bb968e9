import pulumi_aws as aws

from policies.rules.ecr_repository_lifecycle import RULE
from tests.policies.judging import messages


def test_a_repository_without_a_lifecycle_is_reported(preview: bool) -> None:
    def build() -> None:
        aws.ecr.Repository("images")

    assert messages(RULE, build, preview=preview) == [
        "images: has no aws.ecr.LifecyclePolicy; it should have one that lets old images go.",
    ]


def test_one_with_a_lifecycle_is_quiet(preview: bool) -> None:
    def build() -> None:
        aws.ecr.LifecyclePolicy("by-output", repository=aws.ecr.Repository("images").name, policy="{}")
        aws.ecr.Repository("named", name="named")
        aws.ecr.LifecyclePolicy("by-name", repository="named", policy="{}")

    assert messages(RULE, build, preview=preview) == []

import pulumi_aws as aws

from policies.rules.ec2_schedule_within_bounds import RULE
from tests.policies.judging import later, messages
from tests.policies.pools import pool


def test_a_schedule_beyond_the_ceiling_is_reported(preview: bool) -> None:
    def build() -> None:
        group = pool(maximum=4)
        aws.autoscaling.Schedule(
            "night",
            scheduled_action_name="night",
            autoscaling_group_name=group.resources[0].autoscaling_groups[0].name,
            max_size=400,
        )

    assert messages(RULE, build, preview=preview) == [
        "night: maxSize is 400, and the ceiling of gpu is 4; it must not be higher.",
    ]


def test_one_within_it_and_one_of_another_group_are_quiet(preview: bool) -> None:
    def build() -> None:
        group = pool(maximum=4)
        aws.autoscaling.Schedule(
            "night",
            scheduled_action_name="night",
            autoscaling_group_name=group.resources[0].autoscaling_groups[0].name,
            max_size=4,
        )
        aws.autoscaling.Schedule("other", scheduled_action_name="night", autoscaling_group_name="other", max_size=400)

    assert messages(RULE, build, preview=preview) == []


def test_an_unknown_ceiling_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        group = pool(maximum=later(4))
        aws.autoscaling.Schedule(
            "night",
            scheduled_action_name="night",
            autoscaling_group_name=group.resources[0].autoscaling_groups[0].name,
            max_size=400,
        )

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == [
        "night: maxSize is 400, and the ceiling of gpu is 4; it must not be higher.",
    ]

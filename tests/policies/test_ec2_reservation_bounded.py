import pulumi_aws as aws

from policies.rules.ec2_reservation_bounded import RULE
from tests.policies.judging import later, messages


def test_an_open_reservation_without_an_end_is_reported(preview: bool) -> None:
    def build() -> None:
        aws.ec2.CapacityReservation(
            "held",
            instance_type="p4d.24xlarge",
            instance_count=1,
            instance_platform="Linux/UNIX",
            availability_zone="us-east-1a",
        )

    assert messages(RULE, build, preview=preview) == [
        "held: endDateType is not set (AWS default unlimited); it must be limited, with an endDate.",
        "held: instanceMatchCriteria is not set (AWS default open); it must be targeted.",
    ]


def test_a_targeted_one_with_an_end_is_quiet(preview: bool) -> None:
    def build() -> None:
        aws.ec2.CapacityReservation(
            "held",
            instance_type="p4d.24xlarge",
            instance_count=1,
            instance_platform="Linux/UNIX",
            availability_zone="us-east-1a",
            end_date_type="limited",
            end_date="2099-01-01T00:00:00Z",
            instance_match_criteria="targeted",
        )

    assert messages(RULE, build, preview=preview) == []


def test_an_unknown_end_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        aws.ec2.CapacityReservation(
            "held",
            instance_type="p4d.24xlarge",
            instance_count=1,
            instance_platform="Linux/UNIX",
            availability_zone="us-east-1a",
            end_date_type=later("unlimited"),
            instance_match_criteria="targeted",
        )

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == [
        "held: endDateType is unlimited (AWS default unlimited); it must be limited, with an endDate.",
    ]

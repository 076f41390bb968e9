from typing import Any

import pulumi_aws as aws

from policies.rules.ec2_reservation_used import RULE
from tests.policies.elastic import node_class
from tests.policies.judging import messages


def test_a_reservation_that_nothing_names_is_reported(preview: bool) -> None:
    def build() -> None:
        aws.ec2.CapacityReservation(
            "held",
            instance_type="p4d.24xlarge",
            instance_count=1,
            instance_platform="Linux/UNIX",
            availability_zone="us-east-1a",
            instance_match_criteria="targeted",
        )

    assert messages(RULE, build, preview=preview) == [
        "held: is named by no launch template and no node class of the stack; a pool should run in it.",
    ]


def test_one_that_a_template_or_a_class_names_and_an_open_one_are_quiet(preview: bool) -> None:
    def build() -> None:
        shape: dict[str, Any] = {
            "instance_type": "p4d.24xlarge",
            "instance_count": 1,
            "instance_platform": "Linux/UNIX",
            "availability_zone": "us-east-1a",
        }
        held = aws.ec2.CapacityReservation("held", **shape)
        aws.ec2.LaunchTemplate(
            "template",
            capacity_reservation_specification={"capacity_reservation_target": {"capacity_reservation_id": held.id}},
        )
        node_class(capacityReservationSelectorTerms=[{"id": aws.ec2.CapacityReservation("elastic", **shape).id}])
        aws.ec2.CapacityReservation("open", **shape, instance_match_criteria="open")

    assert messages(RULE, build, preview=preview) == []

import pulumi_aws as aws

from policies.rules.ec2_placement_not_on_reservation import RULE
from tests.policies.judging import messages
from tests.policies.pools import pool


def test_a_placement_group_beside_a_block_is_reported(preview: bool) -> None:
    def build() -> None:
        template = aws.ec2.LaunchTemplate(
            "template",
            placement={"group_name": "near"},
            capacity_reservation_specification={"capacity_reservation_target": {"capacity_reservation_id": "cr-1"}},
        )
        pool(capacity_type="CAPACITY_BLOCK", launch_template={"id": template.id, "version": "1"})

    assert messages(RULE, build, preview=preview) == [
        "template: names a placement group beside a reservation; the reservation must be made in that "
        "group, or the group must go.",
    ]


def test_a_placement_group_beside_a_reservation_outside_of_it_is_reported(preview: bool) -> None:
    def build() -> None:
        held = aws.ec2.CapacityReservation(
            "held",
            instance_type="p4d.24xlarge",
            instance_count=1,
            instance_platform="Linux/UNIX",
            availability_zone="us-east-1a",
        )
        template = aws.ec2.LaunchTemplate(
            "template",
            placement={"group_name": "near"},
            capacity_reservation_specification={"capacity_reservation_target": {"capacity_reservation_id": held.id}},
        )
        pool(launch_template={"id": template.id, "version": "1"})

    assert messages(RULE, build, preview=preview) == [
        "template: names a placement group beside a reservation; the reservation must be made in that "
        "group, or the group must go.",
    ]


def test_a_reservation_in_the_group_and_either_alone_are_quiet(preview: bool) -> None:
    def build() -> None:
        held = aws.ec2.CapacityReservation(
            "held",
            instance_type="p4d.24xlarge",
            instance_count=1,
            instance_platform="Linux/UNIX",
            availability_zone="us-east-1a",
            placement_group_arn="arn:aws:ec2:us-east-1:111122223333:placement-group/near",
        )
        template = aws.ec2.LaunchTemplate(
            "template",
            placement={"group_name": "near"},
            capacity_reservation_specification={"capacity_reservation_target": {"capacity_reservation_id": held.id}},
        )
        pool(launch_template={"id": template.id, "version": "1"})
        alone = aws.ec2.LaunchTemplate("alone", placement={"group_name": "near"})
        pool("alone", launch_template={"id": alone.id, "version": "1"})

    assert messages(RULE, build, preview=preview) == []

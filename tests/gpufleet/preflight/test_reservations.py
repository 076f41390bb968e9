"""Reservations and capacity blocks: each way in which one and its pool can fail each other."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pulumi_aws as aws
import pytest

from gpufleet.preflight.checks import reservations
from gpufleet.preflight.results import COULD_NOT_ASK, FAILED, PASSED
from tests.gpufleet.preflight.conftest import Ask
from tests.gpufleet.preflight.fleet import Network, at_least, said
from tests.gpufleet.preflight.recorded import Recorded, refusal, reservation

CR = "cr-0123456789abcdef0"
TARGET = {"capacity_reservation_specification": {"capacity_reservation_target": {"capacity_reservation_id": CR}}}
BLOCK = {**TARGET, "instance_type": "p4d.24xlarge", "instance_market_options": {"market_type": "capacity-block"}}
LATER, EARLIER = datetime(2099, 1, 1, 11, 30, tzinfo=UTC), datetime(2020, 1, 1, 11, 30, tzinfo=UTC)


def pool(types: tuple[str, ...] = ("p4d.24xlarge",), where: str = "b", **more: Any) -> Callable[[], object]:
    given: dict[str, Any] = {"template": TARGET, "most": 8, **more}
    return lambda: Network().pool("train", list(types), zones=where, **given)


def hold(recorded: Recorded, **changes: Any) -> None:
    recorded.answers["DescribeCapacityReservations"] = {"CapacityReservations": [reservation(CR, **changes)]}


def test_a_reservation_that_fits_passes(ask: Ask, recorded: Recorded) -> None:
    hold(recorded)
    assert said(ask(reservations.check, pool())) == [
        (PASSED, f"pool train: {CR}: 8 p4d.24xlarge in us-west-2b, active")
    ]


def test_a_pool_without_a_reservation_is_not_asked_about(ask: Ask, recorded: Recorded) -> None:
    assert ask(reservations.check, pool(template={})) == []


@pytest.mark.parametrize(
    ("changes", "what", "fix"),
    [
        ({"State": "cancelled"}, "is cancelled", "reserve anew, and name that reservation"),
        ({"State": "payment-failed"}, "is payment-failed", "reserve anew, and name that reservation"),
        ({"EndDate": EARLIER}, "ended on 2020-01-01 11:30 UTC", "reserve anew, and name that reservation"),
        (
            {"InstanceType": "p5.48xlarge"},
            "is of p5.48xlarge, the pool of p4d.24xlarge",
            "let the pool be of p5.48xlarge",
        ),
        (
            {"AvailabilityZone": "us-west-2c"},
            "is in us-west-2c, the pool in us-west-2b",
            "give the pool the subnet of us-west-2c",
        ),
        (
            {"Tenancy": "dedicated"},
            "is of tenancy dedicated, the pool of default",
            "set placement.tenancy to dedicated",
        ),
        (
            {"InstancePlatform": "Windows"},
            "is for Windows, the pool's image for Linux/UNIX",
            "reserve Linux/UNIX",
        ),
        (
            {"ReservationType": "capacity-block"},
            "is a capacity block, the pool buys on-demand",
            "set marketType capacity-block in the launch template and capacityType CAPACITY_BLOCK of the node group",
        ),
    ],
)
def test_a_reservation_that_does_not_fit_fails(
    ask: Ask, recorded: Recorded, changes: dict[str, Any], what: str, fix: str
) -> None:
    hold(recorded, **changes)
    (result,) = ask(reservations.check, pool())
    assert (result.status, result.what, result.fix) == (FAILED, f"pool train: reservation {CR} {what}", fix)


def test_a_pool_that_outgrows_its_reservation_fails(ask: Ask, recorded: Recorded) -> None:
    hold(recorded, TotalInstanceCount=6)
    (result,) = ask(reservations.check, pool())
    assert (result.status, result.fix) == (FAILED, "reserve 2 more, or let the pool grow to 6 only")


def test_a_pool_in_more_zones_or_of_more_types_than_its_reservation_fails(ask: Ask, recorded: Recorded) -> None:
    hold(recorded)
    results = ask(reservations.check, pool(("p4d.24xlarge", "p5.48xlarge"), "bc"))
    assert [one.what.partition(f"{CR} ")[2] for one in results] == [
        "is of p4d.24xlarge, the pool also of p5.48xlarge",
        "is in us-west-2b, the pool also in us-west-2c",
    ]


def test_a_capacity_block_that_begins_later_wants_a_pool_that_starts_with_nothing(ask: Ask, recorded: Recorded) -> None:
    hold(recorded, ReservationType="capacity-block", State="scheduled", StartDate=LATER, EndDate=LATER)
    block: dict[str, Any] = {"types": (), "capacity": "CAPACITY_BLOCK", "template": BLOCK}
    (result,) = ask(reservations.check, pool(**block))
    assert result.status == PASSED
    assert result.what.endswith("scheduled until 2099-01-01 11:30 UTC")
    assert result.fix == "the instances end with it: drain the pool before, or extend it"
    (result,) = ask(reservations.check, pool(**block, least=1))
    assert (result.status, result.fix) == (
        FAILED,
        "let the pool start with 0 and raise it once the reservation is active",
    )


def test_a_capacity_block_pool_that_names_none_fails(ask: Ask) -> None:
    template = {key: value for key, value in BLOCK.items() if key not in TARGET}
    (result,) = ask(reservations.check, pool((), capacity="CAPACITY_BLOCK", template=template))
    assert (result.status, result.what) == (FAILED, "pool train: buys from a capacity block and names none")


def test_a_reservation_that_is_not_there_fails(ask: Ask, recorded: Recorded) -> None:
    recorded.answers["DescribeCapacityReservations"] = refusal("InvalidCapacityReservationId.NotFound")
    (result,) = ask(reservations.check, pool())
    assert (result.status, result.what) == (FAILED, f"pool train: there is no reservation {CR} in us-west-2")


def test_a_reservation_of_the_plan_is_held_against_the_pool_without_asking(ask: Ask, recorded: Recorded) -> None:
    def entry() -> None:
        network = Network()
        held = aws.ec2.CapacityReservation(
            "held",
            instance_type="p4d.24xlarge",
            instance_platform="Linux/UNIX",
            availability_zone="us-west-2a",
            instance_count=8,
            opts=network.opts,
        )
        target = {"capacity_reservation_target": {"capacity_reservation_id": held.id}}
        network.pool("train", ["p4d.24xlarge"], zones="b", template={"capacity_reservation_specification": target})

    (result,) = ask(reservations.check, entry)
    assert result.status == FAILED
    assert result.what.endswith("is in us-west-2a, the pool in us-west-2b")
    assert recorded.asked == []


def test_a_group_of_reservations_is_looked_into(ask: Ask, recorded: Recorded) -> None:
    group = "arn:aws:resource-groups:us-west-2:123456789012:group/train"
    template = {
        "capacity_reservation_specification": {
            "capacity_reservation_target": {"capacity_reservation_resource_group_arn": group}
        }
    }
    identifier = {"ResourceArn": f"arn:aws:ec2:us-west-2:123456789012:capacity-reservation/{CR}"}
    recorded.answers["ListGroupResources"] = {"Resources": [{"Identifier": identifier}]}
    hold(recorded)
    assert [one.status for one in ask(reservations.check, pool(template=template))] == [PASSED]
    recorded.refuse("ListGroupResources")
    (result,) = ask(reservations.check, pool(template=template))
    assert (result.status, result.permission) == (COULD_NOT_ASK, "resource-groups:ListGroupResources")


def test_a_pool_for_any_reservation_needs_an_open_one(ask: Ask, recorded: Recorded) -> None:
    template = {"capacity_reservation_specification": {"capacity_reservation_preference": "capacity-reservations-only"}}
    hold(recorded, InstanceMatchCriteria="targeted")
    (result,) = ask(reservations.check, pool(template=template))
    assert (result.status, result.what) == (FAILED, "pool train: no reservation in us-west-2 is what it selects")
    hold(recorded, InstanceMatchCriteria="open")
    assert [one.status for one in ask(reservations.check, pool(template=template))] == [PASSED]


def test_karpenters_reservations_are_found_by_tag(ask: Ask, recorded: Recorded) -> None:
    types = [
        at_least("node.kubernetes.io/instance-type", "p4d.24xlarge", "p5.48xlarge"),
        at_least("karpenter.sh/capacity-type", "reserved"),
    ]

    def entry() -> None:
        terms = [{"tags": {"use": "training"}}]
        Network().karpenter("burst", types, limits={"nodes": "64"}, capacityReservationSelectorTerms=terms)

    hold(recorded)
    assert [one.status for one in ask(reservations.check, entry)] == [PASSED]
    _, _, question = recorded.asked[-1]
    assert question["Filters"][0] == {"Name": "tag:use", "Values": ["training"]}
    recorded.answers["DescribeCapacityReservations"] = {"CapacityReservations": []}
    assert [one.status for one in ask(reservations.check, entry)] == [FAILED]


def test_without_permission_the_reservation_could_not_be_asked(ask: Ask, recorded: Recorded) -> None:
    recorded.refuse("DescribeCapacityReservations", code="UnauthorizedOperation")
    (result,) = ask(reservations.check, pool())
    assert (result.status, result.permission) == (COULD_NOT_ASK, "ec2:DescribeCapacityReservations")

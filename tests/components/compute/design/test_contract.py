"""The contract between a pool and its reservation."""

from dataclasses import replace

import pytest

from components.compute.design import decide
from components.compute.design.request import PoolRequest, Reservation
from tests.components.compute.design.requests import BLOCK, ENDS, HELD, STARTS, refusal, wish


def held(reservation: Reservation | None, *types: str, **fields: object) -> PoolRequest:
    return wish(*(types or ("p5.48xlarge",)), purchase="reservation", reservation=reservation, **fields)


def block(reservation: Reservation, **fields: object) -> PoolRequest:
    return wish("p5.48xlarge", purchase="capacity-block", reservation=reservation, **fields)


MADE = Reservation(zone="us-east-1a", count=2, ends=ENDS, create=True)


@pytest.mark.parametrize(
    ("request_", "rule", "path"),
    [
        (held(None), "reservation-missing", "reservation"),
        (held(replace(HELD, id="cr-no")), "reservation-unknown", "reservation.id"),
        (held(replace(HELD, state="expired")), "reservation-unusable", "reservation.id"),
        (held(HELD, "p5.48xlarge", "p4d.24xlarge"), "reservation-types", "instance_types"),
        (held(replace(HELD, instance_type="p5e.48xlarge")), "reservation-type-differs", "instance_types"),
        (held(HELD, max_nodes=3), "reservation-too-small", "nodes.max"),
        (held(replace(HELD, ends=ENDS.replace(tzinfo=None))), "window-without-zone", "reservation.ends"),
        (held(replace(HELD, starts=ENDS, ends=STARTS)), "window-backwards", "reservation.ends"),
        (held(replace(HELD, starts=STARTS), min_nodes=1), "floor-before-start", "nodes.min"),
        (held(replace(MADE, ends=None)), "reservation-without-end", "reservation.ends"),
        (held(replace(MADE, count=None)), "reservation-uncounted", "reservation.count"),
        (held(replace(MADE, starts=STARTS)), "future-reservation", "reservation.starts"),
        (held(replace(HELD, zone=None), zones=("us-east-1a", "us-east-1b")), "zone-not-told", "reservation.zone"),
        (block(BLOCK, min_nodes=1), "floor-before-start", "nodes.min"),
        (block(replace(BLOCK, id=None, create=True)), "block-not-made", "reservation.create"),
        (block(replace(BLOCK, id=None, offering_id="cb-0")), "block-not-acknowledged", "reservation.buy"),
    ],
)
def test_a_breach_is_refused_at_its_setting(request_: PoolRequest, rule: str, path: str) -> None:
    refused = refusal(request_)
    assert (refused.rule, refused.path) == (rule, path)


def test_ec2_reserves_no_p_type_for_a_later_day() -> None:
    refused = refusal(held(replace(MADE, starts=STARTS)))
    assert refused.reason == "EC2 reserves p5 for a later day in capacity blocks only"
    assert refused.nearest == "purchase: capacity-block"
    later = refusal(held(replace(MADE, starts=STARTS), "g6.48xlarge"))
    assert later.nearest == "reserve it in EC2 and name it: reservation: {id: cr-...}"


def test_a_reservation_that_the_stack_makes_has_no_id_yet() -> None:
    design = decide(held(MADE))
    assert (design.makes_reservation, design.reservation_id) == ("on-demand", None)
    bought = decide(block(replace(BLOCK, id=None, offering_id="cb-0123456789abcdef0", acknowledged=True)))
    assert (bought.makes_reservation, bought.reservation_id) == ("capacity-block", None)


def test_instances_out_of_reach_and_a_count_that_is_not_told_are_warned_of() -> None:
    assert decide(held(replace(HELD, count=5))).warnings == (
        "3 of the 5 reserved instances are paid for and out of the pool's reach",
    )
    assert decide(held(replace(HELD, count=None))).warnings == (
        "how many instances are reserved is not stated: nodes beyond that number will never come",
    )


def test_a_block_that_is_active_by_its_description_has_its_nodes_at_once() -> None:
    assert decide(block(replace(BLOCK, state="active"))).desired_at_first == 2
    assert decide(block(replace(BLOCK, state="scheduled"))).desired_at_first == 0

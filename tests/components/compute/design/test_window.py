"""When nodes come and when they are gone."""

from dataclasses import replace
from datetime import timedelta

import pytest

from components.compute.design import decide
from components.compute.design.request import Checkpoint
from tests.components.compute.design.requests import BLOCK, ENDS, HELD, STARTS, bought, wish


@pytest.mark.parametrize(("name", "minutes"), [("p5.48xlarge", 40), ("p6e-gb200.36xlarge", 70)])
def test_a_block_is_drained_before_ec2_ends_its_instances(name: str, minutes: int) -> None:
    drain = decide(bought(wish(name), "capacity-block")).drain
    assert drain is not None
    assert (drain.at_start, drain.at_end) == (STARTS, ENDS - timedelta(minutes=minutes))
    assert (drain.minutes_before_end, drain.by) == (minutes, "schedule")


def test_what_writing_a_checkpoint_takes_comes_on_top() -> None:
    checkpoint = Checkpoint(gib=600, path="s3://checkpoints/run", every_minutes=60)
    drain = decide(bought(wish("p5.48xlarge", use="training", checkpoint=checkpoint), "capacity-block")).drain
    assert drain is not None
    assert drain.minutes_before_end == 43
    assert drain.why == (
        "EC2 begins to end instances 30 minutes before; 10 minutes for pods to end; 3 to write a checkpoint"
    )


def test_a_block_that_has_begun_needs_no_start() -> None:
    live = wish("p5.48xlarge", purchase="capacity-block", reservation=replace(BLOCK, state="active"))
    drain = decide(live).drain
    assert drain is not None
    assert drain.at_start is None


def test_nodes_do_not_outlive_a_reservation_that_ends() -> None:
    drain = decide(wish("g6.xlarge", purchase="reservation", reservation=replace(HELD, ends=ENDS))).drain
    assert drain is not None
    assert (drain.at_end, drain.by) == (ENDS - timedelta(minutes=10), "schedule")
    assert decide(wish("g6.xlarge", purchase="reservation", reservation=HELD)).drain is None


def test_karpenter_drains_blocks_by_itself_and_reservations_not_at_all() -> None:
    block = decide(replace(bought(wish("p5.48xlarge"), "capacity-block"), scaler="karpenter"))
    assert block.drain is not None
    assert (block.drain.by, block.drain.at_start) == ("karpenter", None)
    kept = replace(HELD, ends=ENDS)
    held = decide(wish("g6.xlarge", purchase="reservation", reservation=kept, scaler="karpenter"))
    assert "Karpenter ends no nodes when an on-demand reservation ends: they run on and are billed on" in held.warnings


@pytest.mark.parametrize("untold", [{"starts": None}, {"ends": None}, {"starts": None, "ends": None}])
def test_a_block_whose_window_is_not_told_is_made_without_its_schedule_and_says_so(untold: dict[str, None]) -> None:
    design = decide(wish("p5.48xlarge", purchase="capacity-block", reservation=replace(BLOCK, **untold)))
    assert design.desired_at_first == 0
    assert design.drain is None or None in (design.drain.at_start, design.drain.at_end)
    assert any("reservation.starts and reservation.ends are not both given" in text for text in design.warnings)

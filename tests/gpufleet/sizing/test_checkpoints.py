"""Checkpoints: bytes, intervals, losses."""

import pytest

from gpufleet.facts import instances
from gpufleet.sizing import checkpoints
from gpufleet.sizing.job import Job
from gpufleet.sizing.quantities import GB
from tests.gpufleet.sizing.published import preset

P5 = instances.get("p5.48xlarge")
LLAMA = preset("llama-3.1-8b")


def test_a_checkpoint_to_go_on_from_has_14_bytes_a_parameter():
    assert checkpoints.size(LLAMA, Job()) == LLAMA.parameters * 14


def test_a_checkpoint_of_adapters_has_the_adapters_alone():
    assert checkpoints.size(LLAMA, Job(task="lora")) == 41_943_040 * 14


def test_young_is_the_root_of_twice_the_write_times_the_time_between_failures():
    assert checkpoints.young(50, 10_000) == 1000


def test_daly_is_near_young_where_failures_are_rare():
    assert checkpoints.daly(50, 10_000) == pytest.approx(1000 * (1 + 0.05 / 3 + 0.0025 / 9) - 50)
    assert checkpoints.daly(1, 10**9) == pytest.approx(checkpoints.young(1, 10**9), rel=0.001)


def test_daly_is_the_time_between_failures_where_writing_takes_longer_than_twice_that():
    assert checkpoints.daly(3000, 1000) == 1000


def test_daly_loses_no_more_than_other_intervals():
    """To first order in what is lost: writing, and half an interval at every failure."""

    def lost(interval: float) -> float:
        return 60 / (interval + 60) + interval / 2 / 20_000

    best = lost(checkpoints.daly(60, 20_000))
    assert all(best <= lost(interval) * 1.01 for interval in (300, 600, 1200, 2400, 4800))


def test_a_plan_follows_from_nodes_and_failures():
    plan = checkpoints.plan(LLAMA, Job(), P5, 16, spot=False)
    assert plan.bytes == pytest.approx(112.4 * GB, rel=0.001)
    assert plan.write_gb_s == 80  # 5 GB/s each
    assert plan.write_seconds == pytest.approx(1.405, rel=0.001)
    assert plan.between_failures == pytest.approx(86_400 / (0.0038 * 16))
    assert plan.within_notice is None


def test_more_nodes_fail_more_often_and_save_more_often():
    few, many = (checkpoints.plan(LLAMA, Job(), P5, n, spot=False, write_gb_s=5) for n in (2, 64))
    assert many.daly < few.daly
    assert many.lost_share > few.lost_share


def test_spot_is_interrupted_more_often_and_its_notice_leaves_90_seconds():
    plan = checkpoints.plan(LLAMA, Job(), P5, 4, spot=True)
    assert plan.failures_per_node_day == 0.033
    assert plan.within_notice is True
    slow = checkpoints.plan(preset("llama-3.1-405b"), Job(), P5, 4, spot=True)
    assert slow.write_seconds > 90
    assert slow.within_notice is False


def test_what_is_said_comes_before_what_is_assumed():
    plan = checkpoints.plan(LLAMA, Job(), P5, 1, spot=False, failures_per_node_day=1, write_gb_s=1, restart_minutes=0)
    assert (plan.between_failures, plan.write_gb_s) == (86_400, 1)
    assert plan.restart == plan.write_seconds


def test_nothing_is_left_where_every_restart_fails():
    plan = checkpoints.plan(LLAMA, Job(), P5, 1000, spot=True, failures_per_node_day=100)
    assert plan.lost_share == 1

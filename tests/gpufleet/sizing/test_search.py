"""What a search finds, leaves out, and says of what does not fit."""

from dataclasses import replace

import pytest

from gpufleet.facts import instances, prices
from gpufleet.sizing.candidates import Choices
from gpufleet.sizing.job import Job
from gpufleet.sizing.search import Found, Limits, search
from tests.gpufleet.sizing.published import preset

SERVE = Job(task="inference")


def found(name: str, job: Job | None = None, limits: Limits | None = None, choices: Choices | None = None) -> Found:
    return search(preset(name), job or Job(), limits or Limits(), choices or Choices())


def test_everything_that_is_found_fits():
    result = found("llama-3.1-70b", Job(global_batch=512))
    assert result.cheapest
    for one in (*result.cheapest, *result.fastest):
        assert one.memory.total <= one.available


def test_the_cheapest_come_first_and_so_do_the_fastest():
    result = found("llama-3.1-8b", Job(global_batch=256), Limits(tokens=10**11))
    usd = [one.usd for one in result.cheapest if one.usd is not None]
    hours = [one.hours for one in result.fastest if one.hours is not None]
    assert usd == sorted(usd)
    assert hours == sorted(hours)
    assert len(hours) == len(result.fastest)


def test_each_instance_type_is_shown_once():
    names = [one.instance.name for one in found("llama-3.1-8b").cheapest]
    assert len(names) == len(set(names))


def test_of_equally_dear_configurations_the_smallest_is_shown():
    best = found("llama-3.1-8b", Job(global_batch=256), Limits(tokens=10**11, gpu_models=("H100",)))
    [whole] = [one for one in best.cheapest if one.instance.name == "p5.48xlarge"]
    assert whole.nodes == 1


def test_the_weights_of_llama_70b_in_bf16_need_more_than_one_h100():
    result = found("llama-3.1-70b", SERVE, Limits(gpu_models=("H100",), nodes=1))
    assert [one.instance.name for one in result.cheapest] == ["p5.48xlarge"]
    assert result.cheapest[0].layout.tensor >= 2


def test_gpus_talk_over_several_nodes_only_with_efa():
    result = found("llama-3.1-8b", Job(global_batch=256))
    several = [one for one in (*result.cheapest, *result.fastest) if one.nodes > 1]
    assert several
    assert min(one.instance.efa_interfaces for one in several) > 0


def test_replicas_of_a_server_need_no_efa_between_them():
    limits = Limits(instance_types=("g6.xlarge",), nodes=4)
    result = found("llama-3.2-1b", replace(SERVE, concurrency=64), limits)
    assert [(one.nodes, one.layout.data) for one in result.cheapest] == [(4, 4)]


def test_one_replica_is_not_cut_over_nodes_without_efa():
    result = found("llama-3.1-70b", SERVE, Limits(instance_types=("g5.2xlarge",)))
    assert result.cheapest == ()


def test_a_fractional_gpu_counts_as_its_own_share():
    limits = Limits(instance_types=("g6f.4xlarge",))
    [one] = found("llama-3.2-1b", replace(SERVE, context=1024), limits).cheapest
    assert (one.layout.gpus, one.instance.gpu_count, one.instance.gpu_partition_size) == (1, 1, 0.5)
    assert one.gpu.reported_mib == 11_279
    [whole] = found("llama-3.2-1b", replace(SERVE, context=1024), Limits(instance_types=("g6.xlarge",))).cheapest
    assert one.speed.tokens_per_second == pytest.approx(whole.speed.tokens_per_second / 2)


def test_a_gpu_of_unknown_memory_is_left_out_with_the_reason():
    why = dict(found("llama-3.1-8b").left_out)
    assert why["p6e-gb200.36xlarge"] == "no source tells the memory of its GB200"
    assert why["p5e.48xlarge"] == "us-east-1 does not offer it"
    assert why["p3.2xlarge"] == "no source tells a region that offers it"
    assert why["g7.2xlarge"] == "EKS has no image for it"
    assert why["g4dn.xlarge"] == "its T4 does not compute in bf16"


def test_only_what_was_asked_for_is_left_out_with_a_reason():
    result = found("llama-3.1-8b", limits=Limits(gpu_models=("GB200", "T4")))
    assert result.cheapest == ()
    assert {name.split(".")[0] for name, _ in result.left_out} == {"p6e-gb200", "g4dn"}


def test_a_gpu_without_bf16_is_taken_for_fp16():
    assert found("llama-3.2-1b", replace(SERVE, precision="fp16"), Limits(gpu_models=("T4",))).cheapest


def test_a_t4_offers_less_than_its_16_gb():
    [one, *_] = found("llama-3.2-1b", replace(SERVE, precision="fp16"), Limits(gpu_models=("T4",))).cheapest
    assert (one.instance.gpu_memory_mib, one.gpu.reported_mib) == (16_384, 14_909)


def test_what_is_too_large_for_everything_has_a_nearest():
    result = found("llama-3.1-405b", limits=Limits(most_nodes=1))
    assert result.cheapest == ()
    assert result.nearest is not None
    assert result.nearest.instance.name == "p6-b300.48xlarge"
    assert result.nearest.memory.total > result.nearest.available


def test_a_run_that_takes_too_long_is_not_shown():
    limits = Limits(tokens=10**12, most_hours=1000, most_nodes=64)
    result = found("llama-3.1-8b", Job(global_batch=1024), limits)
    assert result.cheapest
    assert max(one.hours or 0 for one in (*result.cheapest, *result.fastest)) <= 1000


def test_what_fits_and_is_too_slow_has_no_nearest():
    result = found("llama-3.1-8b", limits=Limits(tokens=10**13, most_hours=1, most_nodes=1))
    assert (result.cheapest, result.nearest) == ((), None)


def test_a_capacity_block_is_looked_for_only_among_the_types_that_have_them():
    result = found("llama-3.1-8b", limits=Limits(purchase="capacity-block"))
    assert {one.instance.family for one in result.cheapest} <= {"p4d", "p4de", "p5", "p5en", "p6-b200", "p6-b300"}
    assert dict(result.left_out)["g6e.xlarge"] == "it is not sold as capacity-block"


def test_a_type_without_a_price_comes_last_and_is_not_free():
    result = found("llama-3.1-8b", limits=Limits(region="ap-southeast-3", gpu_models=("H100", "H200", "B300")))
    unpriced = [one for one in result.cheapest if prices.instance_hour(one.instance.name, "us-east-1") is None]
    assert all(one.usd_hour is None for one in unpriced)
    if unpriced:
        assert result.cheapest[-1] in unpriced


def test_the_price_of_an_hour_is_that_of_all_nodes():
    result = found("llama-3.1-8b", limits=Limits(instance_types=("p5.48xlarge",), nodes=8))
    assert result.cheapest[0].usd_hour == pytest.approx(440.32)
    spot = found("llama-3.1-8b", limits=Limits(instance_types=("p5.48xlarge",), nodes=8, purchase="spot"))
    offer = spot.cheapest[0].offer
    assert (offer.spot_low, offer.spot_high) == (pytest.approx(5.504), 55.04)


def test_so_many_gpus_are_so_many_nodes_of_each_type():
    result = found("llama-3.1-8b", limits=Limits(gpus=16))
    assert {one.nodes * one.instance.gpu_count for one in result.cheapest} == {16}


def test_offloading_is_held_against_the_hosts_memory():
    job = Job(offload="optimizer")
    limits = Limits(instance_types=("g6e.xlarge",), nodes=1)  # 32 GiB beside one L40S
    assert instances.get("g6e.xlarge").memory_mib == 32_768
    assert found("llama-3.1-8b", job, limits).cheapest == ()
    assert found("llama-3.1-8b", job, replace(limits, instance_types=("g6e.16xlarge",))).cheapest

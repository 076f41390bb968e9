"""Time: operations, accumulation, bubbles, and what is sent."""

from dataclasses import replace

import pytest

from gpufleet.facts import compute, instances
from gpufleet.sizing import speed
from gpufleet.sizing.job import Job
from gpufleet.sizing.layout import Layout
from gpufleet.sizing.memory import Estimator
from gpufleet.sizing.speed import Speed, Stopwatch
from tests.gpufleet.sizing.published import preset


def measured(
    job: Job, layout: Layout, *, instance: str = "p5.48xlarge", nodes: int = 1, model: str = "llama-3.1-8b"
) -> Speed:
    found = instances.get(instance)
    gpu = compute.of(found)
    assert gpu is not None
    operations = speed.peak(gpu, job)
    assert operations is not None
    watch = Stopwatch(Estimator(preset(model), job), found, gpu, operations, 0.4)
    return watch.training(layout, nodes) if job.trains else watch.inference(layout, 16e9, 1e9)  # fmt: skip


def test_training_takes_six_operations_a_parameter_and_token():
    model = preset("llama-3.1-8b")
    short = speed.operations_per_token(model, Job(sequence=1), recompute="none")
    assert short == pytest.approx(6 * model.active_parameters, rel=0.001)


def test_adapters_save_the_gradients_of_the_weights():
    model, job = preset("llama-3.1-8b"), Job(task="lora", sequence=1)
    assert speed.operations_per_token(model, job, recompute="none") == pytest.approx(
        4 * model.active_parameters, rel=0.001
    )


def test_full_recomputation_costs_a_third_more():
    model = preset("llama-3.1-8b")
    plain, full = (speed.operations_per_token(model, Job(), recompute=again) for again in ("none", "full"))
    assert full / plain == pytest.approx(4 / 3)


def test_experts_that_a_token_does_not_pass_cost_no_time():
    mixed, dense = preset("mixtral-8x7b"), preset("mistral-7b")
    ratio = speed.operations_per_token(mixed, Job(), recompute="none") / speed.operations_per_token(
        dense, Job(), recompute="none"
    )
    assert 1.6 < ratio < 2


def test_the_stated_utilisation_is_reached_where_nothing_is_waited_for():
    job = Job(global_batch=256)
    one = measured(job, Layout(data=8, sharding="zero1", shards=8))
    operations = one.tokens_per_second * speed.operations_per_token(preset("llama-3.1-8b"), job, recompute="none")
    assert operations / (8 * 989e12) == pytest.approx(0.4)
    assert one.compute_share == pytest.approx(1)


def test_a_wanted_global_batch_becomes_gradient_accumulation():
    one = measured(Job(batch=2, global_batch=1024), Layout(data=8))
    assert one.micro_batches == 64
    assert one.step_seconds * one.tokens_per_second == pytest.approx(1024 * 4096)


def test_a_pipeline_idles_for_a_stage_less_than_it_has():
    job = Job(global_batch=64)
    one = measured(job, Layout(pipeline=8))
    assert one.micro_batches == 64
    assert one.compute_share == pytest.approx(64 / (64 + 7), rel=1e-6)


def test_tensor_parallelism_over_pcie_waits_longer_than_over_nvlink():
    job = Job(global_batch=64)
    nvlink = measured(job, Layout(tensor=8), instance="p4de.24xlarge")
    pcie = measured(job, Layout(tensor=8), instance="g6e.48xlarge")
    assert nvlink.compute_share > 0.8
    assert pcie.compute_share < 0.6


def test_zero3_over_a_thin_network_waits_for_weights():
    job = Job(global_batch=64)
    layout = Layout(data=4, sharding="zero3", shards=4)
    thin = measured(job, layout, instance="g6e.8xlarge", nodes=4)
    assert thin.compute_share < 0.2


def test_answers_are_written_as_fast_as_weights_are_read():
    one = measured(Job(task="inference"), Layout())
    assert one.step_seconds == pytest.approx(17e9 / (3350e9 * 0.6), rel=0.01)


def test_more_users_at_a_time_write_more_tokens_in_all():
    few, many = (measured(Job(task="inference", concurrency=n), Layout()) for n in (1, 64))
    assert many.tokens_per_second > 30 * few.tokens_per_second


def test_weights_in_4_bits_are_multiplied_in_16():
    gpu = compute.of(instances.get("p5.48xlarge"))
    assert gpu is not None
    serve = Job(task="inference")
    assert speed.peak(gpu, replace(serve, precision="int4")) == 989e12
    assert speed.peak(gpu, replace(serve, precision="fp8")) == 1979e12


def test_a_gpu_without_the_unit_has_no_peak():
    t4, v100 = (compute.of(instances.get(name)) for name in ("g4dn.xlarge", "p3dn.24xlarge"))
    assert t4 is not None
    assert v100 is not None
    assert speed.peak(t4, Job()) is None
    assert speed.peak(v100, Job(task="inference", precision="fp8")) is None
    assert speed.peak(v100, Job(precision="fp16")) == 125e12


def test_an_encoder_reads_a_sequence_once():
    job = Job(task="inference", concurrency=64, context=512)
    one = measured(job, Layout(), model="bert-base-cased")
    assert one.step_seconds == one.first_token_seconds
    assert one.tokens_per_second * one.step_seconds == pytest.approx(64 * 512)


def test_what_is_offloaded_moves_over_pcie():
    job = Job(global_batch=64)
    layout = Layout(data=8, sharding="zero3", shards=8)
    here, there, all_of_it = (
        measured(replace(job, offload=offload), layout).step_seconds for offload in ("none", "optimizer", "all")
    )
    assert here < there < all_of_it
    share = preset("llama-3.1-8b").parameters / 8
    assert there - here == pytest.approx(2 * 2 * share / (64e9 * 0.5), rel=1e-6)

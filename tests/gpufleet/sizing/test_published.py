"""Every published figure that the estimate is held against, each with its tolerance."""

import pytest

from gpufleet.facts import compute, instances
from gpufleet.sizing import activations, adapters, states
from gpufleet.sizing.job import Job
from gpufleet.sizing.layout import Layout
from gpufleet.sizing.memory import Estimator, cache_tokens
from gpufleet.sizing.quantities import GB, GIB, MIB
from tests.gpufleet.sizing.published import FORMULA, ROUGH, of_size, preset


def states_of(name_or_size: str | float, job: Job, layout: Layout, *, layer: int = 0) -> float:
    """Bytes without activations and overhead, as papers count them."""
    model = preset(name_or_size) if isinstance(name_or_size, str) else of_size(name_or_size, layer=layer)
    memory = Estimator(model, job).memory(layout)
    return memory.weights + memory.kept_wide + memory.gradients + memory.optimizer + memory.gathered


@pytest.mark.parametrize(("stage", "gb"), [("none", 120), ("zero1", 31.4), ("zero2", 16.6), ("zero3", 1.9)])
def test_zero_paper_figure_1_a_model_of_7_5b_on_64_gpus(stage: str, gb: float):
    found = states_of(7.5e9, Job(), Layout(data=64, sharding=stage, shards=64))
    assert found / GB == pytest.approx(gb, rel=FORMULA, abs=0.05)  # the paper rounds to a tenth


@pytest.mark.parametrize(
    ("stage", "offload", "gib"),
    [
        ("zero2", "none", 15.93),
        ("zero2", "optimizer", 5.31),
        ("zero3", "none", 6.09),
        ("zero3", "optimizer", 0.78),
        ("zero3", "all", 0.12),
    ],
)
def test_deepspeed_estimator_a_model_of_2851m_on_8_gpus(stage: str, offload: str, gib: float):
    job = Job(full_gradients=True, offload=offload)
    found = states_of(2851e6, job, Layout(data=8, sharding=stage, shards=8), layer=32_000_000)
    assert found / GIB == pytest.approx(gib, rel=FORMULA, abs=0.005)


@pytest.mark.parametrize(("offload", "mib"), [("none", 3291), ("all", 125), ("optimizer", 477)])
def test_deepspeed_estimator_t5_large_on_4_gpus_under_zero3(offload: str, mib: float):
    job = Job(full_gradients=True, offload=offload)
    found = states_of("t5-large", job, Layout(data=4, sharding="zero3", shards=4))
    assert found / MIB == pytest.approx(mib, rel=FORMULA)


@pytest.mark.parametrize(("heads", "sequence", "hidden", "expected"), [(96, 2048, 12288, 80), (128, 2048, 20480, 64)])
def test_korthikanti_5as_over_h_of_gpt_3_and_mt_nlg(heads: int, sequence: int, hidden: int, expected: float):
    assert activations.scores_per_token(heads, sequence, hidden) == expected


@pytest.mark.parametrize(
    ("recompute", "tensor", "sequence_parallel", "per_sbh"),
    [
        ("none", 1, True, 34 + 80),
        ("none", 8, False, 10 + 24 / 8 + 80 / 8),
        ("none", 8, True, (34 + 80) / 8),
        ("selective", 8, True, 34 / 8),
        ("full", 1, True, 2),
    ],
)
def test_korthikanti_table_2_a_layer_of_gpt_3(recompute: str, tensor: int, sequence_parallel: bool, per_sbh: float):
    model = preset("gpt-3-175b")
    job = Job(sequence=2048, batch=1, flash=False, sequence_parallel=sequence_parallel)
    found = activations.layer(model, job, tensor=tensor, recompute=recompute)
    assert found / (2048 * 12288) == pytest.approx(per_sbh, rel=1e-12)


def test_llama_3_8b_caches_131072_bytes_a_token():
    assert Estimator(preset("llama-3-8b"), Job(task="inference")).cache_per_token() == 131_072


def test_vllm_serves_llama_8b_on_an_a100_40gb():
    """vLLM issue 12330: what was left of the budget beside weights and peak became 5691 blocks."""
    model = preset("llama-3-8b")
    memory = Estimator(model, Job(task="inference")).memory(Layout())
    a100 = compute.of(instances.get("p4d.24xlarge"))
    assert a100 is not None
    assert a100.reported_mib * MIB * 0.9 / GIB == pytest.approx(35.55, rel=FORMULA)
    assert memory.weights / GIB == pytest.approx(14.96, rel=FORMULA)
    per_token = Estimator(model, Job(task="inference")).cache_per_token()
    tokens = cache_tokens(11.12 * GIB, per_token)
    assert tokens == pytest.approx(91_056, rel=FORMULA)
    assert tokens / 16 == pytest.approx(5691, rel=FORMULA)
    assert tokens / 8192 == pytest.approx(11.12, rel=FORMULA)


def test_vllm_paper_opt_13b_caches_800_kib_a_token():
    estimator = Estimator(preset("opt-13b"), Job(task="inference"))
    assert estimator.cache_per_token() == 819_200
    assert estimator.cache_per_token() * 2048 / GB == pytest.approx(1.6, rel=ROUGH)


@pytest.mark.parametrize(
    ("model", "fp16", "fp8", "int4"),
    [("llama-3.1-8b", 16, 8, 4), ("llama-3.1-70b", 140, 70, 35), ("llama-3.1-405b", 810, 405, 203)],
)
def test_hugging_face_weights_of_llama_3_1(model: str, fp16: float, fp8: float, int4: float):
    for precision, gb in (("fp16", fp16), ("fp8", fp8), ("int4", int4)):
        memory = Estimator(preset(model), Job(task="inference", precision=precision)).memory(Layout())
        assert memory.weights / GB == pytest.approx(gb, rel=FORMULA)


@pytest.mark.parametrize(
    ("model", "tokens", "gib"),
    [
        ("llama-3.1-8b", 1024, 0.125),
        ("llama-3.1-8b", 16_000, 1.95),
        ("llama-3.1-8b", 128_000, 15.62),
        ("llama-3.1-70b", 1024, 0.313),
        ("llama-3.1-70b", 16_000, 4.88),
        ("llama-3.1-70b", 128_000, 39.06),
        # The blog has twice as much of the 405B, for 16 KV heads; its config.json has 8.
        ("llama-3.1-405b", 1024, 0.492),
        ("llama-3.1-405b", 16_000, 7.69),
        ("llama-3.1-405b", 128_000, 61.5),
    ],
)
def test_hugging_face_cache_of_llama_3_1(model: str, tokens: int, gib: float):
    memory = Estimator(preset(model), Job(task="inference", context=tokens)).memory(Layout())
    assert memory.cache / GIB == pytest.approx(gib, rel=FORMULA)


@pytest.mark.parametrize(
    ("model", "full", "lora", "qlora"),
    [("llama-3.1-8b", 60, 16, 6), ("llama-3.1-70b", 500, 160, 48), ("llama-3.1-405b", 3250, 950, 250)],
)
def test_hugging_face_training_of_llama_3_1(model: str, full: float, lora: float, qlora: float):
    """The blog's own convention for all of it: everything in 16 bits, 8 bytes a parameter; 500 GB is its revision."""
    assert states_of(model, Job(optimizer="adamw-16bit"), Layout()) / GB == pytest.approx(full, rel=ROUGH)
    assert states_of(model, Job(task="lora"), Layout()) / GB == pytest.approx(lora, rel=ROUGH)
    assert states_of(model, Job(task="qlora"), Layout()) / GB == pytest.approx(qlora, rel=ROUGH)


@pytest.mark.parametrize(("precision", "mib"), [("fp32", 413.18), ("fp16", 206.59)])
def test_accelerate_estimates_bert_base_cased(precision: str, mib: float):
    memory = Estimator(preset("bert-base-cased"), Job(task="inference", precision=precision)).memory(Layout())
    assert memory.weights / MIB == pytest.approx(mib, rel=FORMULA)


def test_accelerate_counts_adam_as_four_times_the_weights():
    assert states_of("bert-base-cased", Job(precision="fp32"), Layout()) / GIB == pytest.approx(1.61, rel=FORMULA)
    pure = Job(precision="fp16", optimizer="adamw-16bit")
    assert states_of("bert-base-cased", pure, Layout()) / MIB == pytest.approx(826.36, rel=FORMULA)


@pytest.mark.parametrize(("precision", "gib"), [("fp32", 656.57), ("fp16", 328.29)])
def test_accelerate_estimates_bloom(precision: str, gib: float):
    memory = Estimator(preset("bloom-176b"), Job(task="inference", precision=precision)).memory(Layout())
    assert memory.weights / GIB == pytest.approx(gib, rel=FORMULA)


def test_qlora_paper_tunes_65b_below_48_gb_that_take_780_gb_in_16_bits():
    full = states_of("llama-65b", Job(master_weights=False), Layout())
    assert 780 < full / GB < 780 * (1 + FORMULA)
    # The paper's own setting: rank 64 on every layer, paged optimizer, gradient checkpoints, sequences of 512.
    job = Job(task="qlora", rank=64, optimizer="adamw-paged", sequence=512)
    assert Estimator(preset("llama-65b"), job).memory(Layout(recompute="full")).total < 48 * GB


def test_lora_paper_tunes_gpt_3_in_350_gb_in_place_of_1_2_tb():
    # The paper does not say what its 1.2 TB are made of: 16-bit weights and gradients, and 8-bit moments, come nearest.
    full = states_of("gpt-3-175b", Job(optimizer="adamw-8bit", master_weights=False), Layout())
    assert full / GB == pytest.approx(1200, rel=ROUGH)
    assert states_of("gpt-3-175b", Job(task="lora", rank=4), Layout()) / GB == pytest.approx(350, rel=ROUGH)


def test_megatron_worked_example_llama_405b_on_16384_gpus():
    """6.34 weights + .05 gradients + .30 optimizer + 71.87 activations = 78.6 GB, every stage alike."""
    per_gpu = preset("llama-3.1-405b").parameters / (8 * 16)
    per = states.trained(Job())
    assert per_gpu * per.weight / GB == pytest.approx(6.34, rel=FORMULA)
    assert per_gpu * per.gradient / 128 / GB == pytest.approx(0.05, rel=FORMULA)
    assert per_gpu * per.optimizer / 128 / GB == pytest.approx(0.30, rel=FORMULA)
    # Their 34 s b h is that of a GPT with this hidden size; first stage: 16 micro-batches of 126 / 16 layers.
    shape = preset("gpt-3-175b")
    layer = activations.layer(shape, Job(sequence=8192), tensor=8, recompute="selective") / shape.hidden * 16384
    assert layer * 126 / 16 * 16 / GB == pytest.approx(71.87, rel=FORMULA)
    # The estimate itself knows that a stage has 8 of 126 layers and the embedding, and that KV heads are fewer.
    layout = Layout(8, 16, 128, 1, "zero2", 128, "selective")
    memory = Estimator(preset("llama-3.1-405b"), Job(sequence=8192)).memory(layout)
    assert memory.total / GB == pytest.approx(78.6, rel=ROUGH)


@pytest.mark.parametrize(
    ("job", "expected"),
    [
        (Job(), 16),
        (Job(full_gradients=True), 18),
        (Job(optimizer="adamw-8bit"), 10),
        (Job(precision="fp32"), 16),
        (Job(optimizer="sgd"), 12),
    ],
)
def test_bytes_a_trained_parameter(job: Job, expected: float):
    assert states.trained(job).total == expected


def test_megatron_distributed_optimizer_takes_6_and_12_over_dp():
    found = states_of(1e9, Job(full_gradients=True), Layout(data=16, sharding="zero1", shards=16))
    assert found == pytest.approx(1e9 * (6 + 12 / 16), rel=1e-6)


def test_adapters_add_rank_times_inputs_and_outputs():
    # Llama 3.1 8B, rank 16 on all seven matrices of a layer, as PEFT prints it.
    assert adapters.parameters(preset("llama-3.1-8b"), 16) == 41_943_040


def test_the_rule_of_thumb_is_4_bytes_a_parameter():
    assert states.rule_of_thumb(8_030_261_248) == 32_121_044_992

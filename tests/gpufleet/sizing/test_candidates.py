"""Which layouts are possible at all."""

import pytest

from gpufleet.sizing.candidates import Choices, layouts
from gpufleet.sizing.job import Job
from gpufleet.sizing.layout import Layout, tensor_fits
from tests.gpufleet.sizing.published import preset


def splits(
    name: str, job: Job, choices: Choices | None = None, *, per_node: int = 8, nodes: int = 1
) -> set[tuple[int, ...]]:
    found = layouts(preset(name), job, choices or Choices(), gpus_per_node=per_node, nodes=nodes)
    return {(one.tensor, one.pipeline, one.data, one.expert) for one in found}  # fmt: skip


def test_every_layout_uses_every_gpu():
    for nodes in (1, 2, 3, 16):
        for one in layouts(preset("llama-3.1-70b"), Job(), Choices(), gpus_per_node=8, nodes=nodes):
            assert one.gpus == 8 * nodes


def test_tensor_parallelism_stays_within_a_node():
    assert max(tensor for tensor, *_ in splits("llama-3.1-405b", Job(), per_node=4, nodes=8)) == 4


@pytest.mark.parametrize(
    ("model", "possible"),
    [("llama-3.1-8b", [1, 2, 4, 8]), ("qwen2.5-7b", [1, 2, 4]), ("phi-4", [1, 2]), ("gpt-2-xl", [1])],
)
def test_tensor_parallelism_divides_heads_and_kv_heads(model: str, possible: list[int]):
    assert [n for n in (1, 2, 4, 8) if tensor_fits(preset(model), n)] == possible


def test_fewer_kv_heads_than_gpus_are_copied_if_evenly():
    qwen = preset("qwen3-30b-a3b")  # 32 heads, 4 KV heads
    assert [n for n in (4, 8, 16, 32) if tensor_fits(qwen, n)] == [4, 8, 16, 32]


def test_every_pipeline_stage_has_a_layer():
    assert {pipeline for _, pipeline, *_ in splits("gpt-2", Job(), nodes=2)} == {1, 2, 4}  # 12 layers; 8 would be 6 x 2


def test_an_encoder_with_a_decoder_is_not_cut_into_stages():
    assert {pipeline for _, pipeline, *_ in splits("t5-large", Job(), nodes=2)} == {1}


def test_experts_are_spread_over_replicas_that_divide_them():
    assert {expert for *_, expert in splits("mixtral-8x7b", Job(), nodes=4)} == {1, 2, 4, 8}


def test_a_server_has_no_more_replicas_than_users():
    assert {data for *_, data, _ in splits("llama-3.1-8b", Job(task="inference", concurrency=2))} == {1, 2}


def test_choices_by_hand_are_kept_to():
    choices = Choices(tensor=4, pipeline=2, sharding="zero1", recompute="full")
    found = list(layouts(preset("llama-3.1-8b"), Job(), choices, gpus_per_node=8, nodes=2))
    assert found == [Layout(4, 2, 2, 1, "zero1", 2, "full")]


def test_hybrid_sharding_stays_within_a_node():
    choices = Choices(tensor=2, pipeline=1, sharding="zero3", recompute="none", hybrid=True)
    [found] = layouts(preset("llama-3.1-8b"), Job(), choices, gpus_per_node=8, nodes=4)
    assert (found.data, found.shards) == (16, 4)


def test_a_layout_says_itself_in_words():
    assert Layout(8, 16, 128, 1, "zero1", 128, "full").words() == "TP8, PP16, DP128, zero1, full recompute"
    assert Layout(1, 1, 32, 8, "zero3", 8).words() == "EP8, DP32, zero3 over 8"
    assert Layout().words() == "one GPU"

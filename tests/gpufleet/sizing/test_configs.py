"""config.json as people have it: read where it is understood, refused where it is not."""

from typing import Any

import pytest

from gpufleet.errors import UsageError
from gpufleet.sizing import configs

LLAMA: dict[str, Any] = {
    "architectures": ["LlamaForCausalLM"],
    "model_type": "llama",
    "hidden_size": 4096,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "intermediate_size": 14336,
    "vocab_size": 128256,
    "tie_word_embeddings": False,
    "rope_theta": 500000.0,
    "torch_dtype": "bfloat16",
}


def refusal(**changes: object) -> str:
    with pytest.raises(UsageError) as refused:
        configs.model({**LLAMA, **changes}, name="my.json", source="my.json")
    return str(refused.value)


def test_a_whole_config_is_read():
    found = configs.model(LLAMA, name="my.json", source="my.json")
    assert (found.layers, found.hidden, found.heads, found.kv_heads, found.head_dim) == (32, 4096, 32, 8, 128)
    assert found.parameters == 8_030_261_248


def test_tied_embeddings_are_counted_once():
    tied = configs.model({**LLAMA, "tie_word_embeddings": True}, name="my.json", source="")
    assert tied.parameters == 8_030_261_248 - 128256 * 4096


def test_a_head_may_be_wider_than_its_share_of_the_hidden_size():
    found = configs.model({**LLAMA, "head_dim": 256}, name="my.json", source="")
    assert (found.query_width, found.key_value_width) == (8192, 4096)


def test_a_window_that_is_switched_off_is_none():
    found = configs.model({**LLAMA, "model_type": "mistral", "sliding_window": None}, name="my.json", source="")
    assert found.windowed_layers == 0


def test_layers_say_themselves_which_have_a_window():
    kinds = ["sliding_attention"] * 24 + ["full_attention"] * 8
    found = configs.model({**LLAMA, "layer_types": kinds, "sliding_window": 512}, name="my.json", source="")
    assert (found.window, found.windowed_layers) == (512, 24)


def test_experts_are_read():
    mixed = {**LLAMA, "model_type": "mixtral", "num_local_experts": 8, "num_experts_per_tok": 2}
    found = configs.model(mixed, name="my.json", source="")
    assert found.experts is not None
    assert (found.experts.count, found.experts.active, found.experts.width) == (8, 2, 14336)


def test_an_unknown_family_is_refused_with_those_that_are_known():
    text = refusal(model_type="mamba2")
    assert text.startswith("--model my.json: model_type: 'mamba2'\n  allowed: bert, bloom, deepseek_v2,")
    assert text.endswith("fix: give its shape by --params, --layers, --hidden, --heads, --kv-heads, --ffn and --vocab")


def test_a_model_with_several_towers_is_refused():
    assert "a model of text alone (this one has several towers)" in refusal(vision_config={})


def test_attention_of_another_kind_is_refused():
    assert "layer_types: 'linear_attention'" in refusal(layer_types=["linear_attention", "full_attention"])


def test_experts_in_every_other_layer_are_refused():
    assert "decoder_sparse_step: 2\n  allowed: 1: experts in every layer" in refusal(decoder_sparse_step=2)


@pytest.mark.parametrize(
    ("key", "value", "shown"),
    [
        ("hidden_size", None, "hidden_size: missing"),
        ("num_hidden_layers", "32", "num_hidden_layers: '32'"),
        ("vocab_size", -1, "vocab_size: -1"),
        ("num_attention_heads", True, "num_attention_heads: True"),
        ("hidden_size", 4097, "hidden_size: 4097\n  allowed: a multiple of num_attention_heads (32)"),
    ],
)
def test_a_key_that_is_missing_or_wrong_is_named(key: str, value: object, shown: str):
    assert shown in refusal(**{key: value})

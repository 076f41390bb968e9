"""Parameters by where they lie, held against what was published."""

import pytest

from gpufleet.facts import models
from gpufleet.sizing import configs
from gpufleet.sizing.job import Job
from gpufleet.sizing.memory import Estimator
from tests.gpufleet.sizing.published import preset


@pytest.mark.parametrize("name", models.names())
def test_the_matrices_explain_the_published_count(name: str):
    found = models.find(name)
    assert found is not None
    computed = configs.model(found.config, name=name, source="").parameters
    assert computed == pytest.approx(found.parameters, rel=0.006)  # BERT's pooler is half a percent


@pytest.mark.parametrize(
    "name",
    ["llama-2-7b", "llama-3.1-8b", "llama-3.1-70b", "llama-3.1-405b", "llama-3.2-1b", "mistral-7b", "mixtral-8x7b",
     "gemma-2-9b", "gemma-2-27b", "phi-4"],
)  # fmt: skip
def test_where_only_norms_are_small_the_count_is_exact(name: str):
    found = models.find(name)
    assert found is not None
    assert configs.model(found.config, name=name, source="").parameters == found.parameters


@pytest.mark.parametrize("name", models.names())
def test_a_preset_has_exactly_its_published_parameters(name: str):
    found = models.find(name)
    assert found is not None
    assert preset(name).parameters == found.parameters


@pytest.mark.parametrize(
    ("name", "active"),
    [("mixtral-8x7b", 12.9e9), ("qwen3-30b-a3b", 3.3e9), ("qwen3-235b-a22b", 22e9), ("deepseek-v3", 37e9)],
)  # fmt: skip
def test_a_token_passes_the_published_number_of_active_parameters(name: str, active: float):
    # Cards count the embedding or not; the estimate counts what is multiplied.
    assert preset(name).active_parameters == pytest.approx(active, rel=0.09)


def test_latent_attention_caches_576_numbers_a_layer():
    model = preset("deepseek-v3")
    assert model.cache_width == 512 + 64
    assert Estimator(model, Job(task="inference")).cache_per_token() == 61 * 576 * 2


def test_latent_attention_is_not_split_by_tensor_parallelism():
    estimator = Estimator(preset("deepseek-v3"), Job(task="inference"))
    assert estimator.cache_per_token(tensor=8) == estimator.cache_per_token()


def test_kv_heads_are_split_until_each_gpu_has_one_and_then_copied():
    estimator = Estimator(preset("qwen2.5-7b"), Job(task="inference"))  # four KV heads
    whole = estimator.cache_per_token()
    assert [estimator.cache_per_token(tensor=n) for n in (1, 2, 4, 8)] == [whole, whole / 2, whole / 4, whole / 4]


def test_windowed_layers_keep_no_more_than_their_window():
    model = preset("gpt-oss-20b")  # every other layer sees 128 tokens
    estimator = Estimator(model, Job(task="inference"))
    full = estimator.cache_per_token()
    assert model.windowed_layers == 12
    assert estimator.cache_per_token(tokens=128) == full
    assert estimator.cache_per_token(tokens=12_800) == pytest.approx(full * (12 + 12 / 100) / 24)


def test_an_encoder_alone_has_no_cache():
    assert Estimator(preset("bert-base-cased"), Job(task="inference")).cache_per_token() == 0


def test_a_decoder_with_an_encoder_caches_what_it_attends_to_as_well():
    model = preset("t5-large")
    assert Estimator(model, Job(task="inference")).cache_per_token() == 24 * 2 * 2 * 1024 * 2

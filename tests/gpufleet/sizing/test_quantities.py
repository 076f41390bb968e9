"""Counts as people write them, and the units that are taken for each other."""

import pytest

from gpufleet.errors import UsageError
from gpufleet.sizing import quantities
from gpufleet.sizing.answer import memory_mib
from gpufleet.sizing.job import Job
from gpufleet.sizing.layout import Layout
from gpufleet.sizing.memory import Estimator, Memory
from gpufleet.sizing.quantities import GB, GIB, MIB
from tests.gpufleet.sizing.published import preset


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("70B", 70 * 10**9),
        ("1.5t", 1500 * 10**9),
        ("350M", 350 * 10**6),
        ("8030261248", 8_030_261_248),
        ("7e9", 7 * 10**9),
    ],
)
def test_a_count_is_read_as_people_write_it(text: str, expected: int):
    assert quantities.count(text, "--params") == expected


@pytest.mark.parametrize("text", ["", "seventy", "-7B", "0", "7 GB", "7GiB", "1e99", "nan", "inf"])
def test_anything_else_is_no_count(text: str):
    with pytest.raises(UsageError) as refused:
        quantities.count(text, "--params")
    assert str(refused.value).startswith(f"--params {text}: not a count\n  allowed: a number above 0")


def test_a_count_is_written_short():
    assert [quantities.written(n) for n in (8_030_261_248, 131_072, 4.05e11, 12)] == ["8.03B", "131K", "405B", "12"]


def test_a_gib_is_seven_percent_more_than_a_gb():
    assert (GIB, GB, MIB) == (1_073_741_824, 1_000_000_000, 1_048_576)


def test_the_weights_of_llama_8b_are_16_gb_and_15_gib():
    weights = Estimator(preset("llama-3.1-8b"), Job(task="inference")).memory(Layout()).weights
    assert (round(weights / GB, 2), round(weights / GIB, 2)) == (16.06, 14.96)


def test_a_model_of_80_gb_does_not_fit_on_a_gpu_of_80_gb():
    """An H100's 80 GB are 81008 MiB to CUDA, of which 92 % are used: 78.1 GB, less what CUDA itself takes."""
    from gpufleet.facts import compute, instances

    gpu = compute.of(instances.get("p5.4xlarge"))
    assert gpu is not None
    assert gpu.reported_mib * MIB * 0.92 / GB == pytest.approx(78.1, abs=0.1)


def test_mib_are_rounded_from_bytes_and_the_total_not_from_its_rounded_parts():
    parts = memory_mib(Memory(weights=0.4 * MIB, gradients=0.4 * MIB, optimizer=0.4 * MIB))
    assert (parts["weights"], parts["gradients"], parts["optimizer"], parts["total"]) == (0, 0, 0, 1)

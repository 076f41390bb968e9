"""What GPUs compute, and what they offer of their memory."""

import pytest

from gpufleet.facts import compute, instances


def gpu(name: str) -> compute.Gpu:
    found = compute.of(instances.get(name))
    assert found is not None
    return found


def test_a_gpu_reports_less_than_ec2_says():
    for name in instances.names():
        instance = instances.get(name)
        found = compute.of(instance) if instance.is_gpu else None
        if found is not None:
            assert instance.gpu_memory_mib is not None
            assert 0.9 * instance.gpu_memory_mib < found.reported_mib < instance.gpu_memory_mib
            assert found.source
            assert found.reported_source


@pytest.mark.parametrize(
    ("name", "reported", "measured"),
    [
        ("p5.48xlarge", 81_008, True),
        ("p4d.24xlarge", 40_448, True),
        ("p4de.24xlarge", 81_039, True),
        ("g4dn.xlarge", 14_909, True),
        ("p6-b300.48xlarge", 270_914, False),
    ],
)
def test_what_is_reported_was_seen_or_says_that_it_was_not(name: str, reported: int, measured: bool):
    assert (gpu(name).reported_mib, gpu(name).measured) == (reported, measured)


def test_a_fraction_of_a_gpu_has_that_fraction_of_everything():
    whole, half = gpu("g6.xlarge"), gpu("g6f.4xlarge")
    assert half.tflops["bf16"] == (whole.tflops["bf16"] or 0) / 2
    assert half.memory_gb_s == whole.memory_gb_s / 2
    assert half.reported_mib == int(11_444 * whole.reported_mib / 22_888)


def test_peaks_are_dense():
    assert gpu("p5.48xlarge").tflops["bf16"] == 989  # 1979 with sparsity


def test_older_gpus_have_no_bf16():
    assert gpu("g4dn.xlarge").tflops["bf16"] is None
    assert gpu("p3dn.24xlarge").tflops["bf16"] is None


@pytest.mark.parametrize("name", ["p6e-gb200.36xlarge", "g7.2xlarge", "trn1.32xlarge", "m7i.large"])
def test_what_nobody_tells_is_none(name: str):
    assert compute.of(instances.get(name)) is None

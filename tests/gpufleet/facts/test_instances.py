"""The instance catalogue: what is in it, and what it answers."""

import pytest

from gpufleet.facts import instances, regions


def test_every_accelerator_type_and_the_cpu_types_for_system_nodes_are_known() -> None:
    accelerated = [name for name in instances.names() if instances.get(name).accelerator is not None]
    assert len(accelerated) == 93
    assert {"m7i.xlarge", "m6i.large", "m7g.2xlarge", "c7i.large", "t3.large"} <= set(instances.names())


def test_a_known_type_carries_its_figures_with_their_units() -> None:
    found = instances.get("p5.48xlarge")
    assert (found.accelerator, found.gpu_model, found.gpu_count, found.gpu_memory_mib) == ("nvidia", "H100", 8, 81920)
    assert (found.vcpus, found.memory_mib, found.nvme_gb, found.cpu_arch) == (192, 2097152, 30400, "x86_64")
    assert (found.efa_interfaces, found.network_cards) == (32, 32)
    assert (found.spot, found.capacity_block, found.is_gpu) == (True, True, True)
    assert found.eks_ami_types == ("AL2023_x86_64_NVIDIA",)
    assert "us-east-1" in found.regions


def test_the_first_network_card_of_a_p6_b300_carries_no_efa() -> None:
    found = instances.get("p6-b300.48xlarge")
    assert found.network_cards == 17
    assert found.efa_card_indices == tuple(range(1, 17))
    assert found.efa_interfaces == 16


def test_a_fractional_type_counts_its_logical_gpu() -> None:
    found = instances.get("g6f.large")
    assert (found.gpu_count, found.gpu_partition_size, found.gpu_memory_mib) == (1, 0.125, 2861)
    assert found.is_gpu


def test_what_no_source_tells_is_none_and_not_zero() -> None:
    found = instances.get("p6e-gb200.36xlarge")
    assert (found.vcpus, found.memory_mib, found.gpu_memory_mib) == (None, None, None)


@pytest.mark.parametrize("name", ["trn2.48xlarge", "inf2.xlarge", "g4ad.xlarge", "dl1.24xlarge", "m7i.xlarge"])
def test_only_nvidia_types_are_gpu_types(name: str) -> None:
    assert not instances.get(name).is_gpu


def test_an_unknown_type_is_none_to_find() -> None:
    assert instances.find("p5.49xlarge") is None


def test_an_unknown_type_is_refused_with_the_nearest_names() -> None:
    with pytest.raises(instances.UnknownInstanceType) as refused:
        instances.get("p5.48xlrge")
    assert refused.value.name == "p5.48xlrge"
    assert refused.value.nearest[0] == "p5.48xlarge"
    assert str(refused.value).startswith("unknown EC2 instance type 'p5.48xlrge': did you mean p5.48xlarge, ")
    assert isinstance(refused.value, LookupError)


def test_a_name_like_no_other_gets_no_suggestion() -> None:
    with pytest.raises(instances.UnknownInstanceType, match="no known type has a name like it") as refused:
        instances.get("mainframe")
    assert refused.value.nearest == []


def test_every_row_is_whole() -> None:
    for name in instances.names():
        found = instances.get(name)
        assert found.family == name.partition(".")[0]
        assert found.cpu_arch in ("x86_64", "arm64")
        assert found.source, f"{name} names no source"
        assert all(regions.find(region) for region in found.regions), f"{name}: a region that is none"
        assert all(0 <= card < found.network_cards for card in found.efa_card_indices)
        assert found.gpu_count >= 1 or not found.is_gpu

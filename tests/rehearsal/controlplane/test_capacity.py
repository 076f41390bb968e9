"""What a node of a type offers, by the arithmetic of EKS's image and of Karpenter."""

from dataclasses import replace

import pytest

from gpufleet.facts import instances
from gpufleet.rehearsal.controlplane import capacity
from gpufleet.rehearsal.controlplane.capacity import CapacityUnknown, Offer
from gpufleet.rehearsal.controlplane.sharing import Sharing

PLAIN = Offer(volume_gib=100, local_storage=False, efa_interfaces=0, hugepages=0, max_pods=None)


def test_pods_are_counted_by_the_addresses_of_the_default_network_card() -> None:
    assert capacity.pods_of("m7i.xlarge") == 58
    assert capacity.pods_of("p5.48xlarge") == 100


def test_a_type_that_the_table_lacks_takes_kubelets_default() -> None:
    assert capacity.pods_of("p6e-gb200.36xlarge") == 110


@pytest.mark.parametrize(("cores", "reserved"), [(1, 60), (2, 70), (4, 80), (16, 110), (192, 550)])
def test_cpu_is_reserved_in_steps(cores: int, reserved: int) -> None:
    assert capacity.reserved_millicores(cores * 1000) == reserved


def test_a_plain_node_keeps_back_what_eks_keeps_back() -> None:
    offered = capacity.of(instances.get("m7i.xlarge"), PLAIN)
    # 16384 MiB less 7.5 % (1229), then 255 + 11 x 58 for kubelet and 100 for eviction.
    assert offered.capacity["memory"] == "15155Mi"
    assert offered.allocatable["memory"] == "14162Mi"
    assert (offered.capacity["cpu"], offered.allocatable["cpu"]) == ("4000m", "3920m")
    assert offered.allocatable["ephemeral-storage"] == str(100 * 2**30 - 2**30 - 10 * 2**30)
    assert offered.allocatable["pods"] == "58"


def test_gpus_and_efa_interfaces_are_offered_as_their_device_plugins_do() -> None:
    offered = capacity.of(instances.get("p5.48xlarge"), replace(PLAIN, efa_interfaces=32, hugepages=5128))
    for resources in (offered.capacity, offered.allocatable):
        assert resources["nvidia.com/gpu"] == "8"
        assert resources["vpc.amazonaws.com/efa"] == "32"
        assert resources["hugepages-2Mi"] == "10256Mi"


def test_gpus_that_are_shared_are_offered_as_often() -> None:
    type_ = instances.get("p4de.24xlarge")
    for sharing, count in ((Sharing(replicas=4), "32"), (Sharing(profile="1g.10gb", parts=7), "56")):
        assert capacity.of(type_, replace(PLAIN, sharing=sharing)).allocatable["nvidia.com/gpu"] == count


@pytest.mark.parametrize(
    ("name", "devices", "cores"),
    [("trn1.32xlarge", "16", "32"), ("inf2.24xlarge", "6", "12"), ("inf1.6xlarge", "4", "16")],
)
def test_neuron_devices_are_offered_whole_and_core_by_core(name: str, devices: str, cores: str) -> None:
    found = capacity.of(instances.get(name), PLAIN).allocatable
    assert (found["aws.amazon.com/neuron"], found["aws.amazon.com/neuroncore"]) == (devices, cores)


def test_a_device_whose_cores_count_as_its_runtime_is_set_is_offered_whole_only() -> None:
    found = capacity.of(instances.get("trn2.48xlarge"), PLAIN).allocatable
    assert {key for key in found if key.startswith("aws.amazon.com/")} == {"aws.amazon.com/neuron"}


def test_a_type_that_could_take_efa_offers_none_by_itself() -> None:
    assert "vpc.amazonaws.com/efa" not in capacity.of(instances.get("p5.48xlarge"), PLAIN).capacity


def test_hugepages_come_out_of_the_memory_that_pods_get() -> None:
    type_ = instances.get("p5.48xlarge")
    without = capacity.of(type_, PLAIN).allocatable["memory"].removesuffix("Mi")
    with_pages = capacity.of(type_, replace(PLAIN, hugepages=5128)).allocatable["memory"].removesuffix("Mi")
    assert int(without) - int(with_pages) == 10256


def test_striped_disks_take_the_root_volumes_place() -> None:
    type_ = instances.get("p5.48xlarge")
    offered = capacity.of(type_, replace(PLAIN, local_storage=True))
    assert offered.capacity["ephemeral-storage"] == str(type_.nvme_gb * 10**9)


def test_a_pool_may_set_its_own_limit_of_pods() -> None:
    assert capacity.of(instances.get("m7i.xlarge"), replace(PLAIN, max_pods=20)).allocatable["pods"] == "20"


def test_a_type_whose_size_no_source_tells_is_refused_by_name() -> None:
    with pytest.raises(CapacityUnknown, match=r"p6e-gb200\.36xlarge: no source tells"):
        capacity.of(instances.get("p6e-gb200.36xlarge"), PLAIN)


def test_every_type_of_known_size_offers_something() -> None:
    for name in instances.names():
        type_ = instances.get(name)
        if type_.vcpus is not None and type_.memory_mib is not None:
            offered = capacity.of(type_, PLAIN)
            assert not offered.allocatable["memory"].startswith(("-", "0M")), name

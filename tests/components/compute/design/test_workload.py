"""What pods are given."""

import pytest

from components.compute.design import as_document, decide
from components.compute.design.request import ImageChoice, Taint
from tests.components.compute.design.requests import bought, refusal, wish


def test_a_whole_efa_node_of_a_group_has_interfaces_pages_zone_and_environment() -> None:
    pod = decide(wish("p5.48xlarge", use="training", min_nodes=1)).pod
    assert pod.limits == {
        "nvidia.com/gpu": "8",
        "vpc.amazonaws.com/efa": "32",
        "hugepages-2Mi": "5120Mi",
        "memory": "1780Gi",
    }
    assert pod.requests == {**pod.limits, "cpu": "172"}
    assert pod.node_selector == {"gpufleet.io/pool": "pool", "topology.kubernetes.io/zone": "us-east-1a"}
    assert [taint.key for taint in pod.tolerations] == ["nvidia.com/gpu", "aws.amazon.com/efa"]
    assert pod.annotations == {"karpenter.sh/do-not-disrupt": "true"}
    assert (pod.shm_gib, pod.env["FI_EFA_USE_HUGE_PAGE"]) == (64, "0")


def test_what_harms_is_not_set() -> None:
    env = decide(wish("g5.48xlarge", use="training")).pod.env
    assert {"FI_PROVIDER", "NCCL_PROTO", "NCCL_ALGO", "NCCL_BUFFSIZE", "FI_EFA_USE_DEVICE_RDMA"} & set(env) == set()
    assert env["NCCL_SHM_USE_CUDA_MEMCPY"] == "1"
    assert "NCCL_SHM_USE_CUDA_MEMCPY" not in decide(wish("p5.48xlarge", use="training")).pod.env
    assert decide(wish("trn1.32xlarge", use="training")).pod.env == {}


def test_pods_ask_karpenter_for_no_hugepages() -> None:
    design = decide(wish("p5.48xlarge", use="training", scaler="karpenter"))
    assert (design.hugepages_2mib, design.pod.hugepages_mib) == (5128, 0)


def test_on_bottlerocket_user_data_sets_pages_aside() -> None:
    design = decide(wish("p5.48xlarge", use="training", min_nodes=1, image=ImageChoice(family="bottlerocket")))
    assert (design.hugepages_2mib, design.hugepages_from, design.pod.hugepages_mib) == (5128, "user data", 5120)


@pytest.mark.parametrize(
    ("name", "gpus", "interfaces"),
    [
        ("p5.48xlarge", 8, 32),
        ("p5.48xlarge", 1, 4),
        ("p5en.48xlarge", 3, 6),
        ("p4d.24xlarge", 1, 0),
        ("p4d.24xlarge", 5, 2),
    ],
)
def test_part_of_a_node_has_its_share_of_interfaces_rounded_down(name: str, gpus: int, interfaces: int) -> None:
    region = "us-west-2" if name == "p5en.48xlarge" else "us-east-1"
    pod = decide(wish(name, region=region, zones=(f"{region}a",), efa=True, min_nodes=1)).pod.for_gpus(gpus)
    assert (pod.accelerators, pod.efa) == (gpus, interfaces)
    assert ("hugepages-2Mi" in pod.limits) is bool(interfaces)


def test_more_gpus_than_a_node_has_are_refused() -> None:
    with pytest.raises(ValueError, match=r"nvidia.com/gpu: 9 is not on one node; allowed are 1 to 8"):
        decide(wish("p5.48xlarge")).pod.for_gpus(9)


def test_types_of_different_sizes_are_warned_of_and_the_smallest_counts() -> None:
    design = decide(wish("g6.12xlarge", "g6.xlarge"))
    assert design.pod.accelerators == 1
    assert design.warnings[0].startswith("the types differ in accelerators (1 to 4)")


def test_a_server_may_be_moved() -> None:
    assert decide(wish("g6.xlarge", use="inference")).pod.annotations == {}


def test_an_efa_node_has_the_pods_that_its_remaining_interfaces_feed() -> None:
    assert decide(wish("p5.48xlarge", efa=True)).kubelet == {"maxPods": 51}
    assert decide(wish("p5.48xlarge", efa=True, prefix_delegation=True)).kubelet == {}
    assert decide(wish("p5.48xlarge", efa=False)).kubelet == {}
    assert decide(wish("p6-b300.48xlarge", efa=True)).kubelet == {}


def test_an_efa_pool_and_another_of_the_same_type_share_no_pods() -> None:
    plain, fast = decide(wish("p4d.24xlarge", name="cuda")), decide(wish("p4d.24xlarge", name="cuda-efa", efa=True))
    assert set(fast.taints) - set(plain.taints) == {
        Taint(key="aws.amazon.com/efa", value="present", effect="NoSchedule")
    }
    assert fast.labels["gpufleet.io/efa"] == "true"
    assert plain.pod.node_selector["gpufleet.io/pool"] != fast.pod.node_selector["gpufleet.io/pool"]


@pytest.mark.parametrize(("gib", "nearest"), [(199, 200), (20000, 16384)])
def test_a_volume_that_is_too_small_or_too_large_is_refused(gib: int, nearest: int) -> None:
    refused = refusal(wish("g6.xlarge", volume_gib=gib))
    assert (refused.rule, refused.nearest) == ("volume-size", f"volume_gib: {nearest}")


def test_a_label_of_the_design_is_not_for_the_taking() -> None:
    assert refusal(wish("g6.xlarge", labels={"gpufleet.io/pool": "other"})).rule == "label-taken"
    assert refusal(wish("g6.xlarge", labels={"gpufleet.io/devices": "image"})).rule == "label-taken"


def test_nvme_is_striped_only_where_every_type_has_it() -> None:
    assert decide(wish("g6.xlarge", "p4d.24xlarge")).local_storage == "RAID0"
    assert decide(wish("inf2.xlarge")).local_storage is None
    assert decide(wish("g5.xlarge", "p3.2xlarge")).local_storage is None


def test_the_document_is_plain_json_in_camel_case() -> None:
    document = as_document(decide(bought(wish("p5.48xlarge"), "capacity-block")))
    assert (document["schema"], document["capacityType"], document["maxNodes"]) == (1, "CAPACITY_BLOCK", 2)
    assert document["drain"]["atEnd"] == "2027-01-31T10:50:00+00:00"
    assert document["pod"]["limits"]["vpc.amazonaws.com/efa"] == "32"
    assert document["labels"] == {
        "gpufleet.io/devices": "nvidia",
        "gpufleet.io/efa": "true",
        "gpufleet.io/pool": "pool",
    }
    assert document["decisions"][0] == {
        "about": "instance types",
        "choice": "p5.48xlarge",
        "because": "p5.48xlarge with 8 x H100",
    }
    assert "request" not in document

"""The pod that a design makes is bound by the real scheduler to its own pool, and to no other."""

from typing import Any

import pytest

from components.compute.design import decide
from components.compute.design.request import Checkpoint, PoolRequest
from components.compute.design.shapes import Design
from components.workloads.gpu_pod import template
from gpufleet.rehearsal.controlplane.client import Client
from gpufleet.rehearsal.controlplane.nodes import Node, Taint, register
from gpufleet.rehearsal.controlplane.scheduling import placements

from .conftest import MakeNamespace

pytestmark = pytest.mark.engine

POOLS: dict[str, dict[str, Any]] = {
    # The same type twice, once with EFA in one zone: whoever asks for EFA must never get a node of the other.
    "cuda": {"instance_types": ("p4d.24xlarge",), "efa": False, "zones": ("us-east-1a", "us-east-1b")},
    "cuda-efa": {"instance_types": ("p4d.24xlarge",), "use": "training", "zones": ("us-east-1b",)},
    "group-efa": {
        "instance_types": ("p5.48xlarge",),
        "use": "training",
        "zones": ("us-east-1a",),
        "scaler": "node-group",
    },
    "spot": {
        "instance_types": ("g6e.12xlarge",),
        "purchase": "spot",
        "use": "training",
        "efa": False,
        "checkpoint": Checkpoint(gib=40, path="s3://checkpoints/run", every_minutes=20),
    },
    "serving": {"instance_types": ("g6e.12xlarge",), "use": "inference"},
    "arm": {"instance_types": ("g5g.4xlarge",)},
    "trainium": {"instance_types": ("trn1.32xlarge",), "use": "training", "zones": ("us-east-1a",)},
}


def design(name: str) -> Design:
    given: dict[str, Any] = {
        "name": name,
        "region": "us-east-1",
        "zones": ("us-east-1a",),
        "zones_are_chosen": True,
        "kubernetes_version": "1.35",
        "max_nodes": 2,
        **POOLS[name],
    }
    return decide(PoolRequest(**given))


def node(of: Design, number: int) -> Node:
    """A node as the design has it."""
    return Node(
        pool=of.request.name,
        name=f"{of.request.name}-{number}",
        instance_type=of.instance_types[0],
        region=of.request.region,
        zone=of.zones[number % len(of.zones)],
        kubernetes_version=of.request.kubernetes_version,
        scaler=of.scaler,
        capacity_type=of.karpenter_capacity_type,
        volume_gib=of.volume_gib,
        local_storage=of.local_storage is not None,
        efa_interfaces=of.efa_per_node,
        hugepages=of.hugepages_2mib,
        max_pods=of.kubelet.get("maxPods"),  # pyright: ignore[reportArgumentType] -- a number
        labels=of.labels,
        taints=tuple(Taint(key=taint.key, value=taint.value, effect=taint.effect) for taint in of.taints),
    )


def create(client: Client, place: str, name: str, body: dict[str, Any]) -> None:
    metadata = {**body["metadata"], "name": name, "namespace": place}
    client.create({"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": body["spec"]})


def pod(of: Design, gpus: int | None = None) -> dict[str, Any]:
    preset = of.pod if gpus is None else of.pod.for_gpus(gpus)
    return template("main", "registry.example.com/train:1", ["python", "train.py"], preset)


def where(client: Client, place: str) -> dict[str, tuple[str | None, str]]:
    return {
        one.pod or one.workload: (one.pool, one.reason or "") for one in placements(client) if one.namespace == place
    }


def test_a_pod_of_each_design_is_bound_to_its_own_pool_among_all_others(
    client: Client, namespace: MakeNamespace
) -> None:
    designs = {name: design(name) for name in POOLS}
    register(client, [node(one, number) for one in designs.values() for number in (0, 1)])
    # The strictest level of Pod Security admits the template.
    place = namespace(**{"pod-security.kubernetes.io/enforce": "restricted"})
    for name, one in designs.items():
        create(client, place, name, pod(one))

    assert where(client, place) == {name: (name, "") for name in POOLS}


@pytest.mark.parametrize("without", POOLS)
def test_a_pod_whose_pool_has_no_node_goes_to_no_other_pool(
    client: Client, namespace: MakeNamespace, without: str
) -> None:
    designs = {name: design(name) for name in POOLS}
    register(client, [node(one, 0) for name, one in designs.items() if name != without])
    place = namespace()
    create(client, place, "lost", pod(designs[without]))

    assert where(client, place)["lost"][0] is None


def test_without_a_pools_name_efa_alone_keeps_a_pod_off_nodes_of_its_type_that_have_none(
    client: Client, namespace: MakeNamespace
) -> None:
    register(client, [node(design("cuda"), 0)])
    place = namespace()
    body = pod(design("cuda-efa"))
    body["spec"]["nodeSelector"] = {"node.kubernetes.io/instance-type": "p4d.24xlarge"}
    create(client, place, "lost", body)

    pool, reason = where(client, place)["lost"]
    assert pool is None
    assert "Insufficient vpc.amazonaws.com/efa" in reason


def test_a_pod_without_efa_is_kept_off_efa_nodes_by_their_taint(client: Client, namespace: MakeNamespace) -> None:
    register(client, [node(design("cuda-efa"), 0)])
    place = namespace()
    body = pod(design("cuda"))
    body["spec"]["nodeSelector"] = {"node.kubernetes.io/instance-type": "p4d.24xlarge"}
    create(client, place, "lost", body)

    pool, reason = where(client, place)["lost"]
    assert pool is None
    assert "untolerated taint" in reason


def test_parts_of_a_node_fill_it_and_the_next_one_waits(client: Client, namespace: MakeNamespace) -> None:
    of = design("group-efa")
    register(client, [node(of, 0)])
    place = namespace()
    for number in range(5):
        create(client, place, f"part-{number}", pod(of, 2))

    pools = [pool for pool, _ in where(client, place).values()]
    assert (pools.count("group-efa"), pools.count(None)) == (4, 1)

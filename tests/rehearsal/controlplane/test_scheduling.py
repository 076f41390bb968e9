"""Where the real scheduler puts pods on the nodes of pools, and what it says where it does not."""

from typing import Any

import pytest

from gpufleet.rehearsal.controlplane.binaries import Binaries
from gpufleet.rehearsal.controlplane.client import Client
from gpufleet.rehearsal.controlplane.nodes import NVIDIA_HUGEPAGES, Node, Taint, register
from gpufleet.rehearsal.controlplane.plane import ControlPlane
from gpufleet.rehearsal.controlplane.scheduling import Placement, placements

from .conftest import MakeNamespace

pytestmark = pytest.mark.engine

GPU_TAINT = Taint(key="nvidia.com/gpu", value="present", effect="NoSchedule")
TOLERATION = {"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}
TRAIN: dict[str, Any] = {
    "pool": "train",
    "name": "train-0",
    "instance_type": "p5.48xlarge",
    "region": "us-east-1",
    "zone": "us-east-1a",
    "kubernetes_version": "1.35",
    "taints": (GPU_TAINT,),
}
SYSTEM: dict[str, Any] = {**TRAIN, "pool": "system", "name": "system-0", "instance_type": "m7i.xlarge", "taints": ()}


def with_efa(client: Client) -> None:
    register(client, [Node(**TRAIN, efa_interfaces=32, hugepages=NVIDIA_HUGEPAGES), Node(**SYSTEM)])


def without_efa(client: Client) -> None:
    register(client, [Node(**TRAIN), Node(**SYSTEM)])


def template(resources: dict[str, str], *, tolerates: bool = True) -> dict[str, Any]:
    container = {
        "name": "main",
        "image": "example.com/train:1",
        "resources": {"requests": resources, "limits": resources},
    }
    spec: dict[str, Any] = {"containers": [container]}
    return {**spec, "tolerations": [TOLERATION]} if tolerates else spec


def run(client: Client, namespace: str, name: str, resources: dict[str, str], *, tolerates: bool = True) -> None:
    metadata = {"name": name, "namespace": namespace}
    spec = template(resources, tolerates=tolerates)
    client.create({"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec})


def deploy(client: Client, namespace: str, replicas: int, spec: dict[str, Any]) -> None:
    labels = {"app": "web"}
    client.create(
        {
            "apiVersion": "apps/v1",
            "kind": "Deployment",
            "metadata": {"name": "web", "namespace": namespace},
            "spec": {
                "replicas": replicas,
                "selector": {"matchLabels": labels},
                "template": {"metadata": {"labels": labels}, "spec": spec},
            },
        }
    )


def in_namespace(client: Client, namespace: str) -> list[Placement]:
    return [one for one in placements(client) if one.namespace == namespace]


def only(client: Client, namespace: str) -> Placement:
    (found,) = in_namespace(client, namespace)
    return found


def test_a_gpu_pod_with_the_toleration_is_bound_to_its_pools_node(client: Client, namespace: MakeNamespace) -> None:
    with_efa(client)
    place = namespace()
    run(
        client,
        place,
        "ok",
        {"nvidia.com/gpu": "8", "vpc.amazonaws.com/efa": "32", "hugepages-2Mi": "5120Mi", "memory": "1Gi"},
    )
    found = only(client, place)
    assert (found.node, found.pool, found.workload, found.reason) == ("train-0", "train", "Pod/ok", None)
    assert str(found) == f"{place}/ok (Pod/ok) is on train-0 of pool train"


def test_without_the_toleration_it_is_not_and_the_scheduler_says_why(client: Client, namespace: MakeNamespace) -> None:
    with_efa(client)
    place = namespace()
    run(client, place, "bare", {"nvidia.com/gpu": "1"}, tolerates=False)
    found = only(client, place)
    assert found.node is None
    assert found.reason is not None
    assert "1 Insufficient nvidia.com/gpu, 1 node(s) had untolerated taint" in found.reason
    assert str(found) == f"{place}/bare (Pod/bare) is on no node: {found.reason}"


def test_with_more_gpus_than_a_node_has_it_is_not(client: Client, namespace: MakeNamespace) -> None:
    with_efa(client)
    place = namespace()
    run(client, place, "greedy", {"nvidia.com/gpu": "9"})
    assert "2 Insufficient nvidia.com/gpu" in (only(client, place).reason or "")


def test_a_second_pod_of_the_same_size_does_not_fit(client: Client, namespace: MakeNamespace) -> None:
    with_efa(client)
    place = namespace()
    run(client, place, "first", {"nvidia.com/gpu": "8"})
    assert only(client, place).node == "train-0"
    run(client, place, "second", {"nvidia.com/gpu": "8"})
    second = in_namespace(client, place)[1]
    assert (second.pod, second.node) == ("second", None)
    assert "Insufficient nvidia.com/gpu" in (second.reason or "")


def test_asking_for_efa_where_the_pool_attaches_none_it_is_not(client: Client, namespace: MakeNamespace) -> None:
    without_efa(client)
    place = namespace()
    run(client, place, "fabric", {"nvidia.com/gpu": "8", "vpc.amazonaws.com/efa": "32"})
    assert "2 Insufficient vpc.amazonaws.com/efa" in (only(client, place).reason or "")


def test_a_pod_without_gpus_stays_away_from_gpu_nodes(client: Client, namespace: MakeNamespace) -> None:
    with_efa(client)
    place = namespace()
    run(client, place, "web", {"cpu": "1"}, tolerates=False)
    assert only(client, place).pool == "system"


def test_what_kubelet_keeps_back_is_not_to_be_had(client: Client, namespace: MakeNamespace) -> None:
    register(client, [Node(**SYSTEM)])
    place = namespace()
    run(client, place, "whole", {"cpu": "4"})
    assert "1 Insufficient cpu" in (only(client, place).reason or "")


def test_the_pods_of_a_deployment_are_told_by_the_deployments_name(client: Client, namespace: MakeNamespace) -> None:
    with_efa(client)
    place = namespace()
    deploy(client, place, 2, template({"nvidia.com/gpu": "4"}))
    found = in_namespace(client, place)
    assert [(one.workload, one.pool) for one in found] == [("Deployment/web", "train")] * 2


def test_a_job_waits_for_the_node_that_its_selector_asks_for(client: Client, namespace: MakeNamespace) -> None:
    with_efa(client)
    place = namespace()
    spec = {**template({"nvidia.com/gpu": "1"}), "restartPolicy": "Never"}
    spec["nodeSelector"] = {"nvidia.com/gpu.product": "NVIDIA-L4"}
    job = {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": "train", "namespace": place},
        "spec": {"template": {"spec": spec}},
    }
    client.create(job)
    found = only(client, place)
    assert (found.workload, found.node) == ("Job/train", None)
    assert "didn't match Pod's node affinity/selector" in (found.reason or "")


def test_a_suspended_job_has_no_pods_and_none_are_missed(client: Client, namespace: MakeNamespace) -> None:
    place = namespace()
    spec = {**template({"cpu": "1"}), "restartPolicy": "Never"}
    job = {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": "queued", "namespace": place},
        "spec": {"suspend": True, "template": {"spec": spec}},
    }
    client.create(job)
    assert in_namespace(client, place) == []


def test_pods_that_pod_security_forbids_are_told_in_its_own_words(client: Client, namespace: MakeNamespace) -> None:
    with_efa(client)
    place = namespace(**{"pod-security.kubernetes.io/enforce": "restricted"})
    spec = template({"cpu": "1"})
    spec["containers"][0]["securityContext"] = {"privileged": True}
    deploy(client, place, 1, spec)
    found = only(client, place)
    assert (found.workload, found.pod, found.node) == ("Deployment/web", None, None)
    assert 'violates PodSecurity "restricted:latest": privileged' in (found.reason or "")


def test_pods_over_quota_are_told_in_the_servers_own_words(client: Client, namespace: MakeNamespace) -> None:
    with_efa(client)
    place = namespace()
    quota = {"requests.nvidia.com/gpu": "4"}
    metadata = {"name": "gpus", "namespace": place}
    client.create({"apiVersion": "v1", "kind": "ResourceQuota", "metadata": metadata, "spec": {"hard": quota}})
    deploy(client, place, 2, template({"nvidia.com/gpu": "4"}))
    placed, refused = sorted(in_namespace(client, place), key=lambda one: one.pod is None)
    assert placed.pool == "train"
    assert "exceeded quota: gpus, requested: requests.nvidia.com/gpu=4" in (refused.reason or "")


def test_on_a_plane_like_eks_a_pod_that_asks_for_a_gpu_tolerates_its_taint(binaries: Binaries) -> None:
    with ControlPlane(binaries, tolerates_resources=True) as plane:
        with_efa(plane.client)
        run(plane.client, "default", "bare", {"nvidia.com/gpu": "1"}, tolerates=False)
        run(plane.client, "default", "web", {"cpu": "1"}, tolerates=False)
        assert {one.pod: one.pool for one in placements(plane.client)} == {"bare": "train", "web": "system"}

"""Karpenter's pools: taken by its own definitions, and the nodes they bring by the pods that they are made for."""

import copy
from collections.abc import Iterator
from typing import Any, cast

import pytest

from components.compute.design import decide
from components.compute.design.pod import PodPreset
from gpufleet.rehearsal.controlplane import crds
from gpufleet.rehearsal.controlplane.client import Client, KubernetesError
from gpufleet.rehearsal.controlplane.node_pools import nodes_of
from gpufleet.rehearsal.controlplane.nodes import register
from gpufleet.rehearsal.controlplane.plane import ControlPlane
from gpufleet.rehearsal.controlplane.scheduling import Placement, placements
from gpufleet.rehearsal.kubernetes import crds as shipped
from tests.components.scheduling import builds
from tests.harness import Recorded, record

from .conftest import MakeNamespace, happens

pytestmark = pytest.mark.engine


TOKENS = ("kubernetes:karpenter.k8s.aws/v1:EC2NodeClass", "kubernetes:karpenter.sh/v1:NodePool")
POOLS = builds.POOLS


@pytest.fixture(scope="module")
def defined(plane: ControlPlane) -> Iterator[Client]:
    """Karpenter's own definitions, in the version that is pinned."""
    definitions = [dict(one) for one in shipped.read("karpenter")]
    crds.register(plane.client, definitions)
    yield plane.client
    for definition in definitions:
        plane.client.delete(definition)
    left = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
    names = {definition["metadata"]["name"] for definition in definitions}
    assert happens(lambda: not names & {one["metadata"]["name"] for one in plane.client.items(left)})


def objects(recorded: Recorded) -> list[dict[str, Any]]:
    return [copy.deepcopy(dict(resource.inputs)) for token in TOKENS for resource in recorded.all(token)]


@pytest.mark.parametrize("kind", POOLS)
def test_a_pool_of_each_kind_is_accepted_as_it_is_and_again_without_a_change(defined: Client, kind: str) -> None:
    for body in objects(record(builds.pool(**POOLS[kind]))):
        made = defined.apply(body, "test")
        again = defined.apply(body, "test")
        defined.delete(body)

        assert contains(made["spec"], body["spec"]), body["kind"]
        assert again["metadata"]["generation"] == made["metadata"]["generation"] == 1


def contains(whole: Any, part: Any) -> bool:
    """Whether all of `part` is in `whole`, which may have defaults beside it."""
    match part:
        case dict():
            fields = cast("dict[str, Any]", part)
            return all(key in whole and contains(whole[key], value) for key, value in fields.items())
        case list():
            items = cast("list[Any]", part)
            return len(whole) == len(items) and all(map(contains, whole, items))
        case _:
            return bool(whole == part)


@pytest.mark.parametrize(
    ("kind", "path", "value", "said"),
    [
        ("EC2NodeClass", ("role",), None, "must specify exactly one of ['role', 'instanceProfile']"),
        ("EC2NodeClass", ("instanceStorePolicy",), "RAID1", 'supported values: "RAID0"'),
        ("EC2NodeClass", ("networkInterfaces", 2, "networkCardIndex"), 0, "must not have duplicate networkCardIndex"),
        ("EC2NodeClass", ("tags", "karpenter.sh/nodepool"), "train", "restricted tag matching karpenter.sh/nodepool"),
        ("NodePool", ("template", "spec", "expireAfter"), "30 days", "spec.template.spec.expireAfter"),
        ("NodePool", ("disruption", "budgets", 0, "nodes"), "few", "spec.disruption.budgets[0].nodes"),
        ("NodePool", ("template", "metadata", "labels", "karpenter.sh/x"), "y", '"karpenter.sh" is restricted'),
    ],
)
def test_the_definitions_are_those_that_refuse_what_karpenter_would(
    defined: Client, kind: str, path: tuple[str | int, ...], value: Any, said: str
) -> None:
    (body,) = [one for one in objects(record(builds.pool(**POOLS["efa"]))) if one["kind"] == kind]
    here = body["spec"]
    for key in path[:-1]:
        here = here[key]
    if value is None:
        del here[path[-1]]
    else:
        here[path[-1]] = value

    with pytest.raises(KubernetesError) as error:
        defined.apply(body, "test")
    assert said in str(error.value)


def pod(preset: PodPreset, name: str, namespace: str) -> dict[str, Any]:
    """A pod as the design of its pool has it."""
    resources = {"requests": dict(preset.requests), "limits": dict(preset.limits)}
    container = {"name": "main", "image": "registry.example.com/train:1", "resources": resources}
    tolerations = [
        {"key": taint.key, "operator": "Equal", "value": taint.value, "effect": taint.effect}
        for taint in preset.tolerations
    ]
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": namespace, "annotations": dict(preset.annotations)},
        "spec": {
            "containers": [container],
            "nodeSelector": dict(preset.node_selector),
            "tolerations": tolerations,
            "terminationGracePeriodSeconds": preset.grace_seconds,
        },
    }


def placed(client: Client, namespace: str) -> dict[str, Placement]:
    return {one.pod or one.workload: one for one in placements(client) if one.namespace == namespace}


@pytest.mark.parametrize("kind", POOLS)
def test_the_pod_that_a_design_makes_is_bound_to_the_node_that_its_pool_brings(
    client: Client, namespace: MakeNamespace, kind: str
) -> None:
    nodes = nodes_of(record(builds.pool(**POOLS[kind])).resources)
    register(client, nodes)
    place = namespace()
    design = decide(builds.pool_args(**POOLS[kind]).request("karpenter"))
    client.create(pod(design.pod, "job", place))

    found = placed(client, place)["job"]
    assert (found.pool, found.reason) == ("train", None)
    assert found.node in {node.name for node in nodes}


def test_a_job_with_efa_and_one_without_each_go_to_the_pool_that_is_theirs(
    client: Client, namespace: MakeNamespace
) -> None:
    recorded = record(
        builds.both(
            {"pool_name": "cuda", "instance_types": ["p4d.24xlarge", "g5.48xlarge"], "efa": False},
            {"pool_name": "cuda-efa", **POOLS["efa"], "instance_types": ["p4d.24xlarge"]},
        )
    )
    register(client, nodes_of(recorded.resources))
    place = namespace()
    plain = decide(builds.pool_args(pool_name="cuda", instance_types=["p4d.24xlarge"], efa=False).request("karpenter"))
    fabric = decide(
        builds.pool_args(pool_name="cuda-efa", **POOLS["efa"] | {"instance_types": ["p4d.24xlarge"]}).request(
            "karpenter"
        )
    )
    # Nobody who asks for EFA is sent to a pool without it, even if he names no pool.
    lost = pod(fabric.pod, "lost", place)
    lost["spec"]["nodeSelector"] = {"gpufleet.io/pool": "cuda"}
    for body in (pod(plain.pod, "plain", place), pod(fabric.pod, "fabric", place), lost):
        client.create(body)

    found = placed(client, place)
    assert (found["plain"].pool, found["fabric"].pool, found["lost"].pool) == ("cuda", "cuda-efa", None)
    assert "Insufficient vpc.amazonaws.com/efa" in (found["lost"].reason or "")

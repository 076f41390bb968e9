"""Custom resources with open schemas."""

from typing import Any

import pytest

from gpufleet.rehearsal.controlplane.client import Client, KubernetesError
from gpufleet.rehearsal.controlplane.crds import DefinitionRefused, Kind, definition, register

from .conftest import MakeNamespace

pytestmark = pytest.mark.engine

NODE_POOL = Kind(group="karpenter.sh", version="v1", kind="NodePool", plural="nodepools", namespaced=False)
QUEUE = Kind(group="kueue.x-k8s.io", version="v1beta1", kind="LocalQueue", plural="localqueues", namespaced=True)


def pool(limit: str) -> dict[str, Any]:
    spec = {
        "limits": {"nvidia.com/gpu": limit},
        "template": {"spec": {"requirements": [{"key": "a", "values": ["b"]}]}},
    }
    return {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": {"name": "train"}, "spec": spec}


def test_objects_of_a_registered_kind_can_be_applied_at_once_and_keep_every_field(client: Client) -> None:
    register(client, [definition(NODE_POOL)])
    made = client.apply(pool("8"), "test")
    assert made["spec"] == pool("8")["spec"]
    changed = client.apply(pool("16"), "test")
    assert (changed["spec"]["limits"], changed["metadata"]["generation"]) == ({"nvidia.com/gpu": "16"}, 2)
    client.delete(pool("16"))


def test_registering_twice_changes_nothing(client: Client) -> None:
    register(client, [definition(NODE_POOL)])
    path = client.path(definition(NODE_POOL))
    before = client.request("GET", path)["metadata"]["resourceVersion"]
    register(client, [definition(NODE_POOL)])
    assert client.request("GET", path)["metadata"]["resourceVersion"] == before


def test_a_namespaced_kind_lives_in_its_namespace(client: Client, namespace: MakeNamespace) -> None:
    register(client, [definition(QUEUE)])
    place = namespace()
    queue = {
        "apiVersion": "kueue.x-k8s.io/v1beta1",
        "kind": "LocalQueue",
        "metadata": {"name": "q", "namespace": place},
    }
    client.create(queue)
    assert client.path(queue) == f"/apis/kueue.x-k8s.io/v1beta1/namespaces/{place}/localqueues/q"


def test_a_kind_that_nobody_registered_is_refused(client: Client) -> None:
    with pytest.raises(KubernetesError) as caught:
        client.create({"apiVersion": "example.com/v1", "kind": "Toy", "metadata": {"name": "a"}})
    assert caught.value.status == 404


def test_a_definition_whose_names_are_taken_says_so(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gpufleet.rehearsal.controlplane.crds.SERVED_SECONDS", 1.0)
    register(client, [definition(QUEUE)])
    rival = definition(Kind(group=QUEUE.group, version="v1", kind=QUEUE.kind, plural="rivals", namespaced=True))
    with pytest.raises(
        DefinitionRefused, match=r'rivals\.kueue\.x-k8s\.io is not served: .*"LocalQueue.*already in use'
    ):
        register(client, [rival])
    client.delete(rival)


def test_a_definition_that_is_none_is_refused_in_the_servers_words(client: Client) -> None:
    broken = definition(NODE_POOL)
    broken["metadata"]["name"] = "wrong"
    with pytest.raises(KubernetesError, match="must be spec.names.plural"):
        register(client, [broken])

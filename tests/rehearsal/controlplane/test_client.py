"""Speaking to the API server, and what it says when it refuses."""

from typing import Any

import pytest

from gpufleet.rehearsal.controlplane.client import Client, KubernetesError, Unreachable
from gpufleet.rehearsal.controlplane.plane import ControlPlane

from .conftest import MakeNamespace

pytestmark = pytest.mark.engine


def settings(namespace: str, **data: Any) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a", "namespace": namespace}, "data": data}


def test_applying_creates_changes_and_takes_away(client: Client, namespace: MakeNamespace) -> None:
    place = namespace()
    client.apply(settings(place, kept="1", gone="2"), "test")
    changed = client.apply(settings(place, kept="3"), "test")
    assert changed["data"] == {"kept": "3"}
    assert [entry["manager"] for entry in changed["metadata"]["managedFields"]] == ["test"]


def test_a_refusal_carries_the_servers_message_its_reason_and_the_fields(
    client: Client, namespace: MakeNamespace
) -> None:
    service: dict[str, Any] = {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": "web", "namespace": namespace()},
        "spec": {"ports": [{"port": 70000, "targetPort": 80}]},
    }
    with pytest.raises(KubernetesError) as caught:
        client.create(service)
    assert (caught.value.status, caught.value.reason) == (422, "Invalid")
    assert str(caught.value).startswith('Service "web" is invalid: spec.ports[0].port: Invalid value: 70000')
    assert [cause["field"] for cause in caught.value.details["causes"]] == ["spec.ports[0].port"]


def test_a_wrong_type_is_refused(client: Client, namespace: MakeNamespace) -> None:
    with pytest.raises(
        KubernetesError, match="cannot unmarshal number into Go struct field ConfigMap.data of type string"
    ):
        client.create(settings(namespace(), number=5))


def test_what_exists_is_not_created_again(client: Client, namespace: MakeNamespace) -> None:
    place = namespace()
    client.create(settings(place))
    with pytest.raises(KubernetesError, match='configmaps "a" already exists') as caught:
        client.create(settings(place))
    assert (caught.value.status, caught.value.reason) == (409, "AlreadyExists")


def test_deleting_what_is_gone_is_fine(client: Client, namespace: MakeNamespace) -> None:
    client.delete(settings(namespace()))


def test_a_successor_of_the_same_name_is_not_deleted_in_its_place(client: Client, namespace: MakeNamespace) -> None:
    place = namespace()
    first = client.create(settings(place))
    client.delete(first)
    client.create(settings(place, second="yes"))
    with pytest.raises(KubernetesError) as caught:
        client.delete(first)
    assert caught.value.status == 409
    assert client.request("GET", client.path(first))["data"] == {"second": "yes"}


def test_a_watch_tells_what_is_there_and_what_comes(client: Client, namespace: MakeNamespace) -> None:
    place = namespace()
    client.create(settings(place))
    stream = client.watch(f"/api/v1/namespaces/{place}/configmaps")
    seen = {obj["metadata"]["name"] for _, obj in (next(stream), next(stream))}
    # Kubernetes puts its own certificate into every namespace.
    assert seen == {"a", "kube-root-ca.crt"}
    client.delete(settings(place))
    kind, obj = next(stream)
    assert (kind, obj["metadata"]["name"]) == ("DELETED", "a")
    stream.close()


def test_where_nothing_listens_the_address_is_named(plane: ControlPlane) -> None:
    with pytest.raises(Unreachable, match=r"https://127\.0\.0\.1:1: .*refused"):
        Client("https://127.0.0.1:1", plane.credentials).request("GET", "/readyz")

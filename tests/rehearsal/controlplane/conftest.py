"""One control plane for all tests of a session, where one can be had, and a clean cluster for each."""

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from gpufleet.rehearsal.controlplane import workloads
from gpufleet.rehearsal.controlplane.binaries import Binaries
from gpufleet.rehearsal.controlplane.client import Client
from gpufleet.rehearsal.controlplane.plane import ControlPlane

MakeNamespace = Callable[..., str]

HAPPENS_SECONDS = 30.0


def happens(condition: Callable[[], bool]) -> bool:
    """Wait until something is so; False when it is not after `HAPPENS_SECONDS`."""
    pause = threading.Event()
    deadline = time.monotonic() + HAPPENS_SECONDS
    while not condition():
        if time.monotonic() > deadline:
            return False
        pause.wait(0.02)
    return True


@pytest.fixture(scope="session")
def plane(binaries: Binaries) -> Iterator[ControlPlane]:
    """A running control plane, shared by the tests that leave it as they found it."""
    with ControlPlane(binaries) as running:
        yield running


@pytest.fixture
def client(plane: ControlPlane) -> Iterator[Client]:
    """The shared plane's client; the test's nodes and cluster-wide definitions are removed after it."""
    yield plane.client
    for node in plane.client.items("/api/v1/nodes"):
        plane.client.delete({"apiVersion": "v1", "kind": "Node", **node})


@pytest.fixture
def namespace(client: Client) -> Iterator[MakeNamespace]:
    """Make a namespace that nobody else has; it is deleted after the test."""
    made: list[dict[str, Any]] = []

    def make(**labels: str) -> str:
        metadata: dict[str, Any] = {"generateName": "test-", "labels": labels}
        found = client.create({"apiVersion": "v1", "kind": "Namespace", "metadata": metadata})
        made.append(found)
        return str(found["metadata"]["name"])

    yield make
    for found in made:
        name = found["metadata"]["name"]
        client.delete(found)
        # Its pods must not take the next test's nodes, and the namespace's own deletion begins seconds later.
        for path in [*workloads.COLLECTIONS.values(), "/api/v1/pods"]:
            group, _, plural = path.rpartition("/")
            options = {"propagationPolicy": "Background", "gracePeriodSeconds": 0}
            client.request("DELETE", f"{group}/namespaces/{name}/{plural}", options)
        assert happens(lambda name=name: not client.items(f"/api/v1/namespaces/{name}/pods")), (
            f"pods are left in {name}"
        )

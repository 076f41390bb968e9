"""One control plane for all tests of the stand-in, and for each test a program and a namespace of its own."""

import itertools
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from gpufleet.rehearsal.controlplane.binaries import Binaries
from gpufleet.rehearsal.controlplane.plane import ControlPlane
from gpufleet.rehearsal.kubernetes.api import Api
from gpufleet.rehearsal.kubernetes.connection import KUBECONFIG, of_rehearsal
from gpufleet.rehearsal.kubernetes.objects import Objects, Reference
from gpufleet.rehearsal.kubernetes.settling import settle
from tests.rehearsal.kubernetes.program import Program

MakeNamespace = Callable[..., str]
MakeProgram = Callable[..., Program]

_NUMBERS = itertools.count()


@pytest.fixture(scope="session")
def plane(binaries: Binaries) -> Iterator[ControlPlane]:
    """A running control plane, shared by the tests that leave it as they found it."""
    with ControlPlane(binaries) as running:
        yield running


@pytest.fixture(scope="session")
def api(plane: ControlPlane) -> Api:
    return Api(of_rehearsal({KUBECONFIG: plane.kubeconfig()}))


@pytest.fixture
def make_program(api: Api) -> Iterator[MakeProgram]:
    """Make a program with settings of its provider; what it leaves is deleted after the test."""
    made: list[Program] = []

    def make(**settings: Any) -> Program:
        made.append(Program(api, **settings))
        return made[-1]

    yield make
    for program in reversed(made):
        program.close()


@pytest.fixture
def program(make_program: MakeProgram) -> Program:
    return make_program()


@pytest.fixture
def make_namespace(api: Api) -> Iterator[MakeNamespace]:
    """Make a namespace that nobody else has. Its deletion is not waited for: it takes five seconds."""
    objects, made = Objects(api), list[Reference]()

    def make(labels: Mapping[str, str] | None = None) -> str:
        metadata = {"name": f"test-{next(_NUMBERS)}", "labels": dict(labels or {})}
        live = objects.create({"apiVersion": "v1", "kind": "Namespace", "metadata": metadata}, "tests")
        settle(objects, live)
        made.append(Reference.of(live))
        return made[-1].name

    yield make
    for reference in made:
        api.call("DELETE", f"/api/v1/namespaces/{reference.name}", f"delete {reference}")


@pytest.fixture
def namespace(make_namespace: MakeNamespace) -> str:
    """A namespace that nobody else has."""
    return make_namespace()

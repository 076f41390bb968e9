"""The plugin over the wire: the engine tells it which provider resource it is, and that says which control plane."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import grpc
import pytest
from google.protobuf import struct_pb2
from pulumi.runtime.proto import provider_pb2, provider_pb2_grpc

from gpufleet.rehearsal.kubernetes.connection import KUBECONFIG, KUBECONFIGS
from tests.rehearsal.kubernetes.test_connection import kubeconfig

EAST, WEST, NORTH = (
    f"urn:pulumi:dev::fleet::pulumi:providers:kubernetes::{name}" for name in ("east", "west", "north")
)
# Nothing listens there: the answers name the address.
ONE, TWO = "https://127.0.0.1:1", "https://127.0.0.1:2"
SEVERAL = json.dumps({EAST: kubeconfig(ONE), WEST: kubeconfig(TWO)})
MAP = "urn:pulumi:dev::fleet::kubernetes:core/v1:ConfigMap::m"


def _struct(**values: Any) -> struct_pb2.Struct:
    struct = struct_pb2.Struct()
    struct.update(values)
    return struct


@pytest.fixture
def stub() -> Iterator[Any]:
    environment = {**os.environ, KUBECONFIG: kubeconfig(ONE), KUBECONFIGS: SEVERAL}
    command = [sys.executable, "-m", "gpufleet.rehearsal.kubernetes", "127.0.0.1:1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, text=True) as process:
        assert process.stdout is not None
        channel: Any = grpc.insecure_channel(f"127.0.0.1:{int(process.stdout.readline())}")
        connected: Any = provider_pb2_grpc.ResourceProviderStub(channel)
        yield connected
        channel.close()
        process.terminate()


def refusal(call: Any, request: Any) -> str:
    with pytest.raises(grpc.RpcError) as refused:
        call(request)
    error: Any = refused.value
    return str(error.details())


@pytest.mark.parametrize(("provider", "server"), [(EAST, ONE), (WEST, TWO)])
def test_each_provider_speaks_to_its_own_control_plane(stub: Any, provider: str, server: str) -> None:
    stub.Configure(provider_pb2.ConfigureRequest(urn=provider, args=_struct(namespace="ml")))
    request = provider_pb2.CheckRequest(urn=MAP, type="kubernetes:core/v1:ConfigMap", name="m")
    request.news.update({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "m"}})
    assert f"the control plane at {server} does not answer" in refusal(stub.Check, request)


def test_a_provider_without_a_control_plane_is_refused_by_name_and_without_a_traceback(stub: Any) -> None:
    said = refusal(stub.Configure, provider_pb2.ConfigureRequest(urn=NORTH, args=_struct(namespace="ml")))
    assert said.startswith(f"provider {NORTH}: the rehearsal has a control plane for each of {EAST}, {WEST}")
    assert "Traceback" not in said


def test_whether_a_provider_changes_is_left_to_the_engine(stub: Any) -> None:
    request = provider_pb2.DiffRequest(urn=EAST, olds=_struct(namespace="ml"), news=_struct(namespace="hpc"))
    assert stub.DiffConfig(request).changes == provider_pb2.DiffResponse.DIFF_UNKNOWN

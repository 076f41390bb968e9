"""The plugin as a process: how it starts, what it answers the engine, what it says when something is wrong."""

import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import grpc
import pytest
from google.protobuf import empty_pb2, struct_pb2
from pulumi.runtime.proto import provider_pb2, provider_pb2_grpc

_COMMAND = [sys.executable, "-m", "gpufleet.rehearsal.aws", "127.0.0.1:1"]
_PROVIDER = "urn:pulumi:dev::lab::pulumi:providers:aws::main"
_URN = "urn:pulumi:dev::lab::aws:ec2/vpc:Vpc::v"


def _environment(**values: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GPUFLEET_")}
    return {**kept, **values}


def _struct(**values: Any) -> struct_pb2.Struct:
    struct = struct_pb2.Struct()
    struct.update(values)
    return struct


@pytest.fixture(scope="module")
def stub(endpoint: str) -> Iterator[Any]:
    environment = _environment(GPUFLEET_REHEARSAL_ENDPOINT=endpoint, GPUFLEET_REHEARSAL_ACCOUNT="111122225555")
    with subprocess.Popen(_COMMAND, stdout=subprocess.PIPE, env=environment, text=True) as process:
        assert process.stdout is not None
        channel: Any = grpc.insecure_channel(f"127.0.0.1:{int(process.stdout.readline())}")
        connected: Any = provider_pb2_grpc.ResourceProviderStub(channel)
        connected.Configure(provider_pb2.ConfigureRequest(args=_struct(region="us-east-1")))
        yield connected
        channel.close()
        process.terminate()


def test_a_resource_is_made_and_unmade_over_the_wire(stub: Any) -> None:
    checked = stub.Check(provider_pb2.CheckRequest(urn=_URN, news=_struct(cidrBlock="10.0.0.0/16")))
    assert list(checked.failures) == []
    created = stub.Create(provider_pb2.CreateRequest(urn=_URN, properties=checked.inputs))
    assert created.id.startswith("vpc-")
    request = provider_pb2.DiffRequest(urn=_URN, id=created.id, olds=created.properties, news=checked.inputs)
    assert stub.Diff(request).changes == provider_pb2.DiffResponse.DIFF_NONE
    stub.Delete(provider_pb2.DeleteRequest(urn=_URN, id=created.id, properties=created.properties))
    gone = stub.Read(provider_pb2.ReadRequest(urn=_URN, id=created.id, properties=created.properties))
    assert gone.id == ""


def test_whether_a_provider_changes_is_left_to_the_engine(stub: Any) -> None:
    # A yes would reach the engine as DIFF_NONE: it would go on with the old default tags.
    for owner in ("ml", "hpc"):
        request = provider_pb2.DiffRequest(urn=_PROVIDER, olds=_struct(tags="ml"), news=_struct(tags=owner))
        answer = stub.DiffConfig(request)
        assert answer.changes == provider_pb2.DiffResponse.DIFF_UNKNOWN
        assert list(answer.replaces) == []


def test_an_error_reaches_the_engine_as_one_message_without_a_traceback(stub: Any) -> None:
    request = provider_pb2.CreateRequest(urn=_URN, properties=_struct(cidrBlock="10.0.0.0/99", enableDnsSupport=True))
    with pytest.raises(grpc.RpcError) as refused:
        stub.Create(request)
    error: Any = refused.value
    assert error.details().startswith("operation error ec2: CreateVpc, api error InvalidParameterValue:")
    assert "Traceback" not in error.details()
    assert "File " not in error.details()


def test_it_answers_which_plugin_it_stands_in_for(stub: Any) -> None:
    assert stub.GetPluginInfo(empty_pb2.Empty()).version == "7.51.1"
    assert '"name": "aws"' in stub.GetSchema(provider_pb2.GetSchemaRequest()).schema


@pytest.mark.parametrize(
    ("environment", "message"),
    [
        ({}, "GPUFLEET_REHEARSAL_ENDPOINT is not set"),
        ({"GPUFLEET_REHEARSAL_ENDPOINT": "https://ec2.amazonaws.com"}, "is not a loopback address"),
    ],
)
def test_it_does_not_start_without_an_api_on_this_machine(environment: dict[str, str], message: str) -> None:
    ended = subprocess.run(
        _COMMAND, env=_environment(**environment), capture_output=True, text=True, check=False, timeout=60
    )
    assert ended.returncode == 2
    assert message in ended.stderr
    assert "Traceback" not in ended.stderr


def test_it_loads_neither_the_sdk_of_aws_nor_moto() -> None:
    look = "import sys, gpufleet.rehearsal.aws.__main__; print({'pulumi_aws', 'moto', 'boto3'} & set(sys.modules))"
    ended = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, check=True, timeout=60)
    assert ended.stdout.strip() == "set()"

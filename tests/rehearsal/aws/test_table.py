"""The table against the classes of pulumi_aws and against the moto that is installed."""

import importlib
import inspect
from typing import Any

import pytest

from gpufleet.rehearsal.aws.errors import RehearsalError
from gpufleet.rehearsal.aws.gaps import FORGOTTEN_MEMBERS, MISSING_OPERATIONS
from gpufleet.rehearsal.aws.table import AwsType, index, table
from tests.rehearsal.aws.program import Program


def _class(token: str) -> Any:
    module, name = token.removeprefix("aws:").split(":")
    return getattr(importlib.import_module(f"pulumi_aws.{module.split('/')[0]}"), name)


def _inputs(token: str) -> set[str]:
    """The inputs of the SDK's class: of `XInitArgs` where a nested type has taken `XArgs` (s3.BucketLogging)."""
    kind = _class(token)
    module = importlib.import_module(kind.__module__)
    names = (f"{kind.__name__}InitArgs", f"{kind.__name__}Args")
    return _wire_names(next(getattr(module, name) for name in names if hasattr(module, name)))


def _wire_names(kind: Any) -> set[str]:
    """The properties of an SDK class as they are spelled on the wire."""
    members: list[tuple[str, Any]] = inspect.getmembers(kind, lambda member: isinstance(member, property))
    return {name for _, member in members if (name := getattr(member.fget, "_pulumi_name", None))}


@pytest.mark.parametrize("token", sorted(table()))
def test_every_type_and_input_of_the_table_is_one_of_pulumi_aws(token: str) -> None:
    assert _class(token).pulumi_type == token
    assert sorted(set(table()[token].all_inputs) - _inputs(token) - {"tagsAll"}) == []


@pytest.mark.parametrize("token", sorted(table()))
def test_every_output_of_the_table_is_one_of_pulumi_aws(token: str) -> None:
    assert sorted(set(table()[token].outputs) - _wire_names(_class(token))) == []


@pytest.mark.parametrize("token", sorted(table()))
def test_an_input_of_pulumi_aws_that_the_table_leaves_out_is_refused(checker: Program, token: str) -> None:
    left_out = sorted(_inputs(token) - set(table()[token].all_inputs))
    for name in left_out:
        with pytest.raises(AssertionError, match=f"{name}: the rehearsal's {token} has no such input"):
            checker.check(checker.urn(token), {name: "x"})


def test_a_type_that_is_not_in_the_table_is_an_error_that_says_where_the_table_is(checker: Program) -> None:
    message = r"aws:rds/cluster:Cluster is not in the rehearsal's table of AWS types \(gpufleet/rehearsal/aws/\)"
    with pytest.raises(RehearsalError, match=message):
        checker.create("aws:rds/cluster:Cluster", {})


def test_a_type_cannot_stand_in_the_table_twice() -> None:
    entry: AwsType = table()["aws:ec2/vpc:Vpc"]
    with pytest.raises(ValueError, match="aws:ec2/vpc:Vpc stands twice"):
        index([entry, entry])


def _handlers(service: str, operation: str) -> list[Any]:
    """The methods of the installed moto that answer the operation."""
    botocore: Any = importlib.import_module("botocore")
    responses: Any = importlib.import_module(f"moto.{service}.responses")
    classes: list[tuple[str, Any]] = inspect.getmembers(responses, inspect.isclass)
    method = botocore.xform_name(operation)
    return [getattr(kind, method) for _, kind in classes if hasattr(kind, method)]


def _model(service: str) -> Any:
    session: Any = importlib.import_module("botocore.session").get_session()
    return session.get_service_model(service)


@pytest.mark.parametrize(("service", "operation"), sorted(MISSING_OPERATIONS))
def test_a_recorded_operation_is_one_the_service_has_and_moto_does_not(service: str, operation: str) -> None:
    assert operation in _model(service).operation_names
    assert _handlers(service, operation) == []


@pytest.mark.parametrize(("service", "operation"), sorted(FORGOTTEN_MEMBERS))
def test_a_forgotten_member_is_one_the_operation_has_and_moto_does_not_read(service: str, operation: str) -> None:
    forgotten = FORGOTTEN_MEMBERS[service, operation]
    assert sorted(forgotten - set(_model(service).operation_model(operation).input_shape.members)) == []
    source = "".join(inspect.getsource(handler) for handler in _handlers(service, operation))
    assert [member for member in sorted(forgotten) if f'"{member}"' in source] == []
    assert source

"""The table against the classes of pulumi_aws and against the moto that is installed."""

import importlib
import inspect
from typing import Any

import pytest

from gpufleet.rehearsal.aws.errors import RehearsalError
from gpufleet.rehearsal.aws.gaps import FORGOTTEN_MEMBERS, MISSING_OPERATIONS
from gpufleet.rehearsal.aws.table import AwsType, index, table
from tests.rehearsal.aws.program import Program


def _class(token: str, suffix: str = "") -> Any:
    module, name = token.removeprefix("aws:").split(":")
    kind = getattr(importlib.import_module(f"pulumi_aws.{module.split('/')[0]}"), name)
    # From the class's own module: the package has nested types of the same names (s3.BucketLoggingArgs).
    return getattr(importlib.import_module(kind.__module__), name + suffix)


def _wire_names(kind: Any) -> set[str]:
    """The properties of an SDK class as they are spelled on the wire."""
    members: list[tuple[str, Any]] = inspect.getmembers(kind, lambda member: isinstance(member, property))
    return {name for _, member in members if (name := getattr(member.fget, "_pulumi_name", None))}


@pytest.mark.parametrize("token", sorted(table()))
def test_every_type_and_input_of_the_table_is_one_of_pulumi_aws(token: str) -> None:
    assert _class(token).pulumi_type == token
    assert sorted(set(table()[token].all_inputs) - _wire_names(_class(token, "Args")) - {"tagsAll"}) == []


@pytest.mark.parametrize("token", sorted(table()))
def test_every_output_of_the_table_is_one_of_pulumi_aws(token: str) -> None:
    assert sorted(set(table()[token].outputs) - _wire_names(_class(token))) == []


@pytest.mark.parametrize("token", sorted(table()))
def test_an_input_of_pulumi_aws_that_the_table_leaves_out_is_refused(program: Program, token: str) -> None:
    left_out = sorted(_wire_names(_class(token, "Args")) - set(table()[token].all_inputs))
    for name in left_out:
        with pytest.raises(AssertionError, match=f"{name}: the rehearsal's {token} has no such input"):
            program.check(program.urn(token), {name: "x"})


def test_a_type_that_is_not_in_the_table_is_an_error_that_says_where_the_table_is(program: Program) -> None:
    message = r"aws:rds/cluster:Cluster is not in the rehearsal's table of AWS types \(gpufleet/rehearsal/aws/\)"
    with pytest.raises(RehearsalError, match=message):
        program.create("aws:rds/cluster:Cluster", {})


def test_a_type_cannot_stand_in_the_table_twice() -> None:
    entry: AwsType = table()["aws:ec2/vpc:Vpc"]
    with pytest.raises(ValueError, match="aws:ec2/vpc:Vpc stands twice"):
        index([entry, entry])


@pytest.mark.parametrize(("service", "operation"), sorted(MISSING_OPERATIONS))
def test_a_recorded_operation_is_one_the_service_has_and_moto_does_not(service: str, operation: str) -> None:
    botocore: Any = importlib.import_module("botocore")
    session: Any = importlib.import_module("botocore.session").get_session()
    assert operation in session.get_service_model(service).operation_names

    responses: Any = importlib.import_module(f"moto.{service}.responses")
    handlers: list[tuple[str, Any]] = inspect.getmembers(responses, inspect.isclass)
    method = botocore.xform_name(operation)
    assert [name for name, kind in handlers if hasattr(kind, method)] == []


def test_a_forgotten_member_is_one_the_operation_has() -> None:
    session: Any = importlib.import_module("botocore.session").get_session()
    services = ("budgets", "ec2", "eks", "kms", "logs")
    members = {
        operation: set(session.get_service_model(service).operation_model(operation).input_shape.members)
        for service in services
        for operation in session.get_service_model(service).operation_names
        if operation in FORGOTTEN_MEMBERS
    }
    unknown = {operation: sorted(names - members[operation]) for operation, names in FORGOTTEN_MEMBERS.items()}
    assert unknown == {operation: list[str]() for operation in FORGOTTEN_MEMBERS}

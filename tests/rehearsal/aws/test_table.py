"""The table against the classes of pulumi_aws, against the moto that is installed, and against what we use."""

import importlib
import inspect
import re
from pathlib import Path
from typing import Any

import pytest

from gpufleet.pricing import rules
from gpufleet.rehearsal.aws.errors import RehearsalError
from gpufleet.rehearsal.aws.gaps import FORGOTTEN_MEMBERS, MAKING_OPERATIONS, MISSING_OPERATIONS
from gpufleet.rehearsal.aws.table import AwsType, index, table
from tests.rehearsal.aws.program import Program

ROOT = Path(__file__).parents[3]

# Members that moto's handler takes and its model has no place for.
READ_AND_DROPPED = {("fsx", "CreateFileSystem"): {"FileSystemTypeVersion"}}


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


def _used() -> set[str]:
    """The type tokens of the resource classes of pulumi_aws that components and stacks call by name."""
    sources = [path for tree in ("components", "stacks") for path in sorted((ROOT / tree).rglob("*.py"))]
    named = {name for path in sources for name in re.findall(r"\baws\.(\w+\.[A-Z]\w+)\(", path.read_text("utf-8"))}
    classes = [_member(*name.split(".")) for name in sorted(named)]
    return {kind.pulumi_type for kind in classes if hasattr(kind, "pulumi_type")}


def _member(module: str, name: str) -> Any:
    return getattr(importlib.import_module(f"pulumi_aws.{module}"), name)


def test_every_type_that_a_component_makes_can_be_rehearsed() -> None:
    used = _used()
    assert "aws:eks/cluster:Cluster" in used
    assert sorted(used - table().keys()) == []


@pytest.mark.parametrize("token", sorted(table()))
def test_every_type_of_the_table_is_priced_or_known_as_free_or_billed_by_use(token: str) -> None:
    assert token in rules.known_types() or rules.is_free(token)


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
    read = {member for member in forgotten if f'"{member}"' in source}
    assert read == READ_AND_DROPPED.get((service, operation), set())
    assert source


def test_moto_reads_the_version_of_a_file_system_and_keeps_it_nowhere() -> None:
    models: Any = importlib.import_module("moto.fsx.models")
    assert "file_system_type_version" not in inspect.getsource(models.FileSystem)


def test_what_makes_a_resource_is_among_the_recorded_operations() -> None:
    assert sorted(MAKING_OPERATIONS - {operation for _, operation in MISSING_OPERATIONS}) == []

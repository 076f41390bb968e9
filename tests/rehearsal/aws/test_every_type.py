"""What holds for every type in the table."""

import pytest

from gpufleet.rehearsal.aws.table import table
from gpufleet.rehearsal.aws.values import plain_map
from tests.rehearsal.aws.program import Program
from tests.rehearsal.aws.stack import Stack

TYPES = sorted(table())


@pytest.mark.parametrize("token", TYPES)
def test_a_resource_comes_back_the_same_and_goes_without_a_trace(program: Program, token: str) -> None:
    stack = Stack(program)
    standing = stack.get(token)
    inputs = plain_map(program.check(standing.urn, stack.inputs(token), standing.inputs))

    assert inputs == plain_map(standing.inputs), "check is not idempotent"
    assert program.diff(standing, stack.inputs(token)).changes is False
    refreshed = program.read(standing)
    assert refreshed is not None
    assert refreshed.state == standing.state
    assert plain_map(refreshed.inputs) == plain_map(standing.inputs)

    recorded = standing.state.get("__gpufleetRecorded", [])
    stack.down()
    assert recorded and all("." not in call for call in recorded) or program.read(standing) is None or _stays(token)


def _stays(token: str) -> bool:
    """A VPC's default group is taken over and given back; bucket logging and versioning are states of a bucket."""
    return "defaultSecurityGroup" in token


@pytest.mark.parametrize("token", TYPES)
def test_every_output_the_table_names_comes_back(program: Program, token: str) -> None:
    state = Stack(program).get(token).state
    assert [name for name in table()[token].outputs if name not in state] == []


@pytest.mark.parametrize("token", TYPES)
def test_deleting_what_is_gone_already_is_no_error(program: Program, token: str) -> None:
    stack = Stack(program)
    standing = stack.get(token)
    stack.down()
    program.delete(standing)

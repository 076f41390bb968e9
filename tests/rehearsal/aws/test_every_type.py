"""What holds for every type in the table, shown on one stack that has a resource of each."""

from collections.abc import Iterator

import pytest

from gpufleet.rehearsal.aws.gaps import MAKING_OPERATIONS
from gpufleet.rehearsal.aws.state import RECORDED
from gpufleet.rehearsal.aws.table import table
from gpufleet.rehearsal.aws.values import UNKNOWN, plain_map
from tests.rehearsal.aws.program import Program
from tests.rehearsal.aws.stack import Stack

TYPES = sorted(table())

# A VPC's default group is taken over and goes with the VPC; versioning and logging are states of a bucket, the others
# of a region.
STAYING = {
    "aws:ebs/defaultKmsKey:DefaultKmsKey",
    "aws:ebs/encryptionByDefault:EncryptionByDefault",
    "aws:ecr/registryScanningConfiguration:RegistryScanningConfiguration",
    "aws:ec2/defaultSecurityGroup:DefaultSecurityGroup",
    "aws:s3/bucketVersioning:BucketVersioning",
    "aws:s3/bucketLogging:BucketLogging",
}


@pytest.fixture(scope="module")
def shared(endpoint: str) -> Iterator[Stack]:
    stack = Stack(Program(endpoint, account="111122229999", defaultTags='{"tags": {"owner": "ml"}}'))
    yield stack
    stack.down()


@pytest.mark.parametrize("token", TYPES)
def test_the_same_inputs_again_make_no_difference(shared: Stack, token: str) -> None:
    standing = shared.get(token)
    difference = shared.program.diff(standing, shared.declared[token])
    assert difference.diffs == []
    assert difference.changes is False


@pytest.mark.parametrize("token", TYPES)
def test_checking_what_was_checked_adds_nothing(shared: Stack, token: str) -> None:
    standing = shared.get(token)
    checked = shared.program.check(standing.urn, shared.declared[token], standing.inputs)
    assert plain_map(checked) == plain_map(standing.inputs)


@pytest.mark.parametrize("token", TYPES)
def test_a_refresh_finds_what_was_created(shared: Stack, token: str) -> None:
    standing = shared.get(token)
    refreshed = shared.program.read(standing)
    assert refreshed is not None
    assert refreshed.state == standing.state
    assert plain_map(refreshed.inputs) == plain_map(standing.inputs)


@pytest.mark.parametrize("token", TYPES)
def test_every_output_is_unknown_in_the_preview_and_known_after(shared: Stack, token: str) -> None:
    state, entry = shared.get(token).state, table()[token]
    preview = shared.program.preview(token, shared.declared[token])
    computed = [name for name in entry.outputs if name not in plain_map(shared.get(token).inputs)]
    assert [name for name in computed if preview[name] != UNKNOWN] == []
    assert [name for name in entry.outputs if name not in state] == []


@pytest.mark.parametrize("token", TYPES)
def test_an_input_the_type_does_not_have_is_refused_by_name(shared: Stack, token: str) -> None:
    with pytest.raises(AssertionError, match=rf"notAnInput: the rehearsal's {token} has no such input; it has \w+"):
        shared.program.check(shared.program.urn(token), {"notAnInput": True})


def test_everything_goes_in_the_opposite_order_and_leaves_no_trace(stack: Stack) -> None:
    for token in TYPES:
        stack.get(token)
    everything = list(reversed(stack.standing))
    stack.down()
    for standing in everything:
        token = standing.urn.split("::")[2].rsplit("$", 1)[-1]
        recorded = MAKING_OPERATIONS & set(standing.state.get(RECORDED, []))
        if token not in STAYING and not recorded:
            assert stack.program.read(standing) is None, f"{token} is still there"
        stack.program.delete(standing)

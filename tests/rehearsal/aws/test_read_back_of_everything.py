"""What the stand-in makes is what the readers find: one resource of every type that has a reader."""

from functools import partial
from typing import Any

import pytest

from gpufleet.rehearsal.aws.calls import Api
from gpufleet.rehearsal.aws.values import plain_map
from gpufleet.rehearsal.read_back import READERS
from gpufleet.rehearsal.read_back.asking import Declared
from tests.rehearsal.aws.program import Program
from tests.rehearsal.aws.stack import INPUTS, Stack


@pytest.fixture(scope="module")
def whole(endpoint: str) -> Stack:
    return Stack(Program(endpoint, account="111122227777", defaultTags='{"tags": {"owner": "ml"}}'))


def _client(endpoint: str, service: str) -> Any:
    return Api(endpoint, "111122227777").client(service, "us-east-1")


@pytest.mark.parametrize("token", sorted(READERS.keys() & INPUTS.keys()))
def test_what_was_made_reads_back_as_declared(whole: Stack, endpoint: str, token: str) -> None:
    standing = whole.get(token)
    inputs = {name: value for name, value in plain_map(standing.inputs).items() if not name.startswith("__")}
    resource = Declared(
        urn=standing.urn,
        type=token,
        id=standing.id,
        inputs=inputs,
        outputs=standing.state,
        account_id="111122227777",
        client=partial(_client, endpoint),
    )
    facts = list(READERS[token](resource))
    assert facts
    assert [fact for fact in facts if not fact.ok] == []

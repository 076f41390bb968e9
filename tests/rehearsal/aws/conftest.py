"""An AWS API in memory for the tests of the stand-in, each test in an account of its own."""

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from gpufleet.rehearsal.aws.calls import Api
from gpufleet.rehearsal.cloud import Cloud
from tests.rehearsal.aws.program import Program
from tests.rehearsal.aws.stack import Stack

_ACCOUNTS = itertools.count(111122220000)


@pytest.fixture(scope="session")
def endpoint(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    pytest.importorskip("moto")
    cloud = Cloud.start("123456789012", tmp_path_factory.mktemp("cloud") / "server.log")
    yield cloud.endpoint
    cloud.close()


@pytest.fixture
def account() -> str:
    return str(next(_ACCOUNTS))


@pytest.fixture
def program(endpoint: str, account: str) -> Program:
    return Program(endpoint, account=account, defaultTags='{"tags": {"owner": "ml"}}')


@pytest.fixture
def stack(program: Program) -> Stack:
    return Stack(program)


@pytest.fixture
def client(endpoint: str, account: str) -> Callable[[str], Any]:
    """A client of its own, to see with other eyes than the stand-in's what is there."""
    api = Api(endpoint, account)
    return lambda service: api.client(service, "us-east-1")

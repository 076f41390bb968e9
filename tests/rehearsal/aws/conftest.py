"""An AWS API in memory for the tests of the stand-in, each test in an account of its own."""

import itertools
import logging
import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from gpufleet.rehearsal.aws.calls import Api
from tests.rehearsal.aws.program import Program
from tests.rehearsal.aws.stack import Stack

_ACCOUNTS = itertools.count(111122220000)


@pytest.fixture(scope="session")
def endpoint() -> Iterator[str]:
    # Read when moto is imported: roles attach AWS's own managed policies.
    os.environ["MOTO_IAM_LOAD_MANAGED_POLICIES"] = "true"
    server: Any = pytest.importorskip("moto.server").ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


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

"""An AWS API in memory for the tests of the stand-in, each test in an account of its own."""

import itertools
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from gpufleet.rehearsal.aws.calls import Api
from tests.rehearsal.aws.program import Program
from tests.rehearsal.aws.stack import Stack

_ACCOUNTS = itertools.count(111122220000)


# moto by itself, which lets every request name its account; a rehearsal's own server is of one account.
_SERVER = """
import time
from moto.server import ThreadedMotoServer
server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
server.start()
print(server.get_host_and_port()[1], flush=True)
time.sleep(3600)
"""


@pytest.fixture(scope="session")
def endpoint(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    pytest.importorskip("moto")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "MOTO_"))}
    # Roles attach AWS's own managed policies.
    environment = {**kept, "MOTO_IAM_LOAD_MANAGED_POLICIES": "true"}
    log = tmp_path_factory.mktemp("moto") / "server.log"
    with log.open("wb") as errors:
        process = subprocess.Popen(
            [sys.executable, "-c", _SERVER], stdout=subprocess.PIPE, stderr=errors, env=environment, text=True
        )
    with process:
        assert process.stdout is not None
        port = process.stdout.readline().strip()
        assert port, log.read_text()
        yield f"http://127.0.0.1:{port}"
        process.kill()


@pytest.fixture
def account() -> str:
    return str(next(_ACCOUNTS))


@pytest.fixture
def program(endpoint: str, account: str) -> Program:
    return Program(endpoint, account=account, defaultTags='{"tags": {"owner": "ml"}}')


@pytest.fixture(scope="session")
def checker(endpoint: str) -> Program:
    """A program for tests that only check: nothing is created in its account."""
    return Program(endpoint, account="111122228888", defaultTags='{"tags": {"owner": "ml"}}')


@pytest.fixture
def stack(program: Program) -> Stack:
    return Stack(program)


@pytest.fixture
def client(endpoint: str, account: str) -> Callable[[str], Any]:
    """A client of its own, to see with other eyes than the stand-in's what is there."""
    api = Api(endpoint, account)
    return lambda service: api.client(service, "us-east-1")

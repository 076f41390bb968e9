"""An account in memory, with recorded answers for what moto lacks."""

import importlib
import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from moto import mock_aws

from gpufleet.preflight.results import Result
from gpufleet.preflight.site import Site
from tests.gpufleet.preflight import fleet
from tests.gpufleet.preflight.recorded import Recorded

Ask = Callable[[Callable[[Site], Any], Callable[[], object]], list[Result]]


@pytest.fixture(scope="session")
def session() -> Any:
    """Reads each service's description once for all tests."""
    return importlib.import_module("boto3").Session(aws_access_key_id="testing", aws_secret_access_key="testing")


@pytest.fixture
def nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """No credentials, and nothing of the machine's own configuration."""
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        monkeypatch.delenv(name)
    for name in ("AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE"):
        monkeypatch.setenv(name, os.devnull)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")


@pytest.fixture
def recorded(nobody: None, session: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Recorded]:
    def take(**_: Any) -> Any:
        return session

    monkeypatch.setattr("boto3.Session", take)
    monkeypatch.setenv("MOTO_EC2_LOAD_DEFAULT_AMIS", "false")
    found = Recorded()
    with mock_aws():
        found.install(monkeypatch)
        yield found


@pytest.fixture
def ask(recorded: Recorded, session: Any) -> Ask:
    """Run one check on a program."""
    return lambda check, entry: fleet.asked(check, entry, session)

"""An account in memory, and a way to take permissions away in it."""

import importlib
import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from moto import mock_aws

from tests.gpufleet.cleanup.world import World


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
def world(nobody: None, session: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    monkeypatch.setattr("boto3.Session", lambda: session)
    monkeypatch.setenv("MOTO_EC2_LOAD_DEFAULT_AMIS", "false")
    with mock_aws():
        yield World(session)


@pytest.fixture
def deny(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Refuse operations by name, whoever asks."""
    client: Any = importlib.import_module("botocore.client").BaseClient
    refused: Any = importlib.import_module("botocore.exceptions").ClientError
    call = client._make_api_call

    def install(*operations: str, code: str = "AccessDenied") -> None:
        def answer(self: Any, operation: str, parameters: Any) -> Any:
            if operation in operations:
                raise refused({"Error": {"Code": code, "Message": "no"}}, operation)
            return call(self, operation, parameters)

        monkeypatch.setattr(client, "_make_api_call", answer)

    return install

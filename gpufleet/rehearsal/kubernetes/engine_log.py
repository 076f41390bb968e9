"""Warnings for the user, through the engine's own log."""

from collections.abc import Callable
from typing import Any

import grpc
from pulumi.runtime.proto import engine_pb2, engine_pb2_grpc

Warn = Callable[[str, str], None]
"""Called with a resource's URN and the warning."""


def warner(address: str) -> Warn:
    """Return how to warn through the engine at an address; a warning that it does not take is lost."""
    stub: Any = engine_pb2_grpc.EngineStub(grpc.insecure_channel(address))

    def warn(urn: str, message: str) -> None:
        stub.Log(engine_pb2.LogRequest(severity=engine_pb2.WARNING, message=message, urn=urn))

    return warn


def silent(urn: str, message: str) -> None:
    """Warn nobody."""

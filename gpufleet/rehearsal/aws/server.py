"""The plugin's gRPC server: the SDK's, but that a rehearsal's own errors reach the user without a Python traceback."""

import asyncio
import contextlib
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import grpc
import grpc.aio
from pulumi.provider.experimental.provider import Provider
from pulumi.provider.experimental.server import ProviderServicer
from pulumi.runtime.proto import provider_pb2_grpc

from gpufleet.rehearsal.aws.errors import RehearsalError

VERSION = "7.51.1"
"""The version of the plugin it stands in for."""

_MESSAGE_BYTES = 400 * 1024 * 1024  # what the engine itself allows
_METHODS = ("CheckConfig", "DiffConfig", "Configure", "Invoke", "Check", "Diff", "Create", "Read", "Update", "Delete")


class Servicer(ProviderServicer):
    """The SDK's servicer, which wraps every error into one that carries its traceback; here our own come out as they
    are."""


def _plainly(method: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    async def answer(self: Servicer, request: Any, context: Any) -> Any:
        try:
            return await method(self, request, context)
        except Exception as error:
            cause = error.__context__
            if isinstance(cause, RehearsalError):
                await context.abort(grpc.StatusCode.INTERNAL, str(cause))
            raise

    return answer


for _name in _METHODS:
    setattr(Servicer, _name, _plainly(getattr(ProviderServicer, _name)))


def serve(provider: Provider) -> None:
    """Serve the provider on a free loopback port, print the port and wait for the engine to end the process
    (SIGINT)."""
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_serve(provider))


async def _serve(provider: Provider) -> None:
    options = [("grpc.max_receive_message_length", _MESSAGE_BYTES), ("grpc.max_send_message_length", _MESSAGE_BYTES)]
    server: Any = grpc.aio.server(options=options)
    servicer = Servicer(sys.argv[1:], VERSION, provider, engine_address=sys.argv[1] if len(sys.argv) > 1 else "")
    register: Any = provider_pb2_grpc.add_ResourceProviderServicer_to_server
    register(servicer, server)
    port = server.add_insecure_port(address="127.0.0.1:0")
    await server.start()
    print(port, flush=True)
    await server.wait_for_termination()

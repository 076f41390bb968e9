"""The plugin's gRPC server: the one of the aws stand-in, and components whose errors come without a traceback too."""

import asyncio
import contextlib
import sys
from typing import Any

import grpc
import grpc.aio
from pulumi.provider.experimental.provider import Provider
from pulumi.runtime.proto import provider_pb2_grpc

from gpufleet.rehearsal.aws.server import Servicer
from gpufleet.rehearsal.kubernetes.errors import RehearsalError

VERSION = "4.34.2"
"""The version of the plugin it stands in for."""

_MESSAGE_BYTES = 400 * 1024 * 1024  # what the engine itself allows


class KubernetesServicer(Servicer):
    """Serves resources as the aws stand-in's does, and components."""

    async def Construct(self, request: Any, context: Any) -> Any:  # noqa: N802 -- gRPC's spelling
        """Construct a component; our own errors come out as they are."""
        try:
            return await super().Construct(request, context)
        except Exception as error:
            if isinstance(error.__context__, RehearsalError):
                await context.abort(grpc.StatusCode.INTERNAL, str(error.__context__))
            raise


def serve(provider: Provider) -> None:
    """Serve the provider on a free loopback port, print the port and wait for the engine to end the process
    (SIGINT)."""
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_serve(provider))


async def _serve(provider: Provider) -> None:
    options = [("grpc.max_receive_message_length", _MESSAGE_BYTES), ("grpc.max_send_message_length", _MESSAGE_BYTES)]
    server: Any = grpc.aio.server(options=options)
    engine = sys.argv[1] if len(sys.argv) > 1 else ""
    register: Any = provider_pb2_grpc.add_ResourceProviderServicer_to_server
    register(KubernetesServicer(sys.argv[1:], VERSION, provider, engine_address=engine), server)
    port = server.add_insecure_port(address="127.0.0.1:0")
    await server.start()
    print(port, flush=True)
    await server.wait_for_termination()

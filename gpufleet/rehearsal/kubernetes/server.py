"""The plugin's gRPC server: the one of the aws stand-in, and components whose errors come without a traceback too."""

import asyncio
import contextlib
import sys
from typing import Any

import grpc
import grpc.aio
from pulumi.runtime.proto import provider_pb2_grpc

from gpufleet.rehearsal.aws.server import Servicer
from gpufleet.rehearsal.kubernetes.errors import RehearsalError
from gpufleet.rehearsal.kubernetes.provider import KubernetesStandIn

VERSION = "4.34.2"
"""The version of the plugin it stands in for."""

_MESSAGE_BYTES = 400 * 1024 * 1024  # what the engine itself allows


class KubernetesServicer(Servicer):
    """Serves resources as the aws stand-in's does, and components; tells the provider which resource it is."""

    def __init__(self, provider: KubernetesStandIn, arguments: list[str]) -> None:
        super().__init__(arguments, VERSION, provider, engine_address=arguments[0] if arguments else "")
        self._stand_in = provider

    async def Configure(self, request: Any, context: Any) -> Any:  # noqa: N802 -- gRPC's spelling
        """Configure the provider, whose URN the SDK does not pass on."""
        self._stand_in.speaks_for(request.urn)
        return await super().Configure(request, context)

    async def Construct(self, request: Any, context: Any) -> Any:  # noqa: N802 -- gRPC's spelling
        """Construct a component; our own errors come out as they are."""
        try:
            return await super().Construct(request, context)
        except Exception as error:
            if isinstance(error.__context__, RehearsalError):
                await context.abort(grpc.StatusCode.INTERNAL, str(error.__context__))
            raise


def serve(provider: KubernetesStandIn) -> None:
    """Serve the provider on a free loopback port, print the port and wait for the engine to end the process
    (SIGINT)."""
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_serve(provider))


async def _serve(provider: KubernetesStandIn) -> None:
    options = [("grpc.max_receive_message_length", _MESSAGE_BYTES), ("grpc.max_send_message_length", _MESSAGE_BYTES)]
    server: Any = grpc.aio.server(options=options)
    register: Any = provider_pb2_grpc.add_ResourceProviderServicer_to_server
    register(KubernetesServicer(provider, sys.argv[1:]), server)
    port = server.add_insecure_port(address="127.0.0.1:0")
    await server.start()
    print(port, flush=True)
    await server.wait_for_termination()

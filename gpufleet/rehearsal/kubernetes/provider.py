"""The provider: Pulumi's resource protocol over the objects of an API server."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from pulumi.provider.experimental.property_value import PropertyValue
from pulumi.provider.experimental.provider import (
    CheckRequest,
    CheckResponse,
    ConfigureRequest,
    ConfigureResponse,
    ConstructRequest,
    ConstructResponse,
    CreateRequest,
    CreateResponse,
    DeleteRequest,
    DiffRequest,
    DiffResponse,
    GetSchemaRequest,
    GetSchemaResponse,
    InvokeRequest,
    InvokeResponse,
    Provider,
    ReadRequest,
    ReadResponse,
    UpdateRequest,
    UpdateResponse,
)

from gpufleet.rehearsal.aws.values import plain_map
from gpufleet.rehearsal.kubernetes import charts, recorded, settings, tokens
from gpufleet.rehearsal.kubernetes.api import Api
from gpufleet.rehearsal.kubernetes.engine_log import Warn, silent
from gpufleet.rehearsal.kubernetes.errors import RehearsalError
from gpufleet.rehearsal.kubernetes.objects import Objects
from gpufleet.rehearsal.kubernetes.resources import Resources
from gpufleet.rehearsal.kubernetes.settings import Settings
from gpufleet.rehearsal.kubernetes.state import unknown_parts

Answer = TypeVar("Answer")

# More than the engine ever asks for at once: one that waits for an object to go must not hold up the one it waits for.
_THREADS = 64


class KubernetesStandIn(Provider):
    """The `kubernetes` plugin of a rehearsal.

    Objects are made in one of the rehearsal's API servers and nowhere else, whatever kubeconfig the program gives. The
    engine runs one plugin for each provider resource: which of them it is says which API server.
    """

    _objects: Objects

    def __init__(self, api_of: Callable[[str], Api], warn: Warn = silent) -> None:
        """Say where objects can be made.

        Args:
            api_of: finds the API server by the URN of the provider resource.
            warn: told what the user should know of a resource.
        """
        self._api_of = api_of
        self._urn = ""
        self._warn = warn
        self._settings = Settings()
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="kubernetes")

    def speaks_for(self, urn: str) -> None:
        """Take the URN of the provider resource, before `configure`."""
        self._urn = urn

    async def get_schema(self, request: GetSchemaRequest) -> GetSchemaResponse:
        """Answer the name alone: the SDK's typed classes need no schema."""
        return GetSchemaResponse(schema='{"name": "kubernetes", "version": "4.34.2"}')

    async def check_config(self, request: CheckRequest) -> CheckResponse:
        """Take the provider's inputs as they are; `configure` judges them."""
        return CheckResponse(inputs=request.new_inputs)

    async def diff_config(self, request: DiffRequest) -> DiffResponse:
        """Never replace the provider: its control plane stays, whichever cluster its kubeconfig names.

        Whether it changes is left to the engine, as in the stand-in for aws.
        """
        return DiffResponse(changes=None)

    async def configure(self, request: ConfigureRequest) -> ConfigureResponse:
        """Take over the configuration."""
        self._objects = Objects(self._api_of(self._urn))
        self._settings = settings.read(plain_map(request.args))
        return ConfigureResponse(accept_secrets=True, supports_preview=True)

    async def invoke(self, request: InvokeRequest) -> InvokeResponse:
        """Refuse: all functions of the package render files."""
        tokens.refuse_rendered(request.tok)
        raise RehearsalError(f"{request.tok}: the rehearsal's stand-in for the kubernetes plugin has no such function")

    async def construct(self, request: ConstructRequest) -> ConstructResponse:
        """Record a chart; refuse the other components, which render files."""
        if request.resource_type == tokens.HELM_CHART:
            return await charts.construct(request)
        tokens.refuse_rendered(request.resource_type)
        raise RehearsalError(
            f"{request.resource_type}: the rehearsal's stand-in for the kubernetes plugin has no such component"
        )

    async def check(self, request: CheckRequest) -> CheckResponse:
        """Name the object and its namespace; refuse what is none."""
        if _is_release(request):
            return recorded.check(request, self._settings.namespace)
        return await self._apart(self._resources().check, request)

    async def diff(self, request: DiffRequest) -> DiffResponse:
        """Have the API server say, in a dry run, what changes."""
        if _is_release(request):
            return recorded.diff(request)
        return await self._apart(self._resources().diff, request)

    async def create(self, request: CreateRequest) -> CreateResponse:
        """Apply the object, which must not be there; in a preview as a dry run where one is possible."""
        _known(request.urn, request.properties, request.preview)
        if _is_release(request):
            return await self._apart(recorded.create, self._objects, request)
        return await self._apart(self._resources().create, request)

    async def update(self, request: UpdateRequest) -> UpdateResponse:
        """Apply the object as it is asked for now."""
        _known(request.urn, request.news, request.preview)
        if _is_release(request):
            return await self._apart(recorded.update, self._objects, request)
        return await self._apart(self._resources().update, request)

    async def read(self, request: ReadRequest) -> ReadResponse:
        """Look the object up; no id where it is gone."""
        if _is_release(request):
            return recorded.read(request)
        return await self._apart(self._resources().read, request)

    async def delete(self, request: DeleteRequest) -> None:
        """Delete the object and wait until it is gone; of a Patch, give its fields up."""
        if _is_release(request):
            return await self._apart(recorded.delete, self._objects, request)
        return await self._apart(self._resources().delete, request)

    def _resources(self) -> Resources:
        return Resources(self._objects, self._settings, self._warn)

    async def _apart(self, method: Callable[..., Answer], *arguments: Any) -> Answer:
        """Run a method in a thread: requests of several resources are under way at once."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, method, *arguments)


def _is_release(request: Any) -> bool:
    return tokens.bare(request.type) == tokens.HELM_RELEASE


def _known(urn: str, inputs: Mapping[str, PropertyValue], preview: bool) -> None:
    unknown: Sequence[str] = [] if preview else unknown_parts(plain_map(inputs))
    if unknown:
        raise RehearsalError(f"{urn}: {', '.join(unknown)}: still unknown although the object is to be created")

"""Run a Pulumi program in process, without an engine, a cloud or a network.

The SDK's own mock settings are used, but with a monitor that keeps the whole registration request (parent, options,
dependencies: `pulumi.runtime.Mocks` sees only inputs), makes URNs as the engine does and refuses a duplicate one.
A program is run as a preview (the answers to its registrations are unknown) or as an update (they are made up: unique,
stable, shaped like AWS's).
"""

import asyncio
import contextlib
import logging
import os
import runpy
import sys
import threading
from collections.abc import Callable, Generator, Mapping
from pathlib import Path
from typing import Any

import pulumi
import pulumi.runtime
from google.protobuf import empty_pb2
from pulumi.runtime import mocks, settings
from pulumi.runtime.proto import resource_pb2

from gpufleet.errors import UsageError
from gpufleet.plan import answers, lookups, modules, shortcuts, wire
from gpufleet.plan.graph import STACK_TYPE, UNKNOWN, Resource, Run, make_urn
from gpufleet.plan.values import is_list

ORGANIZATION = "organization"
"""What the engine calls the organisation of a stack in a backend without organisations."""

_SCRUBBED = ("AWS_REGION", "AWS_DEFAULT_REGION", "AWS_PROFILE", "KUBECONFIG")
"""Read by providers when they are constructed: a plan must not depend on who makes it."""


class _NoMocks(mocks.Mocks):
    """The SDK asks for mocks; the monitor answers before they would be called."""

    def new_resource(self, args: mocks.MockResourceArgs) -> tuple[str | None, dict[Any, Any]]:
        raise AssertionError(f"{args.typ}: answered by the monitor")

    def call(self, args: mocks.MockCallArgs) -> tuple[dict[Any, Any], list[tuple[str, str]] | None]:
        raise AssertionError(f"{args.token}: answered by the monitor")


class _Monitor(mocks.MockMonitor):
    """Keeps every registration; answers it as a preview or as an update would."""

    def __init__(self, *, project: str, stack: str, preview: bool) -> None:
        super().__init__(_NoMocks())
        self._project, self._stack, self._preview = project, stack, preview
        self._lock = threading.Lock()
        self.registered: dict[str, Resource] = {}
        self.exports: dict[str, Any] = {}

    def make_urn(self, parent: str, type_: str, name: str) -> str:
        return make_urn(self._stack, self._project, parent, type_, name)

    def RegisterResource(self, request: Any) -> Any:  # noqa: N802 -- the protocol's name
        urn = self.make_urn(request.parent, request.type, request.name)
        if request.type == STACK_TYPE:
            return resource_pb2.RegisterResourceResponse(urn=urn)
        inputs, secrets = wire.from_struct(request.object)
        if not request.custom:
            answer = answers.Answer(None, {})
        elif self._preview:
            answer = answers.preview(request.type, inputs)
        else:
            answer = answers.update(
                urn, request.type, request.name, inputs, self.account_id(request), self.region(request, inputs)
            )
        resource = Resource(
            urn=urn,
            type=request.type,
            name=request.name,
            parent=request.parent or None,
            provider=request.provider,
            custom=request.custom,
            protect=request.protect,
            dependencies=tuple(sorted(request.dependencies)),
            property_dependencies={
                key: tuple(sorted(value.urns))
                for key, value in sorted(request.propertyDependencies.items())
                if value.urns
            },
            inputs=inputs,
            id=answer.id,
            outputs=answer.outputs,
            options=wire.options(request),
            secrets=tuple(secrets),
        )
        with self._lock:
            if urn in self.registered:
                raise UsageError(f"{urn}: two resources have this URN; give one of them another name or parent")
            self.registered[urn] = resource
        response = resource_pb2.RegisterResourceResponse(urn=urn)
        if request.custom:
            response.id = answer.id or ""  # empty: not known yet
            wire.into_struct(answer.outputs, response.object, like=request.object)
        return response

    def RegisterResourceOutputs(self, request: Any) -> Any:  # noqa: N802 -- the protocol's name
        outputs, _ = wire.from_struct(request.outputs)
        with self._lock:
            if (resource := self.registered.get(request.urn)) is not None:
                object.__setattr__(resource, "outputs", outputs)
            elif STACK_TYPE in request.urn:
                self.exports = outputs
        return empty_pb2.Empty()

    def ReadResource(self, request: Any) -> Any:  # noqa: N802 -- the protocol's name
        urn = self.make_urn(request.parent, request.type, request.name)
        state, _ = wire.from_struct(request.properties)
        outputs = answers.read(urn, request.type, request.name, request.id, state, preview=self._preview)
        response = resource_pb2.ReadResourceResponse(urn=urn)
        wire.into_struct(outputs, response.properties)
        return response

    def Invoke(self, request: Any) -> Any:  # noqa: N802 -- the protocol's name
        arguments, _ = wire.from_struct(request.args)
        result = lookups.answer(
            request.tok, arguments, account_id=self.account_id(request), region=self.region(request, arguments)
        )
        response = resource_pb2.ResourceInvokeResponse()
        wire.into_struct(result, getattr(response, "return"))
        return response

    def _provider(self, request: Any) -> Mapping[str, Any]:
        provider = self.registered.get(request.provider.rsplit("::", 1)[0])
        return provider.inputs if provider is not None else {}

    def account_id(self, request: Any) -> str:
        """The account the resource's provider is allowed to touch, else AWS's own example account."""
        allowed = wire.decoded(self._provider(request).get("allowedAccountIds"))
        return str(allowed[0]) if is_list(allowed) and allowed else answers.EXAMPLE_ACCOUNT

    def region(self, request: Any, inputs: Mapping[str, Any]) -> str:
        """The resource's own region, else its provider's, else us-east-1."""
        region = inputs.get("region") or self._provider(request).get("region")
        return region if isinstance(region, str) and region != UNKNOWN else answers.EXAMPLE_REGION


def run(
    entry: Callable[[], object],
    *,
    project: str = "project",
    stack: str = "stack",
    config: Mapping[str, str] | None = None,
    secret_keys: tuple[str, ...] = (),
    preview: bool = False,
    root: Path | None = None,
) -> Run:
    """Run `entry` as the body of a Pulumi program and return what it registered.

    Args:
        entry: Called with no arguments; its result is ignored.
        config: Full keys (`gpufleet:settings`) to strings, objects as JSON text, as the engine hands them over.
        preview: Whether ids and computed outputs stay unknown, or are made up.

    Raises:
        UsageError: two resources share a URN, or the program asks for a lookup that has no offline answer.
        Exception: whatever the program itself raises, unchanged.
    """
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)  # as the language host: one failure, one message

    async def go() -> _Monitor:
        asyncio.get_running_loop().set_default_executor(shortcuts.InlineExecutor())
        monitor = _Monitor(project=project, stack=stack, preview=preview)
        pulumi.runtime.set_all_config(dict(config or {}), list(secret_keys))
        settings.ROOT.set(object())  # pyright: ignore[reportArgumentType] -- keeps set_mocks from making a stack of its own
        mocks.set_mocks(_NoMocks(), project, stack, preview, monitor=monitor, organization=ORGANIZATION)
        settings.ROOT.set(None)
        settings.SETTINGS.root_directory = str(root) if root else None  # pyright: ignore[reportAttributeAccessIssue] -- a proxy that has no typed setter

        def body() -> None:
            entry()

        await pulumi.runtime.run_in_stack(body)
        return monitor

    with _scrubbed_environment(), shortcuts.no_collector(), shortcuts.no_stack_traces(), shortcuts.patient():
        monitor = asyncio.run(go())
    resources = tuple(monitor.registered[urn] for urn in sorted(monitor.registered))
    return Run(project=project, stack=stack, preview=preview, resources=resources, outputs=monitor.exports)


def run_directory(
    directory: Path,
    *,
    project: str,
    stack: str,
    config: Mapping[str, str],
    secret_keys: tuple[str, ...] = (),
    preview: bool,
    main: str = ".",
) -> Run:
    """Run the Pulumi program in `directory` as the language host would: its folder on the path and as the cwd.

    Raises:
        UsageError: there is no program here, or as `run`.
    """
    program = (directory / main).resolve()
    folder = program if program.is_dir() else program.parent
    if not (program / "__main__.py").is_file() and not program.is_file():
        raise UsageError(
            f"{program}: there is no __main__.py here; point --program at the folder of a Pulumi Python program"
        )

    def entry() -> None:
        runpy.run_path(str(program), run_name="__main__")

    cwd = Path.cwd()
    os.chdir(directory)
    sys.path.insert(0, str(folder))
    try:
        with modules.forgotten(folder):
            return run(
                entry,
                project=project,
                stack=stack,
                config=config,
                secret_keys=secret_keys,
                preview=preview,
                root=directory,
            )
    finally:
        os.chdir(cwd)
        sys.path.remove(str(folder))


@contextlib.contextmanager
def _scrubbed_environment() -> Generator[None]:
    saved = {key: os.environ.pop(key) for key in _SCRUBBED if key in os.environ}
    try:
        yield
    finally:
        os.environ.update(saved)

"""A program of one resource at a time, run against the stand-in as the engine does: check, diff, create and so on."""

import asyncio
import itertools
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from pulumi.provider.experimental.property_value import PropertyValue
from pulumi.provider.experimental.provider import (
    CheckRequest,
    CheckResponse,
    ConfigureRequest,
    CreateRequest,
    DeleteRequest,
    DiffRequest,
    DiffResponse,
    InvokeRequest,
    ReadRequest,
    UpdateRequest,
)

from gpufleet.rehearsal.aws.values import plain_map, wrap_map
from gpufleet.rehearsal.kubernetes.api import Api
from gpufleet.rehearsal.kubernetes.objects import Objects
from gpufleet.rehearsal.kubernetes.provider import KubernetesStandIn

Answer = TypeVar("Answer")

_NUMBERS = itertools.count()
_SEEDS = itertools.count()


@dataclass
class Standing:
    """A resource that has been created."""

    urn: str
    id: str
    inputs: Mapping[str, PropertyValue]
    properties: Mapping[str, PropertyValue]

    @property
    def state(self) -> dict[str, Any]:
        return plain_map(self.properties)

    @property
    def name(self) -> str:
        return str(self.state["metadata"]["name"])


class Program:
    def __init__(self, api: Api, **settings: Any) -> None:
        self.objects = Objects(api)
        self.warnings: list[tuple[str, str]] = []
        self.provider = KubernetesStandIn(lambda urn: api, lambda urn, message: self.warnings.append((urn, message)))
        self.standing: list[Standing] = []
        self._run(self.provider.configure(ConfigureRequest({}, wrap_map(settings), True, True)))

    def _run(self, answer: Coroutine[Any, Any, Answer]) -> Answer:
        return asyncio.run(answer)

    def urn(self, token: str, name: str | None = None) -> str:
        return f"urn:pulumi:dev::lab::lab:index:Parent${token}::{name or f'res{next(_NUMBERS)}'}"

    def checked(
        self, urn: str, inputs: Mapping[str, Any], old: Mapping[str, PropertyValue] | None = None
    ) -> CheckResponse:
        given = {
            key: value if isinstance(value, PropertyValue) else wrap_map({key: value})[key]
            for key, value in inputs.items()
        }
        seed = str(next(_SEEDS)).encode()
        return self._run(self.provider.check(CheckRequest(urn, dict(old or {}), given, seed)))

    def check(
        self, urn: str, inputs: Mapping[str, Any], old: Mapping[str, PropertyValue] | None = None
    ) -> dict[str, PropertyValue]:
        answer = self.checked(urn, inputs, old)
        assert not answer.failures, [failure.reason for failure in answer.failures]
        assert answer.inputs is not None
        return answer.inputs

    def preview(self, token: str, inputs: Mapping[str, Any]) -> dict[str, Any]:
        urn = self.urn(token)
        request = CreateRequest(urn, self.check(urn, inputs), 0, preview=True)
        return plain_map(self._run(self.provider.create(request)).properties)

    def create(self, token: str, inputs: Mapping[str, Any], name: str | None = None) -> Standing:
        urn = self.urn(token, name)
        checked = self.check(urn, inputs)
        answer = self._run(self.provider.create(CreateRequest(urn, checked, 0, preview=False)))
        assert answer.resource_id
        made = Standing(urn, answer.resource_id, checked, answer.properties)
        self.standing.append(made)
        return made

    def diff(self, standing: Standing, inputs: Mapping[str, Any], ignored: tuple[str, ...] = ()) -> DiffResponse:
        checked = self.check(standing.urn, inputs, standing.inputs)
        request = DiffRequest(standing.urn, standing.id, dict(standing.properties), checked, list(ignored))
        return self._run(self.provider.diff(request))

    def update(self, standing: Standing, inputs: Mapping[str, Any], ignored: tuple[str, ...] = ()) -> Standing:
        """Change the resource, which must be possible in place, and leave no difference behind."""
        difference = self.diff(standing, inputs, ignored)
        assert difference.changes
        assert difference.replaces == []
        checked = self.check(standing.urn, inputs, standing.inputs)
        properties = dict(standing.properties)
        request = UpdateRequest(standing.urn, standing.id, properties, checked, 0, list(ignored), preview=False)
        updated = Standing(standing.urn, standing.id, checked, self._run(self.provider.update(request)).properties)
        assert self.diff(updated, inputs, ignored).changes is False
        self.standing[self.standing.index(standing)] = updated
        return updated

    def foreseen(self, standing: Standing, inputs: Mapping[str, Any]) -> dict[str, Any]:
        checked = self.check(standing.urn, inputs, standing.inputs)
        request = UpdateRequest(standing.urn, standing.id, dict(standing.properties), checked, 0, [], preview=True)
        return plain_map(self._run(self.provider.update(request)).properties)

    def read(self, standing: Standing) -> Standing | None:
        request = ReadRequest(standing.urn, standing.id, dict(standing.properties), dict(standing.inputs))
        answer = self._run(self.provider.read(request))
        return Standing(standing.urn, standing.id, answer.inputs, answer.properties) if answer.resource_id else None

    def import_(self, token: str, resource_id: str) -> Standing:
        urn = self.urn(token)
        answer = self._run(self.provider.read(ReadRequest(urn, resource_id, {}, {})))
        assert answer.resource_id
        return Standing(urn, answer.resource_id, answer.inputs, answer.properties)

    def delete(self, standing: Standing) -> None:
        self._run(self.provider.delete(DeleteRequest(standing.urn, standing.id, dict(standing.properties), 0)))
        self.standing = [each for each in self.standing if each is not standing]

    def close(self) -> None:
        """Delete what the test has left, last made first."""
        for standing in reversed(self.standing):
            self.delete(standing)

    def invoke(self, token: str, arguments: Mapping[str, Any] | None = None) -> dict[str, Any]:
        answer = self._run(self.provider.invoke(InvokeRequest(token, wrap_map(arguments or {}))))
        return plain_map(answer.return_value or {})

"""A program of one resource at a time, run against the stand-in as the engine does: check, diff, create and so on."""

import asyncio
import itertools
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from pulumi.provider.experimental.property_value import PropertyValue
from pulumi.provider.experimental.provider import (
    CheckRequest,
    ConfigureRequest,
    CreateRequest,
    DeleteRequest,
    DiffRequest,
    DiffResponse,
    InvokeRequest,
    ReadRequest,
    UpdateRequest,
)

from gpufleet.rehearsal.aws.calls import Api
from gpufleet.rehearsal.aws.provider import AwsStandIn
from gpufleet.rehearsal.aws.values import plain_map, wrap_map

Answer = TypeVar("Answer")


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

    def __getitem__(self, name: str) -> Any:
        return self.state[name]


class Refused(AssertionError):
    """The stand-in's check refused the inputs; the message holds its reasons."""


class Program:
    def __init__(
        self, endpoint: str, *, region: str = "us-east-1", account: str | None = None, **settings: str
    ) -> None:
        self.provider = AwsStandIn(Api(endpoint, account))
        self.account = account or "dev"
        self._numbers = itertools.count()
        self.configure(region=region, **settings)

    def configure(self, **settings: str) -> None:
        self._run(self.provider.configure(ConfigureRequest({}, wrap_map(settings), True, True)))

    def _run(self, answer: Coroutine[Any, Any, Answer]) -> Answer:
        return asyncio.run(answer)

    def urn(self, token: str, name: str | None = None) -> str:
        return f"urn:pulumi:{self.account}::lab::lab:index:Parent${token}::{name or f'res{next(self._numbers)}'}"

    def check(
        self, urn: str, inputs: Mapping[str, Any], old: Mapping[str, PropertyValue] | None = None, seed: bytes = b""
    ) -> dict[str, PropertyValue]:
        answer = self._run(self.provider.check(CheckRequest(urn, dict(old or {}), wrap_map(inputs), seed)))
        if answer.failures:
            raise Refused("; ".join(f"{failure.property}: {failure.reason}" for failure in answer.failures))
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
        return Standing(urn, answer.resource_id, checked, answer.properties)

    def diff(self, standing: Standing, inputs: Mapping[str, Any], ignored: tuple[str, ...] = ()) -> DiffResponse:
        checked = self.check(standing.urn, inputs, standing.inputs)
        return self._run(
            self.provider.diff(
                DiffRequest(standing.urn, standing.id, dict(standing.properties), checked, list(ignored))
            )
        )

    def update(self, standing: Standing, inputs: Mapping[str, Any]) -> Standing:
        """Change the resource, which must be possible in place, and leave no difference behind."""
        difference = self.diff(standing, inputs)
        assert difference.changes
        assert difference.replaces == []
        checked = self.check(standing.urn, inputs, standing.inputs)
        request = UpdateRequest(standing.urn, standing.id, dict(standing.properties), checked, 0, [], preview=False)
        updated = Standing(standing.urn, standing.id, checked, self._run(self.provider.update(request)).properties)
        assert self.diff(updated, inputs).diffs == []
        return updated

    def preview_update(self, standing: Standing, inputs: Mapping[str, Any]) -> dict[str, Any]:
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
        request = DeleteRequest(standing.urn, standing.id, dict(standing.properties), 0)
        self._run(self.provider.delete(request))

    def invoke(self, token: str, arguments: Mapping[str, Any] | None = None) -> dict[str, Any]:
        answer = self._run(self.provider.invoke(InvokeRequest(token, wrap_map(arguments or {}))))
        return plain_map(answer.return_value or {})

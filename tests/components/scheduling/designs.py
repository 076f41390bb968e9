"""Designs as `decide` makes them, and Karpenter's own definitions to hold their objects against."""

from functools import cache
from pathlib import Path
from typing import Any

import yaml

from components.compute.design import decide
from components.compute.design.shapes import Design
from components.scheduling.node_class import Surroundings
from tests.components import builds as common
from tests.components.scheduling import builds

DEFINITIONS = Path(__file__).parent / "definitions" / "karpenter-1.14.1.yaml"


def design(**changes: Any) -> Design:
    """Of the pool that differs so from `builds.POOL`."""
    return decide(builds.pool_args(**changes).request("karpenter"))


def around(**changes: Any) -> Surroundings:
    defaults: dict[str, Any] = {
        "role_name": "karpenter-nodes",
        "instance_profile": None,
        "subnet_ids": ["subnet-a", "subnet-b"],
        "security_group_ids": ["sg-nodes"],
        "volume_key_arn": common.KEY,
        "reservation_id": None,
        "placement_group": None,
        "tags": {"team": "vision"},
        "user_data": None,
    }
    return Surroundings(**(defaults | changes))


@cache
def definitions() -> dict[str, dict[str, Any]]:
    """Karpenter's own definitions in the pinned version, by kind."""
    found: list[dict[str, Any]] = list(yaml.safe_load_all(DEFINITIONS.read_text(encoding="utf-8")))
    return {definition["spec"]["names"]["kind"]: definition for definition in found}


@cache
def spec_schema(kind: str) -> dict[str, Any]:
    """The schema of the kind's spec, in which a field that is not declared is a mistake, as the API server has it."""
    (version,) = definitions()[kind]["spec"]["versions"]
    closed: dict[str, Any] = _closed(version["schema"]["openAPIV3Schema"]["properties"]["spec"])
    return closed


def _closed(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_closed(item) for item in schema]  # pyright: ignore[reportUnknownVariableType] -- any JSON
    if not isinstance(schema, dict):
        return schema
    inner: dict[str, Any] = {key: _closed(value) for key, value in schema.items()}  # pyright: ignore[reportUnknownVariableType] -- any JSON
    if isinstance(inner.get("properties"), dict) and inner.get("type") == "object":
        inner.setdefault("additionalProperties", False)
    return inner

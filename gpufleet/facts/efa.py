"""What a pod needs to talk over EFA, and what it had better leave alone, from ``data/efa.json``."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from gpufleet.facts import _data

POD_HUGEPAGES_MIB: int = _data.read("efa")["pod_hugepages_mib"]["value"]
"""What a pod that uses EFA asks for in pages of 2 MiB, where nodes have them."""


@dataclass(frozen=True, slots=True)
class Variable:
    """An environment variable of the container that computes."""

    name: str
    value: str | None
    """None for one to leave unset."""
    why: str
    families: tuple[str, ...] = ()
    """Instance families that it is for; none means all."""


@dataclass(frozen=True, slots=True)
class Plugin:
    """The device plugin that offers EFA interfaces to pods."""

    chart: str
    repository: str
    chart_version: str
    app_version: str


@cache
def plugin() -> Plugin:
    """The pinned one."""
    row: dict[str, Any] = _data.read("efa")["plugin"]
    return Plugin(row["chart"], row["repository"], row["chart_version"], row["app_version"])


def least_plugin(families: Sequence[str]) -> str | None:
    """The oldest version of the plugin that counts the interfaces of these families rightly; None where any does."""
    rows: list[dict[str, str]] = _data.read("efa")["plugin"]["least"]
    versions = [row["version"] for row in rows if row["family"] in families]
    return max(versions, key=version_key, default=None)


def version_key(version: str) -> tuple[int, ...]:
    """For comparison: v0.5.9 comes before v0.5.10."""
    return tuple(int(part) for part in version.removeprefix("v").split("."))


@cache
def variables() -> tuple[Variable, ...]:
    """Those to set."""
    rows: list[dict[str, Any]] = _data.read("efa")["set"]
    return tuple(Variable(row["name"], row["value"], row["why"], tuple(row.get("families", ()))) for row in rows)


@cache
def left_alone() -> tuple[Variable, ...]:
    """Those that others recommend and that do harm today."""
    rows: list[dict[str, Any]] = _data.read("efa")["leave"]
    return tuple(Variable(row["name"], None, row["why"]) for row in rows)

"""Into what a GPU can be cut (Multi-Instance GPU), from ``data/mig_profiles.json``."""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from gpufleet.facts import _data


def find(model: str | None, memory_mib: int | None) -> Mapping[str, int]:
    """How many instances of each profile one GPU yields that is cut into nothing else.

    Args:
        model: as the instance catalogue spells it, `H100`.
        memory_mib: of one GPU; the same model with another memory has other profiles.

    Returns:
        `{"1g.10gb": 7, ...}`, smallest first; empty where the GPU cannot be cut, or no source tells how.
    """
    return _gpus().get((model, memory_mib), MappingProxyType({}))


def bottlerocket(model: str | None, memory_mib: int | None) -> tuple[str, ...]:
    """The profiles into which Bottlerocket's own MIG manager cuts that GPU; it has fewer than NVIDIA's."""
    return _bottlerocket().get((model, memory_mib), ("", ()))[1]


def bottlerocket_model(model: str | None, memory_mib: int | None, profile: str) -> str | None:
    """What Bottlerocket calls that GPU, `h100.80gb`; None where its MIG manager does not cut it into this profile."""
    name, profiles = _bottlerocket().get((model, memory_mib), ("", ()))
    return name if profile in profiles else None


@cache
def _bottlerocket() -> Mapping[tuple[str | None, int | None], tuple[str, tuple[str, ...]]]:
    rows: list[dict[str, Any]] = _data.read("mig_profiles")["bottlerocket"]["gpus"]
    return MappingProxyType({(row["model"], row["memory_mib"]): (row["name"], tuple(row["profiles"])) for row in rows})


@cache
def _gpus() -> Mapping[tuple[str | None, int | None], Mapping[str, int]]:
    rows: list[dict[str, Any]] = _data.read("mig_profiles")["gpus"]
    return MappingProxyType({(row["model"], row["memory_mib"]): MappingProxyType(row["profiles"]) for row in rows})

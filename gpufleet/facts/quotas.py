"""Service quotas that a GPU cluster runs into, from ``data/quotas.json``: names, codes, and what a new account has.

What an account really has is told by Service Quotas alone; a default here is what to expect before anybody asked.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any

from gpufleet.facts import _data

_FAMILY = re.compile(r"([a-z]+)(\d*)")
_COUNTED = re.compile(r"(?:Running On-Demand|All) (.+) (?:instances|Spot Instance Requests)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Quota:
    """One quota of an account in a region."""

    service: str
    """Service code: `ec2`, `vpc`, `eks`."""
    code: str | None
    """`L-417A185B`; None where no source tells it, and the name has to be looked for."""
    name: str
    default: int | None
    """What a new account has; None where no source tells."""
    unit: str
    """`vCPU` for instances; empty where things are counted."""


def vcpus(instance_type: str, purchase: str) -> Quota | None:
    """The quota that instances of this type count against, in vCPUs; `None` where no source tells.

    Args:
        instance_type: also one that the catalogue does not hold.
        purchase: `on-demand` (an On-Demand Capacity Reservation too) or `spot`. Capacity blocks count against none.
    """
    found = _FAMILY.match(instance_type)
    if found is None:
        return None
    by_family = _vcpus()
    return by_family.get((purchase, found[0])) or by_family.get((purchase, found[1]))


def limit(key: str) -> Quota:
    """The quota of that key: `elastic-ip`, `vpc`, ...; raises `KeyError` for another."""
    return _limits()[key]


def limit_keys() -> tuple[str, ...]:
    """The keys that `limit` knows, in the order of the file."""
    return tuple(_limits())


def all_vcpus() -> tuple[Quota, ...]:
    """Every quota counted in vCPUs, each once, in the order of the file."""
    return tuple(dict.fromkeys(_vcpus().values()))


def counts(name: str, instance_type: str) -> bool:
    """Whether a quota of this name is about the type: by its family letters, or by letters and generation.

    `All P4, P3 and P2 Spot Instance Requests` is about p4d.24xlarge, and `All P ...` would be about every P type.
    """
    found, named = _FAMILY.match(instance_type), _COUNTED.fullmatch(name)
    if found is None or named is None:
        return False
    return bool({found[0], found[1]} & set(re.findall(r"[a-z]+\d*", named[1].lower())))


@cache
def _vcpus() -> Mapping[tuple[str, str], Quota]:
    rows: list[dict[str, Any]] = _data.read("quotas")["vcpu"]["quotas"]
    found: dict[tuple[str, str], Quota] = {}
    for row in rows:
        quota = Quota(service="ec2", code=row["code"], name=row["name"], default=row["default"], unit="vCPU")
        found |= {(row["purchase"], family): quota for family in row["families"]}
    return MappingProxyType(found)


@cache
def _limits() -> Mapping[str, Quota]:
    rows: list[dict[str, Any]] = _data.read("quotas")["limits"]
    return MappingProxyType(
        {
            row["key"]: Quota(
                service=row["service"], code=row["code"], name=row["name"], default=row["default"], unit=""
            )
            for row in rows
        }
    )

"""How many addresses the network plugin can hold on an instance, from ``data/interface_limits.json``."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from gpufleet.facts import _data


@dataclass(frozen=True, slots=True)
class InterfaceLimits:
    """What EC2 allows on network card 0, the only one from which the VPC CNI gives addresses to pods."""

    interfaces: int
    addresses: int
    """IPv4 addresses of each interface, its own among them; a /28 prefix counts as one."""


def find(instance_type: str) -> InterfaceLimits | None:
    """The limits of that type, or `None` where no source tells."""
    return _table().get(instance_type)


@cache
def _table() -> Mapping[str, InterfaceLimits]:
    rows: dict[str, list[int]] = _data.read("interface_limits")["instances"]
    return MappingProxyType({name: InterfaceLimits(*row) for name, row in rows.items()})

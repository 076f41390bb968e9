"""What a bill hangs on and no plan tells: how busy a pool is, what spot costs, how much data flows and lies."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Stated:
    """A figure and why it is that one."""

    value: Decimal
    why: str


@cache
def _file() -> Mapping[str, Any]:
    return json.loads((Path(__file__).parent / "data" / "assumptions.json").read_bytes())


def utilisation_of(use: str) -> Stated:
    """What is assumed of a pool's use (`interactive`, `training`, ...); of one that is not known, as of none."""
    known = _file()["utilisation"]
    entry = known.get(use, known[""])
    return Stated(Decimal(str(entry["value"])), entry["why"])


def _spot_ratio() -> Stated:
    entry = _file()["spot_ratio"]
    return Stated(Decimal(str(entry["value"])), entry["why"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumptions:
    """Each has a default, so that a plan can be priced by itself."""

    utilisation: Mapping[str, Decimal] = field(default_factory=dict[str, Decimal])
    """Share, 0 to 1, of what lies between a pool's floor and its ceiling that is there on average; by the pool's name
    or its resource's."""
    spot: Stated = field(default_factory=_spot_ratio)
    """Spot price as a share of on-demand, where no history is known."""
    usage: Mapping[str, Decimal] = field(default_factory=dict[str, Decimal])
    """GiB a month, by the keys of `gpufleet.pricing.usage.KINDS`; what is not there is 0."""

    def busy(self, resource_name: str, pool: str, use: str) -> Stated:
        """The utilisation of a pool and why."""
        for name in (resource_name, pool):
            if name in self.utilisation:
                return Stated(self.utilisation[name], "as told by --utilisation")
        return utilisation_of(use)

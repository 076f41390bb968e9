"""Prices: on-demand hours of instance types, spot history, and the services around a cluster.

The figures are those of ``data/prices.json``; a file of one's own (`use`, or the environment variable
``GPUFLEET_PRICES``) is laid over them: what it has comes first, what it lacks stays as it is. Such a file is never
looked for anywhere, so that two machines with the same settings count the same money.

No discount, no tax. A list price of another region stands in where the region's own is not known, and says so
(`Price.assumed`); spot has no stand-in. Where no figure is known at all the answer is `None`, never zero.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast

from gpufleet.facts import _data

VARIABLE = "GPUFLEET_PRICES"
"""Environment variable that names a price file; `use` comes before it."""

BUILT_IN = "built-in"
"""What `source` says where no file is laid over."""


@dataclass(frozen=True, slots=True)
class Price:
    """What one unit costs."""

    usd: float
    unit: str
    """`hour`, `month`, `gib-month`, `gib`; for gp3 above its baseline also `iops-month` and `mibps-month`."""
    region: str
    """The region the figure is from."""
    date: str
    """Day on which the figure held, ISO 8601."""
    source: str
    assumed: bool
    """Whether the figure is another region's, standing in for the one that was asked for."""


@dataclass(frozen=True, slots=True)
class SpotHistory:
    """What a spot hour of a type has cost in a region; USD, all zones together."""

    mean: float
    """Over the time between the two days, each zone counting the same."""
    low: float
    high: float
    region: str
    since: str
    until: str
    source: str


class UnreadablePrices(ValueError):
    """A price file that is not there or does not say what one says; the text names the place and the fix."""


_FILE = _data.read("prices")

AS_OF: str = _FILE["as_of"]
"""Date of the built-in accelerator prices, on which every plan's total hangs; each `Price` has its own."""

HOURS_PER_MONTH: int = _FILE["hours_per_month"]["value"]
"""AWS's own convention for a month."""

SPOT_FLOOR_RATIO: float = _FILE["spot_floor_ratio"]["value"]
"""Spot is not expected below this share of the on-demand price; it is not above the whole of it by default."""


@dataclass(frozen=True, slots=True)
class _Tables:
    as_of: str
    instances: Mapping[str, Mapping[str, Price]]
    services: Mapping[str, Mapping[str, Price]]
    spot: Mapping[str, Mapping[str, SpotHistory]]


_laid_over: Path | None = None


def use(path: Path | None) -> None:
    """Lay the figures of a file over the built-in ones from here on; `None` takes them away again.

    Raises:
        UnreadablePrices: the file cannot be read or is not a price file.
    """
    global _laid_over
    if path is not None:
        _overlaid(path.resolve())
    _laid_over = path.resolve() if path is not None else None


def check(path: Path) -> None:
    """Read a price file without using it.

    Raises:
        UnreadablePrices: the file cannot be read or is not a price file.
    """
    _load(path)


def source() -> str:
    """Where the figures come from: `built-in`, or the path of the file that is laid over them."""
    path = _path()
    return BUILT_IN if path is None else str(path)


def as_of() -> str:
    """Date of the figures in force: the file's that is laid over, else the built-in ones'."""
    return _tables().as_of


def instance_hour(name: str, region: str) -> Price | None:
    """On-demand hour of an instance type (Linux, shared tenancy), or `None` when no list price is known."""
    return _in_region(_tables().instances.get(name, {}), region)


def spot_hour(name: str, region: str) -> SpotHistory | None:
    """What spot hours of a type have cost in that very region, or `None` when no history is known."""
    return _tables().spot.get(name, {}).get(region)


def service(key: str, region: str) -> Price | None:
    """Price of a service by key (`nat-gateway`, `eks-cluster`, ...), or `None` for a key that is not known."""
    return _in_region(_tables().services.get(key, {}), region)


def service_keys() -> tuple[str, ...]:
    """The keys that `service` knows, in the order of the file."""
    return tuple(_tables().services)


def _in_region(by_region: Mapping[str, Price], region: str) -> Price | None:
    price = by_region.get(region)
    if price is not None:
        return price
    stand_in = by_region.get(_FILE["stand_in_region"])
    return None if stand_in is None else replace(stand_in, assumed=True)


def _path() -> Path | None:
    if _laid_over is not None:
        return _laid_over
    named = os.environ.get(VARIABLE)
    return _absolute(named) if named else None


@cache
def _absolute(named: str) -> Path:
    """Kept, since a program that is planned may change the working directory meanwhile."""
    return Path(named).resolve()


def _tables() -> _Tables:
    path = _path()
    return _built_in() if path is None else _overlaid(path)


@cache
def _built_in() -> _Tables:
    return _read(_FILE)


@cache
def _overlaid(path: Path) -> _Tables:
    return _load(path)


def _load(path: Path) -> _Tables:
    under = _built_in()
    try:
        document = json.loads(path.read_bytes())
        if not isinstance(document, dict):
            raise TypeError("it holds no JSON object")
        over = _read(cast("dict[str, Any]", document))
    except OSError as error:
        raise UnreadablePrices(f"{path}: the price file cannot be read: {error.strerror or error}") from error
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        what = f"{error} is missing" if isinstance(error, KeyError) else str(error)
        raise UnreadablePrices(
            f"{path}: is not a price file: {what}\n"
            "  allowed: what `gpufleet prices refresh` writes (docs/reference/cost.md)\n"
            "  fix: write it anew, or leave it out: the built-in prices are then used"
        ) from error
    return _Tables(
        over.as_of,
        _merged(under.instances, over.instances),
        _merged(under.services, over.services),
        _merged(under.spot, over.spot),
    )


def _merged(under: Mapping[str, Mapping[str, Any]], over: Mapping[str, Mapping[str, Any]]) -> Any:
    keys = dict.fromkeys([*under, *over])
    return MappingProxyType({key: {**under.get(key, {}), **over.get(key, {})} for key in keys})


def _read(file: Mapping[str, Any]) -> _Tables:
    if file["schema"] != 1:
        raise ValueError(f"schema {file['schema']!r}, not 1")
    hours: dict[str, dict[str, Price]] = {}
    for group in file.get("instance_hours", ()):
        region, date, origin = group["region"], group["date"], group["source"]
        for name, usd in group["usd"].items():
            hours.setdefault(name, {})[region] = Price(_usd(usd, name), "hour", region, date, origin, assumed=False)
    services: dict[str, dict[str, Price]] = {}
    for row in file.get("services", ()):
        usd = _usd(row["usd"], row["key"])
        price = Price(usd, row["unit"], row["region"], row["date"], row["source"], assumed=False)
        services.setdefault(row["key"], {})[row["region"]] = price
    spot: dict[str, dict[str, SpotHistory]] = {}
    for group in file.get("spot_hours", ()):
        region, origin = group["region"], group["source"]
        for name, usd in group["usd"].items():
            mean, low, high = (_usd(usd[key], name) for key in ("mean", "low", "high"))
            history = SpotHistory(mean, low, high, region, group["since"], group["until"], origin)
            spot.setdefault(name, {})[region] = history
    return _Tables(str(file["as_of"]), MappingProxyType(hours), MappingProxyType(services), MappingProxyType(spot))


def _usd(value: object, what: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < float("inf"):
        raise ValueError(f"{what}: {value!r} is not a price above zero")
    return float(value)

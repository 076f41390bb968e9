"""The checks of the settings that need facts: plain values in, a mistake out."""

import re
from collections.abc import Mapping, Sequence

from components.network import cidrs
from gpufleet.facts import instances, prices
from stacks.mistakes import mistake

_RETENTION_DAYS = (
    1,
    3,
    5,
    7,
    14,
    30,
    60,
    90,
    120,
    150,
    180,
    365,
    400,
    545,
    731,
    1096,
    1827,
    2192,
    2557,
    2922,
    3288,
    3653,
)
"""What CloudWatch Logs' PutRetentionPolicy accepts."""


def network(region: str, cidr: str, zones: Sequence[str]) -> None:
    """The zones are the region's, each once, and the block has room for their subnets."""
    path = f"regions.{region}.network"
    for index, zone in enumerate(zones):
        if not re.fullmatch(rf"{re.escape(region)}[a-h]", zone):
            raise mistake(
                f"{path}.zones.{index}", zone, f"zones of {region}, such as {region}a", "name a zone of this region"
            )
    if len(set(zones)) != len(zones):
        raise mistake(f"{path}.zones", list(zones), "each zone once", "drop the repeated zone")
    try:
        cidrs.plan(cidr, zones)
    except ValueError as error:
        allowed = f"a private IPv4 block of /{cidrs.LARGEST_PREFIX} to /{cidrs.SMALLEST_PREFIX}, such as 10.20.0.0/16"
        raise mistake(f"{path}.cidr", cidr, allowed, str(error).removeprefix("cidr: ")) from None


def affordable(limits: Mapping[str, float], region: str, pool: str, types: Sequence[str]) -> None:
    """Each limit of the budget pays at least one hour of one node of the pool's cheapest type."""
    known = [(price.usd, name) for name in types if (price := prices.instance_hour(name, region))]
    if not known:
        return  # the plan lists it as unpriced
    hour, name = min(known)
    for key, limit in limits.items():
        if limit < hour:
            least = f"at least {hour:g} USD, one hour of one {name} node of pool {pool}"
            raise mistake(f"budget.{key}", limit, least, f"raise {key}, or give the pool a smaller type")


def known_types(types: tuple[str, ...]) -> tuple[str, ...]:
    """Every type is in the catalogue."""
    for index, name in enumerate(types):
        try:
            instances.get(name)
        except instances.UnknownInstanceType as error:
            near = (
                f"did you mean {', '.join(error.nearest)}?"
                if error.nearest
                else "look at gpufleet/facts/data/instances.json"
            )
            raise mistake(str(index), name, "EC2 instance types of the catalogue", near) from None
    return types


def retention_days(days: int) -> int:
    """CloudWatch keeps logs for one of its own periods."""
    if days not in _RETENTION_DAYS:
        nearest = min(_RETENTION_DAYS, key=lambda period: abs(period - days))
        raise mistake("", days, ", ".join(map(str, _RETENTION_DAYS)), f"write {nearest}")
    return days

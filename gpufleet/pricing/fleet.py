"""A number of instances between a floor and a ceiling, bought one way, of one or several types: what it costs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from gpufleet.facts import instances, prices
from gpufleet.facts.prices import Price
from gpufleet.pricing import wire
from gpufleet.pricing.charge import Charge, Gap, usd

_SPOT_FLOOR: Final = Decimal(str(prices.SPOT_FLOOR_RATIO))

_NOTES: Final = {
    "spot": f"floor at {prices.SPOT_FLOOR_RATIO:.0%} of on-demand, ceiling at on-demand: spot lies between",
    "capacity-block": "a capacity block is paid in advance at its offering's price; shown at the on-demand rate",
    "reservation": "billed used or not; an instance that runs in it is counted twice here",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Fleet:
    """So many to so many instances of some of these types."""

    types: Sequence[object]
    """Names of instance types as the inputs give them, so perhaps unknown or not even texts."""
    minimum: Decimal
    maximum: Decimal
    purchase: str
    """`on-demand`, `spot`, `capacity-block` or `reservation`."""
    on_demand_minimum: Decimal | None = None
    """How many of the floor's instances are on-demand; `None`: none of a spot fleet, all of any other."""


def charges(fleet: Fleet, region: str) -> Iterator[Charge | Gap]:
    """Floor in the cheapest type, ceiling in the dearest; a type without a price is a gap and left out of both."""
    known: dict[str, Price] = {}
    missing: list[str] = []
    for name in fleet.types:
        price = prices.instance_hour(name, region) if isinstance(name, str) else None
        if isinstance(name, str) and price is not None:
            known[name] = price
        else:
            missing.append(str(name))
            yield Gap(_why_no_price(name))
    if not known:
        if not fleet.types:
            yield Gap("no instance type is named, neither on the resource nor in its launch template")
        return
    notes = [_NOTES.get(fleet.purchase, ""), f"without {', '.join(missing)}: no price" if missing else ""]
    dearest = max(known.values(), key=usd)
    yield Charge(
        what=" | ".join(known),
        quantity_minimum=fleet.minimum,
        quantity_maximum=fleet.maximum,
        price=dearest,
        minimum_usd=_weighted_floor(fleet) * min(map(usd, known.values())),
        maximum_usd=fleet.maximum * usd(dearest),
        purchase=fleet.purchase,
        note="; ".join(filter(None, notes)),
    )


def _weighted_floor(fleet: Fleet) -> Decimal:
    """The floor in on-demand instances: a spot one counts for the least it may cost."""
    on_demand = fleet.on_demand_minimum
    if on_demand is None:
        on_demand = Decimal() if fleet.purchase == "spot" else fleet.minimum
    return on_demand + (fleet.minimum - on_demand) * _SPOT_FLOOR


def _why_no_price(name: object) -> str:
    if not isinstance(name, str) or name == wire.UNKNOWN:
        return "an instance type is not a name, or is known only after the update"
    if instances.find(name) is None:
        return str(instances.UnknownInstanceType(name, instances.nearest(name)))
    return f"no on-demand list price is known for {name} (prices of {prices.AS_OF})"

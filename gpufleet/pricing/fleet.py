"""A number of instances between a floor and a ceiling, bought one way, of one or several types: what it costs."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal
from typing import Final

from gpufleet.facts import instances, prices
from gpufleet.facts.prices import Price
from gpufleet.pricing import wire
from gpufleet.pricing.assumptions import Stated
from gpufleet.pricing.charge import Charge, Count, Gap, usd

SPOT_FLOOR: Final = Decimal(str(prices.SPOT_FLOOR_RATIO))

_NOTES: Final = {
    "spot": f"floor at {prices.SPOT_FLOOR_RATIO:.0%} of on-demand, ceiling at on-demand: spot lies between",
    "capacity-block": "a capacity block is paid in advance at its offering's price; shown at the on-demand rate",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Fleet:
    """So many to so many instances of some of these types."""

    types: Sequence[object]
    """Names of instance types as the inputs give them, so perhaps unknown or not even texts."""
    count: Count
    purchase: str
    """`on-demand`, `spot`, `capacity-block` or `reservation`."""
    on_demand_base: Decimal = Decimal()
    """Of a spot fleet: how many come first and are on-demand."""
    on_demand_share: Decimal = Decimal()
    """Of a spot fleet: the share, 0 to 1, of those above the base that are on-demand."""
    note: str = ""

    def on_demand(self, nodes: Decimal) -> Decimal:
        """How many of so many are bought on demand."""
        if self.purchase != "spot":
            return nodes
        base = min(self.on_demand_base, nodes)
        above = ((nodes - base) * self.on_demand_share).to_integral_value(ROUND_CEILING)
        return min(base + above, nodes)


def charges(fleet: Fleet, region: str, spot: Stated) -> Iterator[Charge | Gap]:
    """Floor in the cheapest type, ceiling in the dearest; a type without a price is a gap and left out of both.

    Expected is the first of the types on demand, as EKS takes them in their order; of spot, which AWS picks, the mean
    of all.
    """
    known: dict[str, Price] = {}
    missing: list[str] = []
    for name in fleet.types:
        price = prices.instance_hour(name, region) if isinstance(name, str) else None
        if isinstance(name, str) and price is not None:
            known[name] = price
        else:
            missing.append(str(name))
            yield Gap(why_no_price(name))
    if not known:
        if not fleet.types:
            yield Gap("no instance type is named, neither on the resource nor in its launch template")
        return
    spot_usd, spot_note = expected_spot(known, region, spot)
    note_of_spot = spot_note if fleet.purchase == "spot" else ""
    without = f"without {', '.join(missing)}: no price" if missing else ""
    dearest = max(known.values(), key=usd)
    count = fleet.count
    dear = fleet.on_demand(count.expected)
    yield Charge(
        what=" | ".join(known),
        count=count,
        price=dearest,
        minimum_usd=_weighted_floor(fleet) * min(map(usd, known.values())),
        expected_usd=dear * usd(next(iter(known.values()))) + (count.expected - dear) * spot_usd,
        maximum_usd=count.maximum * usd(dearest),
        purchase=fleet.purchase,
        types=tuple(known),
        note="; ".join(filter(None, [_NOTES.get(fleet.purchase, ""), note_of_spot, fleet.note, without])),
    )


def expected_spot(known: Mapping[str, Price], region: str, assumed: Stated) -> tuple[Decimal, str]:
    """What a spot hour of one of the types is expected to cost, and by what: history where known, else a share."""
    history = {name: found for name in known if (found := prices.spot_hour(name, region)) is not None}
    each = [
        Decimal(str(history[name].mean)) if name in history else usd(price) * assumed.value
        for name, price in known.items()
    ]
    said: list[str] = []
    if history:
        one = next(iter(history.values()))
        said.append(f"expected at the spot history of {one.since} to {one.until}")
    if len(history) < len(known):
        of = f"{', '.join(name for name in known if name not in history)} " if history else ""
        said.append(f"{of}expected at {assumed.value:.0%} of on-demand, assumed")
    return sum(each, Decimal()) / len(each), "; ".join(said)


def _weighted_floor(fleet: Fleet) -> Decimal:
    """The floor in on-demand instances: a spot one counts for the least it may cost."""
    on_demand = fleet.on_demand(fleet.count.minimum)
    return on_demand + (fleet.count.minimum - on_demand) * SPOT_FLOOR


def why_no_price(name: object) -> str:
    """The reason why a type is not priced."""
    if not isinstance(name, str) or name == wire.UNKNOWN:
        return "an instance type is not a name, or is known only after the update"
    if instances.find(name) is None:
        return str(instances.UnknownInstanceType(name, instances.nearest(name)))
    return f"no on-demand list price is known for {name} (prices of {prices.as_of()})"

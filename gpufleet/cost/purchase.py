"""One pool, bought in each of the ways there are: what its expected nodes would cost an hour."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from gpufleet.cost.sums import money
from gpufleet.facts import instances, prices
from gpufleet.facts.prices import Price
from gpufleet.pricing import Assumptions, Line
from gpufleet.pricing.charge import usd
from gpufleet.pricing.fleet import expected_spot
from gpufleet.pricing.pools import NODE_POOL


@dataclass(frozen=True, slots=True)
class Option:
    """A way of buying a pool's nodes."""

    purchase: str
    hourly: Decimal | None
    """USD as expected; `None` where the pool cannot be had this way."""
    note: str

    def as_document(self) -> dict[str, Any]:
        """The option as it stands in the JSON document."""
        known = self.hourly is not None
        return {
            "purchase": self.purchase,
            "hourly_expected": money(self.hourly) if self.hourly is not None else None,
            "monthly_expected": money(self.hourly * prices.HOURS_PER_MONTH) if self.hourly is not None else None,
            "possible": known,
            "note": self.note,
        }


def options(line: Line, assumed: Assumptions) -> list[Option]:
    """The four ways of buying the nodes of a pool's line of instances."""
    known = {name: price for name in line.types if (price := prices.instance_hour(name, line.region)) is not None}
    if not known:
        return []
    first = next(iter(known))
    nodes, rate = line.quantity_expected, usd(known[first])
    return [
        Option("on-demand", nodes * rate, f"{first} at its list price"),
        _spot(line, known, assumed),
        _reservation(line, first, rate),
        _capacity_block(line, known, first, rate),
    ]


def _spot(line: Line, known: dict[str, Price], assumed: Assumptions) -> Option:
    sold = {name: price for name, price in known.items() if not _never(name, "spot")}
    if not sold:
        return Option("spot", None, f"{', '.join(known)}: not sold as spot")
    mean, note = expected_spot(sold, line.region, assumed.spot)
    return Option("spot", line.quantity_expected * mean, note)


def _reservation(line: Line, first: str, rate: Decimal) -> Option:
    if line.type == NODE_POOL:
        return Option("reservation", None, "a NodePool finds its reservations through its EC2NodeClass")
    return Option("reservation", line.quantity_maximum * rate, f"{line.quantity_maximum} x {first}, used or not")


def _capacity_block(line: Line, known: dict[str, Price], first: str, rate: Decimal) -> Option:
    if line.type == NODE_POOL or len(known) > 1:
        return Option("capacity-block", None, "a capacity block is of one type and for a node group of its own")
    if instances.get(first).capacity_block is not True:
        return Option("capacity-block", None, f"{first}: not known to be sold in capacity blocks")
    note = f"{line.quantity_maximum} x {first} paid in advance for its days; AWS names the fee, this is the list price"
    return Option("capacity-block", line.quantity_maximum * rate, note)


def _never(name: str, way: str) -> bool:
    found = instances.find(name)
    return found is not None and getattr(found, way) is False

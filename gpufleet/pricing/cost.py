"""The bill: lines, what could not be priced, and their sums.

Money is `Decimal` until the document is written: prices are decimal figures, so products and sums come out exact and
independent of the order of the resources, which binary floats (even under `math.fsum`, since the products are rounded
already) cannot promise. Only the division of a monthly price by 730 hours is rounded, at 28 digits.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from gpufleet.facts import prices

_PLACES = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """What one resource costs under one heading."""

    urn: str
    type: str
    name: str
    component: str
    """Name of the outermost component around the resource; empty where there is none."""
    what: str
    quantity_minimum: Decimal
    quantity_expected: Decimal
    quantity_maximum: Decimal
    unit_usd: Decimal
    """Price of one unit at the ceiling; where several instance types are allowed, of the dearest."""
    unit: str
    """`hour`; or, by the month, `month`, `gib-month`, `gib`, `iops-month` or `mibps-month`."""
    minimum_usd: Decimal
    """Per hour where `unit` is `hour`, otherwise per month."""
    expected_usd: Decimal
    """By the stated assumptions; a NodePool's in its cheapest type: more nodes than at its ceiling, for less."""
    maximum_usd: Decimal
    purchase: str
    """`on-demand`, `spot`, `capacity-block`, `reservation` for instances, otherwise empty."""
    region: str
    assumed: bool
    """Whether the region, or the region of the price, is a stand-in."""
    note: str
    pool: str = ""
    """Name of the pool of nodes it belongs to, empty for what is none of a pool."""
    workspace: str = ""
    """The team it belongs to alone, empty for what is shared."""
    types: tuple[str, ...] = ()
    """The instance types that are expected, in their order; empty for what is no instance."""
    price_date: str = ""
    """Day on which the price of one unit held, ISO 8601."""

    def hourly(self, usd: Decimal) -> Decimal:
        """An amount of this line's unit of time as USD per hour."""
        return usd if self.unit == "hour" else usd / prices.HOURS_PER_MONTH

    def monthly(self, usd: Decimal) -> Decimal:
        """An amount of this line's unit of time as USD per month of 730 hours."""
        return usd * prices.HOURS_PER_MONTH if self.unit == "hour" else usd

    def as_document(self) -> dict[str, Any]:
        """The line as it stands in the plan's JSON; money rounded to six places."""
        return {
            "urn": self.urn,
            "type": self.type,
            "name": self.name,
            "component": self.component,
            "what": self.what,
            "quantity_minimum": _number(self.quantity_minimum),
            "quantity_maximum": _number(self.quantity_maximum),
            "unit_usd": _money(self.unit_usd),
            "unit": self.unit,
            "hourly_minimum": _money(self.hourly(self.minimum_usd)),
            "hourly_maximum": _money(self.hourly(self.maximum_usd)),
            "monthly_minimum": _money(self.monthly(self.minimum_usd)),
            "monthly_maximum": _money(self.monthly(self.maximum_usd)),
            "purchase": self.purchase,
            "region": self.region,
            "assumed": self.assumed,
            "note": self.note,
            "quantity_expected": _number(self.quantity_expected),
            "hourly_expected": _money(self.hourly(self.expected_usd)),
            "monthly_expected": _money(self.monthly(self.expected_usd)),
            "pool": self.pool,
            "workspace": self.workspace,
            "types": list(self.types),
            "price_date": self.price_date,
        }


@dataclass(frozen=True, slots=True)
class Unpriced:
    """Something that may cost money and that no line counts, with the reason."""

    urn: str
    type: str
    name: str
    reason: str

    def as_document(self) -> dict[str, Any]:
        """The entry as it stands in the plan's JSON."""
        return {"urn": self.urn, "type": self.type, "name": self.name, "reason": self.reason}


@dataclass(frozen=True, slots=True)
class Cost:
    """Every line, dearest ceiling first, and every gap. Sums are unrounded USD."""

    lines: tuple[Line, ...]
    unpriced: tuple[Unpriced, ...]

    @classmethod
    def of(cls, lines: Iterable[Line], unpriced: Iterable[Unpriced]) -> "Cost":
        """The bill in its order: lines by ceiling, then by URN; gaps by URN."""
        dearest_first = sorted(lines, key=lambda line: (-line.hourly(line.maximum_usd), line.urn, line.what))
        return cls(tuple(dearest_first), tuple(sorted(unpriced, key=lambda gap: (gap.urn, gap.reason))))

    @property
    def hourly_minimum(self) -> Decimal:
        """USD per hour with every pool at its floor."""
        return sum((line.hourly(line.minimum_usd) for line in self.lines), Decimal())

    @property
    def hourly_expected(self) -> Decimal:
        """USD per hour as the stated assumptions expect it on average."""
        return sum((line.hourly(line.expected_usd) for line in self.lines), Decimal())

    @property
    def hourly_maximum(self) -> Decimal:
        """USD per hour with every pool at its ceiling, in its dearest type."""
        return sum((line.hourly(line.maximum_usd) for line in self.lines), Decimal())

    @property
    def monthly_minimum(self) -> Decimal:
        """USD per month of 730 hours with every pool at its floor."""
        return sum((line.monthly(line.minimum_usd) for line in self.lines), Decimal())

    @property
    def monthly_expected(self) -> Decimal:
        """USD per month of 730 hours as the stated assumptions expect it."""
        return sum((line.monthly(line.expected_usd) for line in self.lines), Decimal())

    @property
    def monthly_maximum(self) -> Decimal:
        """USD per month of 730 hours with every pool at its ceiling all the time."""
        return sum((line.monthly(line.maximum_usd) for line in self.lines), Decimal())

    def as_document(self) -> dict[str, Any]:
        """The `cost` object of the plan's JSON document."""
        return {
            "currency": "USD",
            "hourly_minimum": _money(self.hourly_minimum),
            "hourly_maximum": _money(self.hourly_maximum),
            "monthly_minimum": _money(self.monthly_minimum),
            "monthly_maximum": _money(self.monthly_maximum),
            "lines": [line.as_document() for line in self.lines],
            "prices_as_of": prices.as_of(),
            "unpriced": [gap.as_document() for gap in self.unpriced],
            "hourly_expected": _money(self.hourly_expected),
            "monthly_expected": _money(self.monthly_expected),
            "prices_from": prices.source(),
        }


def _money(usd: Decimal) -> float:
    return float(round(usd, _PLACES))


def _number(quantity: Decimal) -> int | float:
    return int(quantity) if quantity == quantity.to_integral_value() else float(quantity)

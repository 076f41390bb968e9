"""What a price rule answers with: charges, and gaps where it cannot tell."""

from dataclasses import dataclass
from decimal import Decimal

from gpufleet.facts.prices import Price


@dataclass(frozen=True, slots=True)
class Gap:
    """Something billable about the resource that the rule cannot price."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Charge:
    """One heading of a resource's bill, floor and ceiling, per hour or per month as `price.unit` says."""

    what: str
    quantity_minimum: Decimal
    quantity_maximum: Decimal
    price: Price
    """Of one unit at the ceiling."""
    minimum_usd: Decimal
    maximum_usd: Decimal
    purchase: str = ""
    note: str = ""


def usd(price: Price) -> Decimal:
    """The price as the decimal figure that was published, not as the binary float nearest to it."""
    return Decimal(str(price.usd))


def between(what: str, minimum: Decimal, maximum: Decimal, price: Price, note: str = "") -> Charge:
    """A charge whose quantity varies and whose unit price does not."""
    return Charge(
        what=what,
        quantity_minimum=minimum,
        quantity_maximum=maximum,
        price=price,
        minimum_usd=minimum * usd(price),
        maximum_usd=maximum * usd(price),
        note=note,
    )


def fixed(what: str, quantity: Decimal, price: Price, note: str = "") -> Charge:
    """A charge that is there all the time."""
    return between(what, quantity, quantity, price, note)

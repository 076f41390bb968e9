"""What a price rule answers with: charges, and gaps where it cannot tell."""

from dataclasses import dataclass
from decimal import Decimal

from gpufleet.facts.prices import Price


@dataclass(frozen=True, slots=True)
class Gap:
    """Something billable about the resource that the rule cannot price."""

    reason: str


@dataclass(frozen=True, slots=True)
class Count:
    """How many there are: at the floor, at the ceiling, and as the assumptions expect it between the two."""

    minimum: Decimal
    expected: Decimal
    maximum: Decimal

    @classmethod
    def always(cls, quantity: Decimal) -> "Count":
        """So many at any time."""
        return cls(quantity, quantity, quantity)

    @classmethod
    def between(cls, minimum: Decimal, maximum: Decimal, utilisation: Decimal) -> "Count":
        """From floor to ceiling; `utilisation` is the share of what lies above the floor that is there on average."""
        return cls(minimum, minimum + (maximum - minimum) * utilisation, maximum)

    def times(self, factor: Decimal) -> "Count":
        """Each of them so many times."""
        return Count(self.minimum * factor, self.expected * factor, self.maximum * factor)

    def less(self, others: Decimal) -> "Count":
        """Without the first so many."""
        return Count(*(max(count - others, Decimal()) for count in (self.minimum, self.expected, self.maximum)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Charge:
    """One heading of a resource's bill: floor, expected, ceiling, per hour or per month as `price.unit` says."""

    what: str
    count: Count
    price: Price
    """Of one unit at the ceiling."""
    minimum_usd: Decimal
    expected_usd: Decimal
    maximum_usd: Decimal
    purchase: str = ""
    types: tuple[str, ...] = ()
    """Instance types that are expected, in their order."""
    note: str = ""


def usd(price: Price) -> Decimal:
    """The price as the decimal figure that was published, not as the binary float nearest to it."""
    return Decimal(str(price.usd))


def counted(what: str, count: Count, price: Price, note: str = "") -> Charge:
    """A charge whose quantity may vary and whose unit price does not."""
    each = usd(price)
    return Charge(
        what=what,
        count=count,
        price=price,
        minimum_usd=count.minimum * each,
        expected_usd=count.expected * each,
        maximum_usd=count.maximum * each,
        note=note,
    )


def fixed(what: str, quantity: Decimal, price: Price, note: str = "") -> Charge:
    """A charge that is there all the time."""
    return counted(what, Count.always(quantity), price, note)

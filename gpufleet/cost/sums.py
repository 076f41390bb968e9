"""Money of many lines in three columns: at the floor, as expected, at the ceiling."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from gpufleet.facts import prices
from gpufleet.pricing import Line

_PLACES = 6


@dataclass(frozen=True, slots=True)
class Sums:
    """USD per hour."""

    minimum: Decimal = Decimal()
    expected: Decimal = Decimal()
    maximum: Decimal = Decimal()

    @classmethod
    def of(cls, lines: Iterable[Line]) -> "Sums":
        """The sums of some lines."""
        total = cls()
        for line in lines:
            total += cls(*(line.hourly(usd) for usd in (line.minimum_usd, line.expected_usd, line.maximum_usd)))
        return total

    def __add__(self, other: "Sums") -> "Sums":
        return Sums(self.minimum + other.minimum, self.expected + other.expected, self.maximum + other.maximum)

    def __sub__(self, other: "Sums") -> "Sums":
        return Sums(self.minimum - other.minimum, self.expected - other.expected, self.maximum - other.maximum)

    def __bool__(self) -> bool:
        return any(round(usd, _PLACES) for usd in (self.minimum, self.expected, self.maximum))

    def as_document(self) -> dict[str, float]:
        """`hourly_minimum` to `monthly_maximum`, as in a plan's cost; a month has 730 hours."""
        columns = {"minimum": self.minimum, "expected": self.expected, "maximum": self.maximum}
        return {f"{per}_{name}": money(usd * hours) for per, hours in _PERIODS for name, usd in columns.items()}


_PERIODS = (("hourly", 1), ("monthly", prices.HOURS_PER_MONTH))


def money(usd: Decimal) -> float:
    """An amount as documents have it."""
    return float(round(usd, _PLACES))


def grouped(lines: Iterable[Line], key: Callable[[Line], str]) -> list[dict[str, Any]]:
    """The sums by what `key` says of a line, dearest ceiling first; an empty name is what belongs to none."""
    members: dict[str, list[Line]] = {}
    for line in lines:
        members.setdefault(key(line), []).append(line)
    sums = {name: Sums.of(found) for name, found in members.items()}
    order = sorted(sums, key=lambda name: (-sums[name].maximum, name))
    return [{"name": name, **sums[name].as_document()} for name in order]

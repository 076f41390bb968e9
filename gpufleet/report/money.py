"""The bill as the page shows it: bars by component, every line, and what no line counts."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from markupsafe import Markup

from gpufleet.report.estate import Estate, kind, text

_BARS = 12
"""Components with a bar of their own; the smaller ones share the last."""
_SLIVER = 0.4
"""Percent of the width below which something would look like nothing."""


@dataclass(kw_only=True)
class Bar:
    """What one component costs."""

    name: str
    what: list[str] = field(default_factory=list[str])
    floor: float = 0.0
    ceiling: float = 0.0
    """USD an hour."""
    month: float = 0.0
    """USD a month at the ceiling."""
    drawing: Markup = Markup()

    def add(self, line: Mapping[str, Any]) -> None:
        """Count one line of the bill."""
        self.floor += line["hourly_minimum"]
        self.ceiling += line["hourly_maximum"]
        self.month += line["monthly_maximum"]
        if line["what"] not in self.what:
            self.what.append(line["what"])


@dataclass(frozen=True, kw_only=True)
class Bill:
    """Everything the section about money needs."""

    cost: Mapping[str, Any]
    bars: Sequence[Bar]
    unpriced: Sequence[tuple[str, int, str]]
    """Kind, how many, and why they have no line."""
    promised_hourly: float | None
    """What the stack promises at most to cost an hour, where it promises anything."""
    promised_monthly: str


def bill(cost: Mapping[str, Any], estate: Estate) -> Bill:
    """Sum the lines up by component, dearest ceiling first."""
    by_component: dict[str, Bar] = {}
    for line in cost["lines"]:
        name = line["component"] or line["name"]
        by_component.setdefault(name, Bar(name=name)).add(line)
    bars = sorted(by_component.values(), key=lambda bar: (-bar.ceiling, bar.name))
    if len(bars) > _BARS:
        bars = [*bars[: _BARS - 1], _rest(bars[_BARS - 1 :])]
    most = max((bar.ceiling for bar in bars), default=0.0)
    for bar in bars:
        bar.drawing = _drawn(bar, most)
    gaps = Counter((kind(gap["type"]), gap["reason"]) for gap in cost["unpriced"])
    return Bill(
        cost=cost,
        bars=bars,
        unpriced=[(what, count, why) for (what, why), count in sorted(gaps.items())],
        promised_hourly=_promised(estate),
        promised_monthly=", ".join(
            _amount(budget["inputs"].get("limitAmount")) for budget in estate.of("aws:budgets/budget:Budget")
        ),
    )


def _amount(limit: object) -> str:
    try:
        return f"{float(text(limit)):,.0f}"
    except ValueError:
        return text(limit)


def _rest(bars: Sequence[Bar]) -> Bar:
    rest = Bar(name=f"{len(bars)} smaller components")
    for bar in bars:
        rest.floor += bar.floor
        rest.ceiling += bar.ceiling
        rest.month += bar.month
    return rest


def _drawn(bar: Bar, most: float) -> Markup:
    """Ceiling as a pale bar, floor as a dark one over it; the figures stand beside it, so nothing is said here."""
    ceiling, floor = (_share(value, most) for value in (bar.ceiling, bar.floor))
    return Markup(
        '<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">'
        '<rect class="ceiling" width="{}" height="10"/><rect class="floor" width="{}" height="10"/></svg>'
    ).format(ceiling, floor)


def _share(value: float, most: float) -> str:
    percent = 100 * value / most if most else 0.0
    return f"{max(percent, _SLIVER) if value else 0:.2f}"


def _promised(estate: Estate) -> float | None:
    for budget in estate.of("gpufleet:index:SpendBudget"):
        ceiling = budget["inputs"].get("maxHourlyUsd")
        if isinstance(ceiling, int | float):
            return float(ceiling)
    return None

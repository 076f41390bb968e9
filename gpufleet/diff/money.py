"""What a change does to the bill, from the cost of two plan documents."""

from collections.abc import Mapping, Sequence
from typing import Any

KEYS = ("hourly_minimum", "hourly_maximum", "monthly_minimum", "monthly_maximum")
EXPECTED = ("hourly_expected", "monthly_expected")
_PLACES = 6


def money(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """`before`, `after` and `change` of each sum, in all and by component; expected only where both sides say it."""
    keys: tuple[str, ...] = KEYS + (
        EXPECTED if all(key in side for side in (before, after) for key in EXPECTED) else ()
    )
    was, now = (_by_component(side["lines"], keys) for side in (before, after))
    nothing: dict[str, float] = dict.fromkeys(keys, 0.0)
    changed: list[dict[str, Any]] = []
    for name in sorted({*was, *now}):
        found = _change(was.get(name, nothing), now.get(name, nothing), keys)
        if any(found["change"].values()):
            changed.append({"component": name, **found})
    changed.sort(key=lambda row: (-abs(row["change"]["hourly_maximum"]), row["component"]))
    dates = [side["prices_as_of"] for side in (before, after)]
    return {
        "currency": "USD",
        **_change(before, after, keys),
        "by_component": changed,
        "prices_as_of": dates[1],
        "prices_differ": dates[0] != dates[1] or before.get("prices_from") != after.get("prices_from"),
    }


def _by_component(lines: Sequence[Mapping[str, Any]], keys: Sequence[str]) -> dict[str, dict[str, float]]:
    sums: dict[str, dict[str, float]] = {}
    for line in lines:
        into = sums.setdefault(line["component"] or line["name"], dict.fromkeys(keys, 0.0))
        for key in keys:
            into[key] = round(into[key] + line[key], _PLACES)
    return sums


def _change(before: Mapping[str, Any], after: Mapping[str, Any], keys: Sequence[str]) -> dict[str, dict[str, float]]:
    return {
        "before": {key: before[key] for key in keys},
        "after": {key: after[key] for key in keys},
        "change": {key: round(after[key] - before[key], _PLACES) for key in keys},
    }

"""The dearest nodes that can stand at the same time within a NodePool's limits."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal
from functools import reduce
from itertools import product
from math import gcd, prod
from typing import Final

_STEPS: Final = 200_000
"""What is counted exactly: rooms under the limits, in units, times types that matter. Beyond it a bound is given."""
_SCALE: Final = 10**9


@dataclass(frozen=True, slots=True)
class Candidate:
    """A type that may be started: its price, and what one node takes of each limit."""

    name: str
    usd: Decimal
    takes: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Mix:
    """How many of which, and what they cost an hour."""

    usd: Decimal
    nodes: Mapping[str, int]
    exact: bool
    """Whether these very nodes cost it and are within every limit; else it is a bound that no mix goes above."""


def dearest(candidates: Sequence[Candidate], limits: Mapping[str, Decimal]) -> Mix | None:
    """The dearest mix; `None` where some type is under no limit, so that any number of it could stand."""
    if any(not any(one.takes.get(key) for key in limits) for one in candidates):
        return None
    useful = _useful(candidates, tuple(limits))
    units = {key: reduce(gcd, (one.takes.get(key, 0) for one in useful), 0) for key in limits}
    rooms = {
        key: int((limits[key] / unit).to_integral_value(ROUND_FLOOR)) for key, unit in sorted(units.items()) if unit
    }
    if prod(room + 1 for room in rooms.values()) * len(useful) > _STEPS:
        return _bound(useful, limits)
    takes = [tuple(one.takes.get(key, 0) // units[key] for key in rooms) for one in useful]
    nodes = {useful[number].name: count for number, count in _packed(useful, takes, tuple(rooms.values())).items()}
    price = {one.name: one.usd for one in useful}
    return Mix(sum((count * price[name] for name, count in nodes.items()), Decimal()), nodes, exact=True)


def _packed(useful: Sequence[Candidate], takes: Sequence[tuple[int, ...]], rooms: tuple[int, ...]) -> dict[int, int]:
    """How many of each type fill the rooms dearest: the best for each room, from the best for smaller ones."""
    strides = [prod(room + 1 for room in rooms[axis + 1 :]) for axis in range(len(rooms))]
    offsets = [sum(size * stride for size, stride in zip(sizes, strides, strict=True)) for sizes in takes]
    # Whole numbers, or the sums would be slow.
    known = [
        (number, sizes, offset, int(one.usd * _SCALE))
        for number, (one, sizes, offset) in enumerate(zip(useful, takes, offsets, strict=True))
    ]
    value: list[int] = []
    last: list[int] = []
    for place in product(*(range(room + 1) for room in rooms)):
        best, chosen, here = 0, -1, len(value)
        for number, sizes, offset, usd in known:
            if all(size <= room for size, room in zip(sizes, place, strict=True)):
                reached = value[here - offset] + usd
                if reached > best:
                    best, chosen = reached, number
        value.append(best)
        last.append(chosen)
    counts: dict[int, int] = {}
    here = len(last) - 1
    while last[here] >= 0:
        counts[last[here]] = counts.get(last[here], 0) + 1
        here -= offsets[last[here]]
    return counts


def _bound(useful: Sequence[Candidate], limits: Mapping[str, Decimal]) -> Mix:
    """By the dearest type for each unit of a limit: the limit that allows least, of those that hold every type."""
    single: list[tuple[Decimal, Mapping[str, int]]] = []
    together = Decimal()
    for key, limit in sorted(limits.items()):
        under = [one for one in useful if one.takes.get(key)]
        if not under:
            continue
        best = max(under, key=lambda one: one.usd / one.takes[key])
        usd = limit * best.usd / best.takes[key]
        together += usd
        if len(under) == len(useful):
            single.append((usd, {best.name: int(limit // best.takes[key])}))
    if not single:
        dear = max(useful, key=lambda one: one.usd)
        return Mix(together, {dear.name: int(together // dear.usd)}, exact=False)
    usd, nodes = min(single, key=lambda pair: pair[0])
    return Mix(usd, nodes, exact=False)


def _useful(candidates: Sequence[Candidate], keys: Sequence[str]) -> list[Candidate]:
    """Without those in whose place a dearer one, or one as dear, takes no more of any limit."""
    kept: list[Candidate] = []
    for one in sorted(candidates, key=lambda one: (-one.usd, [one.takes.get(key, 0) for key in keys], one.name)):
        if not any(all(other.takes.get(key, 0) <= one.takes.get(key, 0) for key in keys) for other in kept):
            kept.append(one)
    return kept

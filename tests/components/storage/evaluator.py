"""A very small judge of bucket policies: just the operators ours use, with IAM's rules for keys that are absent."""

from collections.abc import Mapping
from typing import Any


def denied(statements: list[dict[str, Any]], action: str, request: Mapping[str, str]) -> list[str]:
    """The sids of the Deny statements that bite on `action` with the request's condition keys."""
    return [
        statement["Sid"]
        for statement in statements
        if statement["Effect"] == "Deny"
        and any(_matches(pattern, action) for pattern in statement["Action"])
        and all(
            _holds(operator, request.get(key), value)
            for operator, tests in statement["Condition"].items()
            for key, value in tests.items()
        )
    ]


def _matches(pattern: str, action: str) -> bool:
    return pattern == action or (pattern.endswith("*") and action.startswith(pattern[:-1]))


def _holds(operator: str, found: str | None, wanted: str) -> bool:
    if operator == "Null":
        return (found is None) == (wanted == "true")
    if operator == "StringNotEquals":
        return found != wanted  # an absent key counts as not equal
    if found is None:
        return False
    return {"Bool": found == wanted, "NumericLessThan": operator == "NumericLessThan" and float(found) < float(wanted)}[
        operator
    ]

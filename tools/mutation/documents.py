"""Weaker versions of an IAM policy document, one change each."""

import json
from collections.abc import Iterator
from typing import Any, cast

from tools.mutation.values import is_mapping


def is_document(value: Any) -> bool:
    """Whether it is the text of a policy document."""
    return isinstance(value, str) and value.lstrip().startswith("{") and '"Statement"' in value


def weaker(text: Any, *, of_resource: bool = False) -> Iterator[tuple[str, str]]:
    """Yield (what was done, the document) for each statement and each thing that limits it.

    A policy of a resource is about that resource whatever it says, so there its Resource is left alone.
    """
    if not is_document(text):
        return
    policy: dict[str, Any] = json.loads(text)
    listed: Any = policy["Statement"]
    statements = cast("list[dict[str, Any]]", listed if isinstance(listed, list) else [listed])
    for index, statement in enumerate(statements):
        label = statement.get("Sid") or f"statement {index + 1}"
        for what, changed in _weaker(statement, of_resource):
            others = [*statements[:index], *([changed] if changed else []), *statements[index + 1 :]]
            yield f"{label}: {what}", json.dumps({**policy, "Statement": others})


def _weaker(statement: dict[str, Any], of_resource: bool) -> Iterator[tuple[str, dict[str, Any] | None]]:
    if statement.get("Effect") == "Deny":
        yield "Deny removed", None
        for operator, key in _conditions(statement):
            yield f"Deny narrowed by {key} that never holds", _with_condition(statement, operator, key, ["never"])
        return
    service, _, name = str(_first(statement.get("Action"))).partition(":")
    # What may do everything with one kind of resource already may do no more with it.
    if name not in ("", "*"):
        yield "Action *", {**statement, "Action": ["*"]}
        yield f"Action {service}:*", {**statement, "Action": [f"{service}:*"]}
    if not of_resource and "Resource" in statement and statement["Resource"] not in (["*"], "*"):
        yield "Resource *", {**statement, "Resource": ["*"]}
    if "Principal" in statement and statement["Principal"] != "*":
        yield "Principal *", {**statement, "Principal": "*"}
        yield "Principal AWS *", {**statement, "Principal": {"AWS": "*"}}
    found = list(_conditions(statement))
    if found:
        yield "Condition removed", {key: item for key, item in statement.items() if key != "Condition"}
    for operator, key in found:
        if _says_nothing(statement, operator, key) or _said_elsewhere(statement, operator, key):
            continue
        if len(found) > 1:
            yield f"Condition {key} removed", _with_condition(statement, operator, key, None)
        if _is_id(key):
            yield f"Condition {key} like *", _with_condition(statement, operator, key, ["*"], "StringLike")


def _conditions(statement: dict[str, Any]) -> Iterator[tuple[str, str]]:
    block: dict[str, Any] = statement.get("Condition", {})
    for operator, keys in block.items():
        if is_mapping(keys):
            yield from ((operator, key) for key in keys)


def _with_condition(
    statement: dict[str, Any], operator: str, key: str, values: list[str] | None, under: str | None = None
) -> dict[str, Any]:
    """Return the statement with other values of a key, under another operator where one is given."""
    block: dict[str, dict[str, Any]] = {name: dict(keys) for name, keys in statement["Condition"].items()}
    del block[operator][key]
    if values is not None:
        block.setdefault(under or operator, {})[key] = values
    kept = {name: keys for name, keys in block.items() if keys}
    rest = {name: item for name, item in statement.items() if name != "Condition"}
    return {**rest, "Condition": kept} if kept else rest


def _says_nothing(statement: dict[str, Any], operator: str, key: str) -> bool:
    """Whether the ARN stands for all there is of a service (`arn:aws:s3:::*`): without it nothing changes."""
    value = str(_first(statement["Condition"][operator][key]))
    return key.lower().endswith("sourcearn") and value.startswith("arn:") and value.split(":", 3)[-1].strip(":*") == ""


def _said_elsewhere(statement: dict[str, Any], operator: str, key: str) -> bool:
    """Whether the condition names an account that the ARN of another one names as well: without it nothing changes."""
    if not key.lower().endswith("account"):
        return False
    account = str(_first(statement["Condition"][operator][key]))
    others = [
        (op, one) for op, one in _conditions(statement) if (op, one) != (operator, key) and one.lower().endswith("arn")
    ]
    return any(f":{account}:" in str(_first(statement["Condition"][op][one])) for op, one in others)


def _is_id(key: str) -> bool:
    return key.rsplit(":", 1)[-1].lower().endswith(("account", "arn", "orgid", "sub"))


def _first(value: Any) -> Any:
    items = cast("list[Any]", value) if isinstance(value, list) else [value]
    return items[0] if items else None

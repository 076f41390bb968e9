"""Policies of resources that let an AWS service in: for whom it may act (the confused deputy)."""

import re
from collections.abc import Iterator
from typing import Any, Final

from ._documents import Condition, Statement, statements
from ._reading import UNKNOWN

_ACCOUNT_KEYS: Final = (
    *("aws:sourceaccount", "aws:sourceowner", "aws:sourceorgid", "aws:sourceorgpaths"),
    *("kms:calleraccount", "aws:principalaccount", "aws:principalorgid"),
)
_ARN_KEYS: Final = ("aws:sourcearn", "kms:encryptioncontext:", "aws:principalarn")
_ACCOUNT: Final = re.compile(r"(?<!\d)\d{12}(?!\d)")
_FOR_THE_OWNER_ALONE: Final = {"lifecycle.s3.amazonaws.com": "s3express:createsession"}
"""Service and the action by which it acts for nobody but the owner of the resource, who alone can set it to work.
https://docs.aws.amazon.com/AmazonS3/latest/userguide/directory-buckets-objects-lifecycle.html"""
_HARMLESS: Final = ("IfExists", "NotEquals", "NotLike")


def services(statement: Statement) -> list[str]:
    """Return the AWS services that a statement names as principals."""
    return [name for kind, name in statement.principals if kind == "Service" and isinstance(name, str)]


def for_anybody(policy: Any) -> Iterator[tuple[Statement, list[str]]]:
    """Yield each statement that lets a service in on behalf of whatever account, with the services."""
    for statement in statements(policy) or ():
        named = [name for name in services(statement) if not _for_its_owner(name, statement)]
        if named and statement.allows and not is_for_somebody(statement):
            yield statement, named


def _for_its_owner(service: str, statement: Statement) -> bool:
    only = _FOR_THE_OWNER_ALONE.get(service)
    return only is not None and [str(action).lower() for action in statement.actions] == [only]


def is_for_somebody(statement: Statement) -> bool:
    """Tell whether the conditions name an account or an organisation, or may do so while they are not known."""
    return statement.conditions is None or any(map(_names_somebody, statement.conditions))


def _names_somebody(condition: Condition) -> bool:
    if condition.operator.endswith(_HARMLESS) or condition.operator.startswith("ForAllValues"):
        return False
    if condition.key in _ACCOUNT_KEYS:
        return not any(isinstance(value, str) and ("*" in value or "?" in value) for value in condition.values)
    return condition.key.startswith(_ARN_KEYS) and all(
        value is UNKNOWN or _ACCOUNT.search(str(value)) or _names_one(str(value)) for value in condition.values
    )


def _names_one(arn: str) -> bool:
    """ARNs of buckets have no account in them; one without a star still names one bucket."""
    return arn.startswith("arn:") and "*" not in arn and "?" not in arn


def whole_services(statement: Statement) -> list[str]:
    """Return the actions that stand for a whole service, or for everything."""
    return [action for action in statement.actions if isinstance(action, str) and action.rsplit(":", 1)[-1] == "*"]

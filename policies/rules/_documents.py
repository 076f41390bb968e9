"""IAM policy documents, as JSON text or as a structure, read as AWS reads them."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from ._cidrs import is_open
from ._reading import UNKNOWN, elements, entries, read

CARRIERS = (
    "aws:iam/policy:Policy",
    "aws:iam/rolePolicy:RolePolicy",
    "aws:iam/userPolicy:UserPolicy",
    "aws:iam/groupPolicy:GroupPolicy",
    "aws:iam/role:Role",
)
"""Resource types that carry a policy of an identity."""


_CALLERS = frozenset(
    {
        *("aws:principalaccount", "aws:principalarn", "aws:principalorgid", "aws:principalorgpaths", "aws:userid"),
        *("aws:sourceaccount", "aws:sourcearn", "aws:sourceorgid", "aws:sourceowner", "aws:sourcevpc"),
        *("aws:sourcevpce", "kms:calleraccount", "s3:dataaccesspointaccount", "s3:dataaccesspointarn"),
    }
)
"""Condition keys that tell callers apart, after S3's definition of a policy that is not public.
https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-control-block-public-access.html"""

_EQUALITIES = frozenset(
    {
        *("StringEquals", "StringEqualsIgnoreCase", "StringLike", "ArnEquals", "ArnLike"),
        *("ForAnyValue:StringEquals", "ForAnyValue:StringLike", "ForAnyValue:ArnLike"),
    }
)


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition key under one operator; its values are alternatives, several conditions must all hold."""

    operator: str
    key: str
    """In lower case: AWS compares the names of condition keys without regard to case."""
    values: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement; lists hold `UNKNOWN` for each item that is not known yet."""

    label: str
    """The Sid, or the place in the document."""
    effect: Any
    actions: tuple[Any, ...]
    resources: tuple[Any, ...]
    anyone: Any
    """Whether the principal is everyone; `UNKNOWN` where the principal is."""
    excludes: tuple[str, ...]
    """Which of NotAction, NotResource and NotPrincipal it uses."""
    conditions: tuple[Condition, ...] | None
    """`None` where the condition block is not known."""
    principals: tuple[tuple[str, Any], ...]
    """(kind, one principal), such as `("Service", "ec2.amazonaws.com")`; everyone is `("*", "*")`."""

    @property
    def allows(self) -> bool:
        """Whether it grants something; anything but an exact Deny is read as a grant."""
        return self.effect is not UNKNOWN and self.effect != "Deny"

    def grants(self, action: str) -> bool:
        """Whether it certainly is about the action; a statement that says what it is not about does not count."""
        return any(isinstance(pattern, str) and matching(pattern, action) for pattern in self.actions)

    @property
    def known_resources(self) -> list[str]:
        """Resources that are known already."""
        return [resource for resource in self.resources if isinstance(resource, str)]


def statements(policy: Any) -> list[Statement] | None:
    """Return the statements of a document; `None` where it is unknown as a whole or no policy document at all."""
    if isinstance(policy, str):
        try:
            policy = json.loads(policy)
        except ValueError:
            return None
    fields = _lowered(policy)
    if "statement" not in fields:
        return None
    return [_statement(item, index) for index, item in enumerate(elements(fields["statement"]))]


def open_statements(policy: Any) -> Iterator[tuple[Statement, str]]:
    """Yield each statement of a resource's policy that certainly grants something to everyone, and how it does."""
    for statement in statements(policy) or ():
        if not statement.allows:
            continue
        if "NotPrincipal" in statement.excludes:
            yield statement, "Allow with NotPrincipal is for everyone but a few"
        elif statement.anyone is True and not narrows_callers(statement):
            yield statement, "Allow for Principal * without a condition on who calls"


def narrows_callers(statement: Statement) -> bool:
    """Tell whether the conditions leave only callers that somebody has named, or may do so while they are unknown.

    An operator that ends in IfExists also holds where the key is absent, and ForAllValues where the list is empty, so
    neither narrows anything.
    """
    return statement.conditions is None or any(map(_names_callers, statement.conditions))


def _names_callers(condition: Condition) -> bool:
    if condition.key == "aws:sourceip":
        return condition.operator == "IpAddress" and not any(map(is_open, condition.values))
    return (
        condition.key in _CALLERS
        and condition.operator in _EQUALITIES
        and not any(isinstance(value, str) and is_everything(value) for value in condition.values)
    )


def matching(pattern: str, action: str) -> bool:
    """Tell whether an action pattern of a policy covers an action, without regard to case as AWS does."""
    return fnmatchcase(action.lower(), pattern.lower().replace("[", "[[]"))


def is_everything(resource: str) -> bool:
    """Tell whether a resource is a star, also one dressed as an ARN (`arn:aws:s3:::*`, `arn:*:*:*:*:*`)."""
    parts = resource.split(":", 5)
    return resource.strip("*:") == "" or (
        len(parts) == 6 and parts[0] == "arn" and all(p in ("", "*") for p in parts[3:])
    )


def attached(props: Any) -> Iterator[tuple[str, Any]]:
    """Yield (where, document) of every policy a resource carries: its own and a role's inline ones."""
    yield "policy", read(props, "policy")
    for index, inline in enumerate(elements(read(props, "inlinePolicies"))):
        yield f"inlinePolicies[{index}].policy", read(inline, "policy")


def _statement(item: Any, index: int) -> Statement:
    if item is UNKNOWN:
        return Statement(f"statement {index + 1}", UNKNOWN, (UNKNOWN,), (UNKNOWN,), UNKNOWN, (), None, ())
    fields = _lowered(item)
    conditions = fields.get("condition")
    return Statement(
        label=str(fields.get("sid") or f"statement {index + 1}"),
        effect=fields.get("effect"),
        actions=tuple(elements(fields.get("action"))),
        resources=tuple(elements(fields.get("resource"))),
        anyone=_anyone(fields.get("principal")),
        excludes=tuple(
            name for name in ("NotAction", "NotResource", "NotPrincipal") if fields.get(name.lower()) is not None
        ),
        conditions=None if conditions is UNKNOWN else tuple(_conditions(conditions)),
        principals=tuple(_principals(fields.get("principal"))),
    )


def _conditions(block: Any) -> Iterator[Condition]:
    for operator, keys in entries(block).items():
        for key, values in entries(keys).items():
            yield Condition(operator, key.lower(), tuple(elements(values)))


def _principals(block: Any) -> Iterator[tuple[str, Any]]:
    if block == "*":
        yield "*", "*"
    for kind, named in entries(block).items():
        for one in elements(named):
            yield kind, one


def _anyone(principal: Any) -> Any:
    named = [principal, *elements(read(principal, "AWS"))]
    return "*" in named or (UNKNOWN if UNKNOWN in named else False)


def _lowered(value: Any) -> dict[str, Any]:
    return {key.lower(): item for key, item in entries(value).items()}

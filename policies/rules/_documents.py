"""IAM policy documents, as JSON text or as a structure, read as AWS reads them."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from ._reading import UNKNOWN, elements, entries, read

CARRIERS = (
    "aws:iam/policy:Policy",
    "aws:iam/rolePolicy:RolePolicy",
    "aws:iam/userPolicy:UserPolicy",
    "aws:iam/groupPolicy:GroupPolicy",
    "aws:iam/role:Role",
)
"""Resource types that carry a policy of an identity."""


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

    @property
    def allows(self) -> bool:
        """Whether it grants something; anything but an exact Deny is read as a grant."""
        return self.effect is not UNKNOWN and self.effect != "Deny"

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
        return Statement(f"statement {index + 1}", UNKNOWN, (UNKNOWN,), (UNKNOWN,), UNKNOWN, (), None)
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
    )


def _conditions(block: Any) -> Iterator[Condition]:
    for operator, keys in entries(block).items():
        for key, values in entries(keys).items():
            yield Condition(operator, key.lower(), tuple(elements(values)))


def _anyone(principal: Any) -> Any:
    named = [principal, *elements(read(principal, "AWS"))]
    return "*" in named or (UNKNOWN if UNKNOWN in named else False)


def _lowered(value: Any) -> dict[str, Any]:
    return {key.lower(): item for key, item in entries(value).items()}

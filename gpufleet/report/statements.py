"""One statement of an IAM policy in plain words: who, what, on what, and under which conditions."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from gpufleet.plan.values import is_list, is_mapping
from gpufleet.report.estate import as_list, in_words, mapping, text, texts

Naming = Callable[[str], str]
"""Says an ARN, an id or a pattern as a person would."""

_POSITIVE = frozenset({"is", "is like", "is in"})
_NEGATIVE = frozenset({"is not", "is not like", "is not in"})


@dataclass(frozen=True, kw_only=True)
class Statement:
    """A statement as the page shows it."""

    sid: str
    allows: bool
    who: tuple[str, ...]
    """Empty in a policy that belongs to a role: the role itself."""
    what: tuple[tuple[str, str], ...]
    """Service and what may be done with it, in words."""
    actions: tuple[str, ...]
    on: tuple[str, ...]
    when: tuple[str, ...]


@cache
def words() -> Mapping[str, Mapping[str, str]]:
    """Plain words for services, actions, conditions, operators and AWS's managed policies."""
    return json.loads(Path(__file__).with_name("data").joinpath("words.json").read_bytes())


def read(document: object, naming: Naming) -> list[Statement] | None:
    """The statements of a policy, given as JSON text or as an object; None where it cannot be read as one."""
    policy = mapping(document)
    found: Any = policy.get("Statement")
    items: Sequence[Any] = [found] if is_mapping(found) else found if is_list(found) else []
    if not items or not all(is_mapping(item) for item in items):
        return None
    return [_statement(item, naming) for item in items]


def _statement(item: Mapping[str, Any], naming: Naming) -> Statement:
    negated = "NotAction" in item
    actions = tuple(texts(item.get("NotAction" if negated else "Action")))
    resources = texts(item.get("Resource"))
    others = [f"all but {naming(resource)}" for resource in texts(item.get("NotResource"))]
    return Statement(
        sid=text(item.get("Sid")),
        allows=item.get("Effect") == "Allow",
        who=(*_principals(item.get("Principal"), naming), *_all_but(item.get("NotPrincipal"), naming)),
        what=tuple(_what(actions, item.get("Effect") == "Allow", negated=negated)),
        actions=actions,
        on=tuple(_once([*(naming(resource) for resource in resources), *others])),
        when=tuple(_conditions(item.get("Condition"), naming)),
    )


def _principals(principal: object, naming: Naming) -> Iterator[str]:
    if principal == "*":
        yield "anyone"
    if not is_mapping(principal):
        return
    for sort, values in principal.items():
        for value in texts(values):
            if value == "*":
                yield "anyone"
            elif sort == "Service":
                yield f"the service {value}"
            elif sort == "Federated":
                yield f"the identity provider {naming(value)}"
            elif value.endswith(":root"):
                yield f"whoever account {value.split(':')[4]} lets"
            else:
                yield naming(value)


def _all_but(principal: object, naming: Naming) -> Iterator[str]:
    yield from (f"anyone but {who}" for who in _principals(principal, naming))


def _what(actions: Sequence[str], allows: bool, *, negated: bool) -> Iterator[tuple[str, str]]:
    """Phrases grouped by service, in the order in which the services first come."""
    phrases: dict[str, list[str]] = {}
    all_of_it = "do everything" if allows else "do anything"
    for action in actions:
        service, _, verb = action.partition(":")
        if action == "*":
            service, phrase = "every service", all_of_it
        else:
            phrase = words()["actions"].get(action) or (all_of_it if verb == "*" else in_words(verb))
            service = words()["services"].get(service, service)
        phrases.setdefault(service, []).append(phrase)
    for service, said in phrases.items():
        listed = ", ".join(_once(said))
        yield service, f"{all_of_it} but {listed}" if negated else listed


def _conditions(condition: object, naming: Naming) -> Iterator[str]:
    for operator, keys in condition.items() if is_mapping(condition) else ():
        plain = operator.removesuffix("IfExists").split(":")[-1]
        for key, values in mapping(keys).items():
            said = _condition(plain, key, _values(values), naming)
            yield f"{said} (where it is said at all)" if operator.endswith("IfExists") else said


def _values(values: object) -> list[str]:
    """A flag is written as JSON's own or as a text: `true` either way."""
    return [str(value).lower() if isinstance(value, bool) else text(value) for value in as_list(values)]


def _condition(operator: str, key: str, values: Sequence[str], naming: Naming) -> str:
    flag = words()["flags"].get(f"{key}={values[0].lower()}") if operator == "Bool" and values else None
    if flag:
        return flag
    verb = words()["operators"].get(operator, operator)
    listed = " or ".join(naming(value) for value in values)
    template = words()["conditions"].get(key)
    if template and verb in _POSITIVE:
        return template.format(listed)
    if template and verb in _NEGATIVE and " is " in template:
        return template.format(listed).replace(" is ", " is not ", 1)
    # "the caller is {}" under a condition that says otherwise: its subject, then what the condition says of it
    subject = template.format("").strip().removesuffix(" is") if template else key
    if operator == "Null":
        return f"{subject} is {'not given' if values[:1] == ['true'] else 'given'}"
    return f"{subject} {verb} {listed}"


def _once(items: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(items))

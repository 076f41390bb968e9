"""What Terraform calls what Pulumi's AWS provider names by rule: resource types, arguments and how values are nested.

Pulumi's provider is a bridge over Terraform's and makes its names by rule: camelCase, a plural for a list, an object in
place of a list that never holds more than one. The rules here go the other way, and
``data/terraform_names.json`` (by tools/generate_terraform_names.py) holds only what they get wrong.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from gpufleet.plan.values import is_list, is_mapping

_DATA = Path(__file__).with_name("data") / "terraform_names.json"

MAP = "map"
"""A map: its keys are the user's own and stay as they are."""
OBJECT = "object"
"""A single nested object that Terraform too takes without a list around it."""
ONE = "one"
"""A list of one that Pulumi flattened to the value itself."""
JSON = "json"
"""Text in Terraform; Pulumi also takes the document as an object."""
ROWS = "rows"
"""A list of objects that Terraform wants complete: what is left out has to be written as null."""
PLAIN = ""
"""As the rules say."""


@dataclass(frozen=True, slots=True)
class TypeName:
    """The Terraform name of a resource type."""

    name: str
    confirmed: bool
    """Whether a schema of Terraform's provider has it; otherwise the rule made it."""


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument or block of a resource, as Terraform has it."""

    name: str
    kind: str
    """`MAP`, `OBJECT`, `ONE`, `JSON`, `ROWS` or `PLAIN`."""
    columns: tuple[str, ...] = ()
    """Of `ROWS`: every name an object has to carry."""


def terraform_type(token: str) -> TypeName:
    """Return the name for a type token such as `aws:ec2/vpc:Vpc`."""
    _, module, class_name = token.split(":")
    module = module.split("/")[0]
    table = _table()
    exception: str | None = table["exceptions"].get(f"{module}:{class_name}")
    if exception is not None:
        return TypeName(exception, confirmed=True)
    return TypeName(by_rule(module, class_name, table["prefixes"]), class_name in _confirmed().get(module, ()))


def by_rule(module: str, class_name: str, prefixes: Mapping[str, str]) -> str:
    """The name that the rule makes; `prefixes` has the modules that Terraform calls otherwise."""
    return f"aws_{prefixes.get(module, f'{module}_')}{snake(class_name)}"


def argument(type_name: str, path: tuple[str, ...], value: Any) -> Argument:
    """Return what Terraform calls the input at `path` (wire names, without list indices) of a resource type.

    Args:
        type_name: Terraform's name of the type; `provider` for the provider itself.
        path: such as `("vpcConfig", "subnetIds")`.
        value: what stands there; its shape decides where the rules need it.
    """
    table, key = _table(), path[-1]
    of_type: Mapping[str, str] = table["arguments"].get(type_name, {})
    anywhere: Mapping[str, str] = table["anywhere"]
    entry = of_type.get(".".join(path), of_type.get(f"*.{key}", anywhere.get(key)))
    if entry is None:
        return rule(key, value)
    name, _, rest = entry.partition(" ")
    kind, _, columns = rest.partition(" ")
    return Argument(name or rule(key, value).name, kind, tuple(columns.split()))


def rule(key: str, value: Any) -> Argument:
    """What the rules alone say: tags are a map, a policy is text, any other object a block, and a list of them too."""
    name = snake(key)
    if is_mapping(value):
        if "Statement" in value:
            return Argument(name, JSON)
        return Argument(name, MAP if key in _MAPS else PLAIN)
    if is_list(value) and any(is_mapping(item) for item in value):
        return Argument(singular(name), PLAIN)
    return Argument(name, PLAIN)


_MAPS = frozenset(("tags", "tagsAll", "labels", "parameters", "variables"))


def is_set(type_name: str, path: tuple[str, ...]) -> bool:
    """Whether a computed list of objects is a set in Terraform, which has no first element to ask for."""
    return ".".join(path) in _table()["sets"].get(type_name, ())


def autonamed(type_name: str) -> tuple[str, ...]:
    """The arguments that Terraform wants and Pulumi makes up where a program leaves them out."""
    return _autonamed().get(type_name, ())


def snake(name: str) -> str:
    """`kmsKeyId` to `kms_key_id`."""
    name = re.sub(r"(.)([A-Z][a-z]+)", r"\1_\2", name)
    return re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name).lower()


def singular(name: str) -> str:
    """`policies` to `policy`, `statuses` to `status`, `rules` to `rule`, `egress` to itself."""
    if name.endswith("ies"):
        return f"{name[:-3]}y"
    if name.endswith(("sses", "xes", "ches", "shes", "uses")):
        return name[:-2]
    if name.endswith("s") and not name.endswith(("ss", "us", "is")):
        return name[:-1]
    return name


def provenance() -> Mapping[str, str]:
    """Where the table comes from: `source`, `date`, `sdk` and `provider`."""
    return {key: _table()[key] for key in ("source", "date", "sdk", "provider")}


@cache
def _table() -> dict[str, Any]:
    return json.loads(_DATA.read_bytes())


@cache
def _confirmed() -> dict[str, frozenset[str]]:
    return {module: frozenset(names.split()) for module, names in _table()["confirmed"].items()}


@cache
def _autonamed() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for name, types in _table()["autonamed"].items():
        for type_name in types.split():
            found[type_name] = (*found.get(type_name, ()), name)
    return found

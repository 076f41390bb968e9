"""Requests built from Pulumi's inputs by the shapes of botocore's service model.

Pulumi spells `vpcSecurityGroupIds` and AWS `SecurityGroupIds`; for most members the spelling differs by case and a
plural `s` alone, and the model says which type each has. So one translation serves every service, and an input for
which the model has no member is an error.
"""

from collections.abc import Mapping
from typing import Any, cast

from gpufleet.rehearsal.aws.errors import RehearsalError, UnknownInput

# The enumeration of instance types lags behind AWS in any installed botocore; which types exist is the instance
# catalogue's question.
_OPEN_ENUMERATIONS = frozenset({"InstanceType"})


def build(shape: Any, properties: Mapping[str, Any], renames: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Return the request of a structure shape.

    `properties` may be spelled as Pulumi does or as AWS does; None values are left out. `renames` maps a dotted path
    in Pulumi's spelling (list indices left out, `networkInterfaces.securityGroups`) to the member's own name where
    case and plural do not explain it. Raises UnknownInput where the shape has no such member and RehearsalError where
    a value cannot be of the member's type.
    """
    return _structure(shape, properties, "", renames or {})


def _structure(shape: Any, properties: Mapping[str, Any], path: str, renames: Mapping[str, str]) -> dict[str, Any]:
    members = {name.lower(): name for name in cast(Mapping[str, Any], shape.members)}
    request: dict[str, Any] = {}
    for key, value in properties.items():
        if value is None:
            continue
        here = f"{path}.{key}" if path else key
        name = renames.get(here) or _member(members, key)
        if name is None:
            raise UnknownInput(here, f"{shape.name} in the AWS service model", sorted(members.values()))
        request[name] = _value(shape.members[name], value, here, renames)
    return request


def _member(members: Mapping[str, str], key: str) -> str | None:
    lowered = key.lower()
    spellings = (lowered, lowered.removesuffix("s"), f"{lowered}s", lowered.removesuffix("ies") + "y")
    return next((members[spelling] for spelling in spellings if spelling in members), None)


def _value(shape: Any, value: Any, path: str, renames: Mapping[str, str]) -> Any:
    match shape.type_name:
        case "structure":
            if not isinstance(value, Mapping):
                raise RehearsalError(f"{path}: {value!r} is not an object, and AWS's {shape.name} is one")
            return _structure(shape, cast(Mapping[str, Any], value), path, renames)
        case "list":
            return [_value(shape.member, item, path, renames) for item in _items(shape, value)]
        case "map":
            return {key: _value(shape.value, item, f"{path}.{key}", renames) for key, item in value.items()}
        case _:
            return _scalar(shape, value, path)


def _items(shape: Any, value: Any) -> list[Any]:
    """Return the items of a list shape: AWS has lists of Key and Value where Pulumi has a map (tags)."""
    if isinstance(value, list):
        return cast(list[Any], value)
    if isinstance(value, Mapping) and shape.member.type_name == "structure":
        names = {name.lower().removeprefix("tag"): name for name in cast(Mapping[str, Any], shape.member.members)}
        if set(names) == {"key", "value"}:
            pairs = sorted(cast(Mapping[str, Any], value).items())
            return [{names["key"]: key, names["value"]: item} for key, item in pairs]
    return [value]


def _scalar(shape: Any, value: Any, path: str) -> Any:
    try:
        match shape.type_name:
            case "integer" | "long":
                return int(value)
            case "double" | "float":
                return float(value)
            case "boolean":
                return _boolean(value)
            case "string":
                return _string(shape, value)
            case _:
                return value
    except (TypeError, ValueError) as error:
        raise RehearsalError(f"{path}: {value!r} is not a value of AWS's {shape.name}: {error}") from error


def _boolean(value: Any) -> bool:
    # Terraform's nullable booleans (`encrypted`, `deleteOnTermination`) reach the provider as strings.
    if value in (True, "true"):
        return True
    if value in (False, "false"):
        return False
    raise ValueError("expected true or false")


def _string(shape: Any, value: Any) -> str:
    if isinstance(value, Mapping | list):
        raise TypeError("expected text")
    text = str(value).lower() if isinstance(value, bool) else str(value)
    allowed = cast(list[str], getattr(shape, "enum", None) or [])
    if allowed and text not in allowed and shape.name not in _OPEN_ENUMERATIONS:
        raise ValueError(f"expected one of {', '.join(allowed)}")
    return text

"""The engine's wire form: protobuf structs to plain values and back, secrets and registration options."""

import json
from collections.abc import Mapping
from typing import Any

from google.protobuf import json_format, struct_pb2

from gpufleet.plan.values import is_list, is_mapping

_SIGNATURE = "4dabf18193072939515e22adb298388d"
_SECRET = "1b47061264138c4ac30d75fd1eb44270"  # noqa: S105 -- the protocol's marker of a secret, not one


def from_struct(struct: struct_pb2.Struct) -> tuple[dict[str, Any], list[str]]:
    """Return the struct as plain values and the paths at which it held a secret.

    Whole numbers become int; keys are sorted, since a protobuf map has no order.
    """
    secrets: list[str] = []
    return {key: _plain(struct.fields[key], key, secrets) for key in sorted(struct.fields)}, secrets


def _plain(value: struct_pb2.Value, path: str, secrets: list[str]) -> Any:
    match value.WhichOneof("kind"):
        case "string_value":
            return value.string_value
        case "number_value":
            number = value.number_value
            return int(number) if number.is_integer() else number
        case "bool_value":
            return value.bool_value
        case "list_value":
            return [_plain(item, f"{path}[{index}]", secrets) for index, item in enumerate(value.list_value.values)]
        case "struct_value":
            fields = value.struct_value.fields
            if _SIGNATURE in fields and fields[_SIGNATURE].string_value == _SECRET:
                secrets.append(path)
                return _plain(fields["value"], path, secrets)
            return {key: _plain(fields[key], f"{path}.{key}", secrets) for key in sorted(fields)}
        case _:
            return None


def into_struct(values: Mapping[str, Any], struct: struct_pb2.Struct, *, like: struct_pb2.Struct | None = None) -> None:
    """Fill `struct` with `values`; a value that `like` holds under the same key as a secret stays one."""
    for key, value in values.items():
        if like is not None and key in like.fields and _SIGNATURE in like.fields[key].struct_value.fields:
            struct.fields[key].CopyFrom(like.fields[key])
        else:
            _fill(struct.fields[key], value)


def _fill(target: struct_pb2.Value, value: Any) -> None:
    if value is None:
        target.null_value = struct_pb2.NULL_VALUE
    elif isinstance(value, bool):
        target.bool_value = value
    elif isinstance(value, int | float):
        target.number_value = value
    elif isinstance(value, str):
        target.string_value = value
    elif is_mapping(value):
        target.struct_value.SetInParent()
        for key, item in value.items():
            _fill(target.struct_value.fields[key], item)
    elif is_list(value):
        target.list_value.SetInParent()
        for item in value:
            _fill(target.list_value.values.add(), item)
    else:
        raise TypeError(f"{type(value).__name__} has no wire form")


def decoded(value: Any) -> Any:
    """Provider inputs carry lists and objects as JSON text; return what they mean, or the value as it is."""
    if isinstance(value, str):
        try:
            return json.loads(value)
        except ValueError:
            return value
    return value


_OPTIONS = (
    "ignoreChanges",
    "additionalSecretOutputs",
    "replaceOnChanges",
    "deletedWith",
    "importId",
    "version",
    "pluginDownloadURL",
)


def options(request: Any) -> dict[str, Any]:
    """The resource options that were set on a RegisterResourceRequest, under the protocol's names."""
    found: dict[str, Any] = {}
    for key in _OPTIONS:
        if value := getattr(request, key):
            found[key] = value if isinstance(value, str) else list(value)
    if request.HasField("retainOnDelete"):
        found["retainOnDelete"] = bool(request.retainOnDelete)
    if request.deleteBeforeReplaceDefined:
        found["deleteBeforeReplace"] = bool(request.deleteBeforeReplace)
    if request.HasField("customTimeouts"):
        found["customTimeouts"] = json_format.MessageToDict(request.customTimeouts)
    if request.aliases:
        found["aliases"] = [json_format.MessageToDict(alias) for alias in request.aliases]
    if request.providers:
        found["providers"] = dict(request.providers)
    return found

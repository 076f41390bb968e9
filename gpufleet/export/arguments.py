"""The inputs of a resource as Terraform takes them: names, blocks, maps, documents; leaves are left to the caller."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from gpufleet.export import names
from gpufleet.plan.graph import UNKNOWN
from gpufleet.plan.values import is_list, is_mapping

Leaf = Callable[[Any, str, str], Any]
"""Makes what is written for one value, from it, its path (`vpcConfig.subnetIds[0]`) and the argument's name."""

Whole = Callable[[str], bool]
"""Whether what stands at a path is not to be looked into: a secret."""

_SIGNATURE = "4dabf18193072939515e22adb298388d"
"""The protocol's marker of an object that stands for something: here, files and archives."""


def body(type_name: str, inputs: Mapping[str, Any], leaf: Leaf, whole: Whole) -> dict[str, Any]:
    """Return the arguments and blocks of one resource.

    Args:
        type_name: Terraform's name of the type; `provider` for a provider.
        inputs: in wire form.
        leaf: makes text, numbers, unknowns and secrets.
        whole: which paths are given to `leaf` as they are.
    """
    return _Writer(type_name, leaf, whole).block(inputs, (), "")


class _Writer:
    def __init__(self, type_name: str, leaf: Leaf, whole: Whole) -> None:
        self._type_name, self._leaf, self._whole = type_name, leaf, whole

    def block(self, inputs: Mapping[str, Any], path: tuple[str, ...], shown: str) -> dict[str, Any]:
        made: dict[str, Any] = {}
        for key, value in sorted(inputs.items()):
            if value is None or key.startswith("__"):  # the bridge's own notes, such as __defaults
                continue
            argument = names.argument(self._type_name, (*path, key), value)
            made[argument.name] = self._value(value, argument, (*path, key), f"{shown}.{key}" if shown else key)
        return made

    def _value(self, value: Any, argument: names.Argument, path: tuple[str, ...], shown: str) -> Any:
        if self._whole(shown) or value == UNKNOWN:
            return self._leaf(value, shown, argument.name)
        if argument.kind == names.JSON and not isinstance(value, str):
            return self._leaf(json.dumps(value), shown, argument.name)
        if is_mapping(value):
            if _SIGNATURE in value:
                return self._leaf(_file(value), shown, argument.name)
            if argument.kind == names.MAP:
                return {key: self._plain(item, f"{shown}.{key}", argument.name) for key, item in value.items()}
            block = self._row(value, argument, path, shown)
            return block if argument.kind == names.OBJECT else [block]
        if is_list(value):
            return self._list(value, argument, path, shown)
        made = self._leaf(value, shown, argument.name)
        return [made] if argument.kind == names.ONE else made

    def _list(self, values: Sequence[Any], argument: names.Argument, path: tuple[str, ...], shown: str) -> list[Any]:
        return [
            self._row(item, argument, path, f"{shown}[{index}]")
            if is_mapping(item) and argument.kind != names.MAP
            else self._plain(item, f"{shown}[{index}]", argument.name)
            for index, item in enumerate(values)
        ]

    def _row(self, value: Mapping[str, Any], argument: names.Argument, path: tuple[str, ...], shown: str) -> Any:
        if self._whole(shown):
            return self._leaf(value, shown, argument.name)
        return {**dict.fromkeys(argument.columns), **self.block(value, path, shown)}

    def _plain(self, value: Any, shown: str, name: str) -> Any:
        """A value whose keys are not names of Terraform's."""
        if not self._whole(shown):
            if is_mapping(value):
                return {key: self._plain(item, f"{shown}.{key}", name) for key, item in value.items()}
            if is_list(value):
                return [self._plain(item, f"{shown}[{index}]", name) for index, item in enumerate(value)]
        return self._leaf(value, shown, name)


def _file(value: Mapping[str, Any]) -> Any:
    """A file, folder or address that is uploaded, as where it is; text given in place of a file, as itself."""
    return next((value[key] for key in ("path", "uri", "text") if value.get(key)), UNKNOWN)

"""Well-known open models, from ``data/models.json``: how many parameters, and the keys of their config.json.

What the keys mean for memory is `gpufleet.sizing`'s matter; here they are only kept, with source and date.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any

from gpufleet.facts import _data


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """One published model."""

    name: str
    """Short, lower-case: `llama-3.1-8b`."""
    repository: str
    """Where its weights are on huggingface.co, `meta-llama/Llama-3.1-8B`."""
    parameters: int
    """As published, everything counted."""
    config: Mapping[str, Any]
    """The keys of its config.json that decide the size."""
    source: str
    date: str
    """Day of the source, ISO 8601."""


def find(name: str) -> Preset | None:
    """The preset of that name or repository, in any case; `None` when there is none."""
    return _presets().get(name.lower())


def names() -> tuple[str, ...]:
    """The short names, in the order of the file."""
    return tuple(dict.fromkeys(preset.name for preset in _presets().values()))


def nearest(name: str) -> list[str]:
    """Up to four short names that look like `name`, best first."""
    import difflib  # here, since only a mistake needs it

    return difflib.get_close_matches(name.lower(), names(), n=4, cutoff=0.5)


@cache
def _presets() -> Mapping[str, Preset]:
    file = _data.read("models")
    rows: list[dict[str, Any]] = file["models"]
    found: dict[str, Preset] = {}
    for row in rows:
        preset = Preset(
            name=row["name"],
            repository=row["repository"],
            parameters=row["parameters"],
            config=MappingProxyType(row["config"]),
            source=file["sources"][row["source"]],
            date=row["date"],
        )
        found[preset.name] = preset
        found[preset.repository.lower()] = preset
    return MappingProxyType(found)

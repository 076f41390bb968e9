"""Export what a few lines of a program register."""

from collections.abc import Callable, Mapping
from typing import Any

from gpufleet.export import document
from gpufleet.export.document import Export
from gpufleet.plan import offline


def exported(build: Callable[[], object], config: Mapping[str, str] | None = None) -> Export:
    """The export of what `build` registers as the body of a program."""
    return document.build(offline.run(build), config)


def resource(made: Export, type_name: str, label: str) -> dict[str, Any]:
    """One resource of an export."""
    return made.document["resource"][type_name][label]

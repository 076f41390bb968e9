"""Compare the settings of two gpufleet stacks: which value of one is weaker than the other's, by its path."""

import json
from collections.abc import Iterator
from typing import Any

from gpufleet.check.compare import paths
from gpufleet.check.compare.loosened import Loosened
from gpufleet.check.compare.strengths import Strength, load
from gpufleet.plan.project import Project
from gpufleet.plan.values import is_mapping


def compare(project: Project, other: Project) -> tuple[list[Loosened], int]:
    """Return what is weaker and how many values were compared; nothing where a program has no such settings.

    An entry (a region, a pool, a bucket) is held against the one of the same name, else against the weakest one.
    """
    ours, theirs = _settings(project), _settings(other)
    if ours is None or theirs is None:
        return [], 0
    root = f"{project.name}:settings"
    found: list[Loosened] = []
    compared = 0
    for strength in load().settings:
        mine, others = list(_values(ours, strength)), list(_values(theirs, strength))
        compared += len(mine) if others else 0
        for keys, value in mine:
            same = [entry for key, entry in others if key == keys]
            than = strength.order.loss(value, same or [entry for _, entry in others])
            if than is not None:
                found.append(
                    Loosened(
                        where="settings",
                        path=".".join((root, *keys)),
                        urn="",
                        value=value,
                        than=than,
                        than_urn="",
                        severity=strength.severity,
                        why=strength.why,
                    )
                )
    return found, compared


def _settings(project: Project) -> Any:
    """The settings object, None where the program has none."""
    try:
        settings: Any = json.loads(project.config.get(f"{project.name}:settings", ""))
    except ValueError:
        return None
    return settings if is_mapping(settings) and is_mapping(settings.get("regions")) else None


def _values(settings: Any, strength: Strength) -> Iterator[paths.Found]:
    parents = {keys for keys, value in paths.find(settings, strength.path.rpartition(".")[0]) if value is not None}
    for keys, value in paths.find(settings, strength.path):
        if strength.optional and keys[:-1] not in parents:
            continue
        absent = strength.absent.get(keys[-2]) if strength.absent_by_key else strength.absent
        yield keys, absent if value is None else value

"""Step times of a training job: CSV with a header, or one JSON object a line."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from math import isfinite
from typing import Any

from gpufleet.plan.values import is_mapping
from gpufleet.triage.formats import Tally
from gpufleet.triage.readings import Place, Readings, Step

NAME = "step times"

_PHASES = {
    "data": ("data", "dataload", "dataloader", "dataloading", "datawait", "load", "fetch", "input"),
    "forward": ("forward", "fwd"),
    "backward": ("backward", "bwd"),
    "comm": ("comm", "comms", "communication", "allreduce", "nccl", "gradsync", "sync"),
    "optimizer": ("optimizer", "optim", "opt", "optimizerstep", "update"),
    "checkpoint": ("checkpoint", "ckpt", "save"),
}
_TOTALS = ("total", "steptime", "itertime", "iterationtime", "elapsed", "duration", "wall")
_COUNTERS = ("step", "iter", "iteration", "batch")
_WORDS = {word: phase for phase, words in _PHASES.items() for word in words}
_RANKS = ("rank", "worker", "globalrank")
_UNITS = {"ms": 1e-3, "us": 1e-6, "s": 1.0, "sec": 1.0, "secs": 1.0, "seconds": 1.0}


def recognises(head: Sequence[str]) -> bool:
    """Whether it begins with a header of phases, or with objects that have them."""
    first = next((line for line in head if line.strip()), "")
    if first.lstrip().startswith("{"):
        return any((found := _object(line)) is not None and _is_step(list(found)) for line in head)
    return _is_step(first.split(","))


def read(lines: Iterable[str], file: str, readings: Readings) -> Tally:
    """Take every step; times are in seconds unless a column's name says ms or us."""
    tally = Tally()
    columns: list[str] = []
    for number, line in enumerate(lines, start=1):
        tally.lines = number
        if not line.strip():
            continue
        if line.lstrip().startswith("{"):
            row = _object(line)
        elif not columns or _is_step(line.split(",")):
            columns = [name.strip() for name in line.split(",")]
            continue
        else:
            cells = [cell.strip() for cell in line.split(",")]
            row = dict(zip(columns, cells, strict=True)) if len(cells) == len(columns) else None
        step = _step(row, Place(file, number)) if row is not None else None
        if step is None:
            tally.bad.append(number)
        else:
            tally.read += 1
            readings.steps.append(step)
    return tally


def _object(line: str) -> Mapping[str, Any] | None:
    try:
        found = json.loads(line)
    except ValueError:
        return None
    return found if is_mapping(found) else None


def _is_step(names: Sequence[str]) -> bool:
    """A step or a total, and at least one phase; or two phases."""
    plain = [_plain(name)[0] for name in names]
    phases = sum(word in _WORDS for word in plain)
    return phases >= 2 or (phases == 1 and any(word in _TOTALS or word in _COUNTERS for word in plain))


def _plain(name: str) -> tuple[str, float]:
    """`data_time_ms` as `data` and the seconds in its unit."""
    parts = [part for part in re.split(r"[^a-z0-9]+", name.strip().lower()) if part]
    unit = 1.0
    while parts and parts[-1] in _UNITS and len(parts) > 1:
        unit = _UNITS[parts.pop()]
    if len(parts) > 1 and parts[-1] == "time" and parts[0] not in _COUNTERS:
        parts.pop()
    return "".join(parts), unit


def _step(row: Mapping[str, Any], place: Place) -> Step | None:
    phases: dict[str, float] = {}
    total: float | None = None
    rank = ""
    for name, value in row.items():
        word, unit = _plain(name)
        if word in _RANKS:
            rank = str(value)
        elif (phase := _WORDS.get(word)) is not None or word in _TOTALS:
            seconds = _number(value)
            if seconds is None:
                return None
            if phase is not None:
                phases[phase] = phases.get(phase, 0.0) + seconds * unit
            else:
                total = seconds * unit
    total = max(total or 0.0, sum(phases.values()))
    return Step(rank, total, phases, place) if phases and total > 0 else None


def _number(value: object) -> float | None:
    try:
        number = float(value) if isinstance(value, int | float | str) else -1.0
    except ValueError:
        return None
    return number if isfinite(number) and number >= 0 else None

"""`nvidia-smi --query-gpu=... --format=csv`: a header with units, a row for each GPU and moment."""

import re
from collections.abc import Iterable, Iterator, Sequence

from gpufleet.triage.formats import Tally, throttles
from gpufleet.triage.readings import Device, Readings

NAME = "nvidia-smi CSV"

_COLUMNS = {
    "utilization.gpu": "gpu_util",
    "utilization.memory": "memory_util",
    "memory.used": "memory_used",
    "memory.total": "memory_total",
    "temperature.gpu": "gpu_temp",
    "temperature.memory": "memory_temp",
    "power.draw": "power",
    "power.draw.instant": "power",
    "power.draw.average": "power",
    "power.limit": "power_limit",
    "enforced.power.limit": "power_limit",
    "clocks.sm": "sm_clock",
    "clocks.current.sm": "sm_clock",
    "clocks.max.sm": "sm_clock_max",
    "pcie.link.gen.current": "pcie_gen",
    "pcie.link.gen.gpucurrent": "pcie_gen",
    "pcie.link.gen.max": "pcie_gen_max",
    "pcie.link.width.current": "pcie_width",
    "pcie.link.width.max": "pcie_width_max",
    "ecc.errors.uncorrected.volatile.total": "ecc_uncorrected",
    "remapped_rows.failure": "remap_failure",
    "remapped_rows.pending": "remap_pending",
    "remapped_rows.uncorrectable": "remapped_uncorrectable",
    "hw_thermal_slowdown": "throttle_thermal",
    "sw_thermal_slowdown": "throttle_thermal",
    "sw_power_cap": "throttle_power_cap",
    "hw_power_brake_slowdown": "throttle_power_brake",
    "hw_slowdown": "throttle_hardware",
}
"""Names of `nvidia-smi --help-query-gpu`; reasons also carry `clocks_event_reasons.` or `clocks_throttle_reasons.`."""
METRICS_READ = frozenset(_COLUMNS.values())
_REASONS = ("clocks_event_reasons.", "clocks_throttle_reasons.")
_MASK = "mask"
_WHO = ("index", "uuid", "gpu_uuid", "gpu_bus_id", "pci.bus_id")
_FLAGS = {"active": 1.0, "not active": 0.0, "yes": 1.0, "no": 0.0}


def recognises(head: Sequence[str]) -> bool:
    """Whether one of the lines is a header of nvidia-smi's."""
    return any(_is_header(line) for line in head)


def read(lines: Iterable[str], file: str, readings: Readings) -> Tally:
    """Take every row under the last header."""
    tally = Tally()
    columns: list[str] = []
    wanted: list[tuple[int, str]] = []
    who = -1
    for number, line in enumerate(lines, start=1):
        tally.lines = number
        if line[:1].islower() and _is_header(line):
            columns = _names(line)
            wanted = list(_wanted(columns))
            who = next((columns.index(name) for name in _WHO if name in columns), -1)
            continue
        if not columns or not line.strip():
            continue
        cells = [cell.strip() for cell in line.split(",")]
        values = _values(cells, wanted) if len(cells) == len(columns) else {}
        if not values:
            tally.bad.append(number)
            continue
        tally.read += 1
        device = Device(file, "", cells[who] if who >= 0 else "0")
        for metric, value in values.items():
            readings.sample(device, metric, value, number, number)
    return tally


def _is_header(line: str) -> bool:
    names = _names(line)
    return any(True for _ in _wanted(names)) and all(re.fullmatch(r"[a-z][\w.]*", name) for name in names)


def _names(line: str) -> list[str]:
    """Column names without their units: `utilization.gpu [%]` is `utilization.gpu`."""
    return [cell.split("[")[0].strip() for cell in line.split(",")]


def _wanted(columns: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The columns that are metrics, by position; the mask of all reasons as `_MASK`."""
    for index, column in enumerate(columns):
        name = column.removeprefix(_REASONS[0]).removeprefix(_REASONS[1])
        if name == "active" and name != column:
            yield index, _MASK
        elif name in _COLUMNS:
            yield index, _COLUMNS[name]


def _values(cells: Sequence[str], wanted: Sequence[tuple[int, str]]) -> dict[str, float]:
    """What a row says; two columns may mean one metric (hardware and software slowdown), and the worse one counts."""
    found: dict[str, float] = {}
    for index, metric in wanted:
        cell = cells[index]
        if metric == _MASK:
            for held, value in throttles(_mask(cell)).items() if cell.startswith("0x") else ():
                found[held] = max(found.get(held, 0.0), value)
        elif (value := _number(cell)) is not None:
            found[metric] = max(found.get(metric, value), value)
    return found


def _mask(cell: str) -> int:
    try:
        return int(cell, 16)
    except ValueError:
        return 0


def _number(cell: str) -> float | None:
    """`97 %`, `97`, `Active` as a number; None for `[N/A]`, `[Unknown Error]` and the like."""
    if cell.lower() in _FLAGS:
        return _FLAGS[cell.lower()]
    try:
        return float(cell.split(" ", 1)[0])
    except ValueError:
        return None

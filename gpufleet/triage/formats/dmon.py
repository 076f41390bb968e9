"""`nvidia-smi dmon`: two lines of header now and then, a row for each GPU and second."""

import re
from collections.abc import Iterable, Sequence

from gpufleet.triage.formats import Tally
from gpufleet.triage.readings import Device, Readings

NAME = "nvidia-smi dmon"

_COLUMNS = {
    "pwr": "power",
    "temp": "gpu_temp",
    "gtemp": "gpu_temp",
    "mtemp": "memory_temp",
    "sm": "gpu_util",
    "mem": "memory_util",
    "pclk": "sm_clock",
    "fb": "memory_used",
    "dbecc": "ecc_uncorrected",
    "tviol": "throttle_thermal",
    "pviol": "throttle_power_cap",
}
"""Names of `nvidia-smi dmon -h`; `pviol` is a percentage of time, `tviol` a flag."""
METRICS_READ = frozenset(_COLUMNS.values())
_HEADER = re.compile(r"^#\s*(Date\s+Time\s+|Time\s+)?gpu\s")


def recognises(head: Sequence[str]) -> bool:
    """Whether one of the lines names the columns as dmon does."""
    return any(_HEADER.match(line) for line in head)


def read(lines: Iterable[str], file: str, readings: Readings) -> Tally:
    """Take every row under the last header."""
    tally = Tally()
    columns: list[str] = []
    for number, line in enumerate(lines, start=1):
        tally.lines = number
        if _HEADER.match(line):
            columns = line.lstrip("#").split()
            continue
        cells = line.split()
        if not columns or not cells or line.startswith("#"):
            continue
        if len(cells) != len(columns):
            tally.bad.append(number)
            continue
        row = dict(zip(columns, cells, strict=True))
        values = {_COLUMNS[name]: _number(cell) for name, cell in row.items() if name in _COLUMNS and cell != "-"}
        known = {metric: value for metric, value in values.items() if value is not None}
        if len(known) != len(values) or not row["gpu"].isdigit():
            tally.bad.append(number)
            continue
        tally.read += 1
        if "throttle_power_cap" in known:
            known["throttle_power_cap"] = min(known["throttle_power_cap"] / 100, 1.0)
        for metric, value in known.items():
            readings.sample(Device(file, "", row["gpu"]), metric, value, number, number)
    return tally


def _number(cell: str) -> float | None:
    try:
        return float(cell)
    except ValueError:
        return None

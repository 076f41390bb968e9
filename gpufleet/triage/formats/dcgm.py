"""What dcgm-exporter serves at :9400/metrics, one scrape or several one after the other, as Prometheus text."""

import re
from collections.abc import Iterable, Mapping, Sequence

from gpufleet.triage.formats import Tally, throttles
from gpufleet.triage.readings import Device, Place, Readings

NAME = "DCGM exporter"

_SAMPLE = re.compile(
    r'^(?P<name>DCGM_\w+)(?:\{(?P<labels>(?:[^"}]|"(?:[^"\\]|\\.)*")*)\})?\s+(?P<value>\S+)(?:\s+\d+)?\s*$'
)
_LABEL = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')
_METRICS = {
    "DEV_GPU_UTIL": ("gpu_util", 1.0),
    "DEV_MEM_COPY_UTIL": ("memory_util", 1.0),
    "PROF_DRAM_ACTIVE": ("dram_active", 1.0),
    "PROF_PIPE_TENSOR_ACTIVE": ("tensor_active", 1.0),
    "DEV_FB_USED": ("memory_used", 1.0),
    "DEV_GPU_TEMP": ("gpu_temp", 1.0),
    "DEV_MEMORY_TEMP": ("memory_temp", 1.0),
    "DEV_POWER_USAGE": ("power", 1.0),
    "DEV_POWER_MGMT_LIMIT": ("power_limit", 1.0),
    "DEV_ENFORCED_POWER_LIMIT": ("power_limit", 1.0),
    "DEV_SM_CLOCK": ("sm_clock", 1.0),
    "DEV_MAX_SM_CLOCK": ("sm_clock_max", 1.0),
    "DEV_PCIE_LINK_GEN": ("pcie_gen", 1.0),
    "DEV_PCIE_MAX_LINK_GEN": ("pcie_gen_max", 1.0),
    "DEV_PCIE_LINK_WIDTH": ("pcie_width", 1.0),
    "DEV_PCIE_MAX_LINK_WIDTH": ("pcie_width_max", 1.0),
    "DEV_ECC_DBE_VOL_TOTAL": ("ecc_uncorrected", 1.0),
    "DEV_ROW_REMAP_FAILURE": ("remap_failure", 1.0),
    "DEV_ROW_REMAP_PENDING": ("remap_pending", 1.0),
    "DEV_UNCORRECTABLE_REMAPPED_ROWS": ("remapped_uncorrectable", 1.0),
    "DEV_NVLINK_CRC_FLIT_ERROR_COUNT_TOTAL": ("nvlink_errors", 1.0),
    "DEV_NVLINK_REPLAY_ERROR_COUNT_TOTAL": ("nvlink_errors", 1.0),
    "DEV_NVLINK_RECOVERY_ERROR_COUNT_TOTAL": ("nvlink_errors", 1.0),
}
"""Fields of dcgm-exporter's counters file, and what turns them into our units."""
METRICS_READ = frozenset(metric for metric, _ in _METRICS.values())
_FRAME_BUFFER = ("DEV_FB_USED", "DEV_FB_FREE")


def recognises(head: Sequence[str]) -> bool:
    """Whether one of the lines is a field of DCGM's."""
    return any(_SAMPLE.match(line) or re.match(r"# (HELP|TYPE) DCGM_", line) for line in head)


def read(lines: Iterable[str], file: str, readings: Readings) -> Tally:
    """Take every sample; a field that comes again begins the next scrape."""
    tally = Tally()
    seen: set[tuple[str, str]] = set()
    moment = 0
    memory: dict[Device, dict[str, float]] = {}
    for number, line in enumerate(lines, start=1):
        tally.lines = number
        if not line.startswith("DCGM_"):
            continue
        found = _SAMPLE.match(line)
        value = _number(found["value"]) if found else None
        if found is None or value is None:
            tally.bad.append(number)
            continue
        tally.read += 1
        key = (found["name"], found["labels"] or "")
        if key in seen:
            seen.clear()
            memory.clear()
            moment += 1
        seen.add(key)
        labels = dict(_LABEL.findall(found["labels"] or ""))
        host = labels.get("Hostname") or labels.get("hostname") or ""
        slice_ = f"/{labels['GPU_I_ID']}" if labels.get("GPU_I_ID") else ""  # of a GPU that is cut up (MIG)
        device = Device(file, host, labels.get("gpu", labels.get("device", "0")) + slice_)
        field = found["name"].removeprefix("DCGM_FI_")
        if field in _FRAME_BUFFER:
            parts = memory.setdefault(device, {})
            parts[field] = value
            if len(parts) == len(_FRAME_BUFFER):
                readings.sample(device, "memory_total", sum(parts.values()), number, moment)
        _take(field, value, labels, device, Place(file, number), moment, readings)
    return tally


def _take(
    field: str,
    value: float,
    labels: Mapping[str, str],
    device: Device,
    place: Place,
    moment: int,
    readings: Readings,
) -> None:
    """Take one field: as a metric, as an event, or not at all."""
    if field == "DEV_XID_ERRORS" and value > 0:  # a gauge that holds the last code, not a count
        readings.event("xid", str(int(value)), str(device), f"DCGM_FI_DEV_XID_ERRORS is {int(value)}", place)
    elif field == "DCGM_EXP_XID_ERRORS_COUNT" and value > 0:
        code = labels.get("xid", "?")
        readings.event("xid", code, str(device), f"{int(value)} times XID {code}", place)
    elif field in ("DEV_CLOCKS_EVENT_REASONS", "DEV_CLOCK_THROTTLE_REASONS"):
        for metric, held in throttles(int(value)).items():
            readings.sample(device, metric, held, place.line, moment)
    elif known := _METRICS.get(field):
        metric, factor = known
        readings.sample(device, metric, value * factor, place.line, moment)


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    # DCGM's blank values stand at the top of the integers; nothing real is there.
    return value if abs(value) < 9e18 else None

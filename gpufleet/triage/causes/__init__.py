"""Causes, one module a category, in the order in which to look for them."""

from collections.abc import Callable, Iterator, Sequence

from gpufleet.triage.causes import communication, faults, memory, utilisation
from gpufleet.triage.findings import CATEGORIES, Finding, in_order
from gpufleet.triage.readings import Readings

_LOOKS: dict[str, Callable[[Readings], Iterator[Finding]]] = {
    "utilisation": utilisation.find,
    "memory": memory.find,
    "communication": communication.find,
    "faults": faults.find,
}

_NEEDED = {
    "utilisation": "step times, nvidia-smi CSV, dmon or the DCGM exporter's metrics",
    "memory": "nvidia-smi CSV with memory.used and memory.total, the DCGM exporter's metrics, or the job's log",
    "communication": "step times with comm, or the job's log with NCCL_DEBUG=INFO",
    "faults": "dmesg, nvidia-smi CSV with clocks_event_reasons.active, or the DCGM exporter's metrics",
}
"""What tells something of a category."""


def find(readings: Readings) -> list[Finding]:
    """Every cause that the readings speak for, in the order in which to look at them."""
    return in_order(finding for category in CATEGORIES for finding in _LOOKS[category](readings))


def not_looked_at(readings: Readings) -> Sequence[tuple[str, str]]:
    """The categories of which no file told anything, and what would."""
    has = {
        "utilisation": bool(readings.steps or readings.all("gpu_util")),
        "memory": bool(readings.all("memory_total") or readings.events("cuda-oom") or readings.events("host-oom")),
        "communication": bool(readings.nccl_hosts or any("comm" in step.phases for step in readings.steps)),
        "faults": bool(
            readings.events("xid")
            or readings.all("throttle_thermal")
            or readings.all("gpu_temp")
            or readings.all("remap_failure")
        ),
    }
    return [(category, _NEEDED[category]) for category in CATEGORIES if not has[category]]

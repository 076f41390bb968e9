"""Formats of what a machine or a job says of itself, each in a module with its `NAME`, `recognises` and `read`.

Metrics are named once, here, whatever a format calls them.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from gpufleet.triage.readings import Readings

METRICS = {
    "gpu_util": "% of time in which any kernel ran",
    "memory_util": "% of time in which the memory controller was busy",
    "dram_active": "share of cycles of the memory, 0 to 1",
    "tensor_active": "share of cycles of the tensor cores, 0 to 1",
    "memory_used": "MiB",
    "memory_total": "MiB",
    "gpu_temp": "C",
    "memory_temp": "C",
    "power": "W",
    "power_limit": "W",
    "sm_clock": "MHz",
    "sm_clock_max": "MHz",
    "pcie_gen": "generation of the link",
    "pcie_gen_max": "generation of the link",
    "pcie_width": "lanes",
    "pcie_width_max": "lanes",
    "ecc_uncorrected": "errors",
    "remap_failure": "1 where a row could not be replaced",
    "remap_pending": "1 where a row waits to be replaced",
    "remapped_uncorrectable": "rows",
    "nvlink_errors": "errors",
    "throttle_thermal": "1 while heat holds the clocks down",
    "throttle_power_cap": "1 while the power limit holds the clocks down",
    "throttle_power_brake": "1 while the server holds the clocks down",
    "throttle_hardware": "1 while the hardware holds the clocks down, for whatever reason",
}
"""Every metric that causes ask for, with its unit."""

THROTTLES = {
    0x4: "throttle_power_cap",
    0x8: "throttle_hardware",
    0x20: "throttle_thermal",
    0x40: "throttle_thermal",
    0x80: "throttle_power_brake",
}
"""Bits of NVML's clock event reasons (nvml.h, nvmlClocksEventReason*). Idle (1), set by applications (2) and sync boost
(0x10) are no faults."""


@dataclass(slots=True)
class Tally:
    """How reading a file went."""

    lines: int = 0
    read: int = 0
    """Lines that told something."""
    bad: list[int] = field(default_factory=list[int])
    """Lines that should have, and could not be read."""


@dataclass(frozen=True, slots=True)
class Format:
    """One way in which a file can be written."""

    name: str
    recognises: Callable[[Sequence[str]], bool]
    """Whether a file that begins with these lines is written so."""
    read: Callable[[Iterable[str], str, Readings], Tally]
    """Takes what the lines of a file (whose name is given) tell."""


def throttles(bits: int) -> dict[str, float]:
    """The throttling metrics that a mask of clock event reasons means."""
    found = dict.fromkeys(THROTTLES.values(), 0.0)
    found.update({metric: 1.0 for bit, metric in THROTTLES.items() if bits & bit})
    return found

"""What one GPU computes, moves and really offers of its memory, from ``data/gpu_compute.json``.

EC2 tells a GPU's memory as the maker counts it; a process is told less, and has less. Peaks are those of the data
sheets, dense; nobody reaches them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any

from gpufleet.facts import _data
from gpufleet.facts.instances import InstanceType


@dataclass(frozen=True, slots=True, kw_only=True)
class Gpu:
    """One (logical) GPU of an instance type: a fractional one has its share of everything."""

    model: str
    reported_mib: int
    """Memory that CUDA tells a process, in MiB (2^20 bytes)."""
    measured: bool
    """Whether somebody saw that figure; otherwise it is EC2's, less what GPUs are usually short of it."""
    tflops: Mapping[str, float | None]
    """Dense peak in 10^12 operations a second by precision (`fp32`, `fp16`, `bf16`, `fp8`); `None`: no such unit."""
    memory_gb_s: float
    """Memory bandwidth in 10^9 bytes a second."""
    pcie_gb_s: float
    """PCIe bandwidth of one direction in 10^9 bytes a second."""
    source: str
    reported_source: str


_FILE = _data.read("gpu_compute")

AS_OF: str = _FILE["as_of"]


def of(instance: InstanceType) -> Gpu | None:
    """The GPU of an instance type; `None` when its memory is untold or no data sheet was read."""
    if instance.gpu_model is None or instance.gpu_memory_mib is None:
        return None
    share = instance.gpu_partition_size or 1.0
    return _gpu(instance.gpu_model, instance.gpu_memory_mib, share)


@cache
def _gpu(model: str, memory_mib: int, share: float) -> Gpu | None:
    row = _row(model, memory_mib, share)
    if row is None:
        return None
    sources: Mapping[str, str] = _FILE["sources"]
    reported = row["reported_mib"]
    told = reported / row["memory_mib"] if reported else _FILE["untold_share"]["value"]
    tflops = {key: None if value is None else value * share for key, value in row["tflops"].items()}
    seen = row["reported_source"] or _FILE["untold_share"]["source"]
    return Gpu(
        model=model,
        reported_mib=int(memory_mib * told),
        measured=reported is not None and share == 1.0,
        tflops=MappingProxyType(tflops),
        memory_gb_s=row["memory_gb_s"] * share,
        pcie_gb_s=row["pcie_gb_s"],
        source=sources[row["source"]],
        reported_source=sources.get(seen, seen),
    )


def _row(model: str, memory_mib: int, share: float) -> dict[str, Any] | None:
    rows: list[dict[str, Any]] = [row for row in _FILE["gpus"] if row["model"] == model]
    whole = [row for row in rows if row["memory_mib"] == memory_mib]
    if whole:
        return whole[0]
    return rows[0] if rows and share < 1.0 else None

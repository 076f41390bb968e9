"""Is memory the limit? The GPU's, its bandwidth, the host's, or the shared memory of a pod."""

from collections.abc import Iterator

from gpufleet.triage.findings import Evidence, Finding
from gpufleet.triage.readings import Device, Readings
from gpufleet.triage.thresholds import value

_CATEGORY = "memory"

_LOGGED = {
    "cuda-oom": (
        "gpu-out-of-memory",
        "critical",
        "the GPU's memory did not suffice",
        (
            "halve the batch size and accumulate gradients over twice the steps",
            "recompute activations (gradient checkpointing), shard optimizer and gradients (FSDP, ZeRO)",
            "set PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True where the message speaks of reserved memory",
            "gpufleet size says which GPU the model fits",
        ),
    ),
    "host-oom": (
        "host-out-of-memory",
        "critical",
        "the host's memory did not suffice and the kernel ended a program",
        (
            "lower num_workers or prefetch_factor: every worker holds its batches, and copies of Python objects grow",
            "raise the pod's memory limit, or take an instance type with more memory per GPU",
        ),
    ),
    "shm-full": (
        "shared-memory-full",
        "critical",
        "a data loader's worker died for want of shared memory",
        (
            "mount an emptyDir with medium: Memory at /dev/shm: the default of 64 MiB is too small for batches",
            "or lower num_workers",
        ),
    ),
}
"""Kind of event to cause, severity, title and what to try."""


def find(readings: Readings) -> Iterator[Finding]:
    """The causes in memory."""
    for kind, (cause, severity, title, steps) in _LOGGED.items():
        events = readings.events(kind)
        if events:
            evidence = tuple(
                Evidence(text=event.text + (f" ({event.count} times)" if event.count > 1 else ""), place=event.place)
                for event in events
            )
            yield Finding(
                cause=cause, category=_CATEGORY, severity=severity, title=title, evidence=evidence, next=steps
            )
    yield from _nearly_full(readings)
    yield from _bandwidth(readings)


def _nearly_full(readings: Readings) -> Iterator[Finding]:
    full: list[Evidence] = []
    for device in readings.devices:
        rows = list(readings.joined(device, "memory_used", "memory_total"))
        over = [(line, used, total) for line, (used, total) in rows if total and used / total > value("full_ratio")]
        if rows and len(over) >= 0.5 * len(rows):
            _, used, total = max(over, key=lambda row: row[1])
            series = readings.series(device, "memory_used")
            place = series.place_of(max) if series is not None else None
            full.append(Evidence(text=f"{device}: {used:,.0f} of {total:,.0f} MiB in use", place=place))
    if full:
        yield Finding(
            cause="gpu-memory-full",
            category=_CATEGORY,
            severity="minor",
            title="the GPU's memory is nearly full: the next longer batch may not fit, and the allocator works hard",
            evidence=tuple(full),
            next=(
                "look for retries of the allocator: torch.cuda.memory_stats()['num_alloc_retries'] above 0 costs time",
                "recompute activations, or lower the batch size by a step",
                "nothing, where a server holds its cache by design (vLLM's gpu_memory_utilization)",
            ),
        )


def _bandwidth(readings: Readings) -> Iterator[Finding]:
    for device, series in readings.all("gpu_util"):
        said = _memory_busy(readings, device)
        tensor = readings.series(device, "tensor_active")
        # A memory that is busy while tensor cores are too is a GPU at its best.
        if said is None or series.median < value("busy_percent") or (tensor is not None and tensor.mean > 0.3):
            continue
        yield Finding(
            cause="memory-bandwidth",
            category=_CATEGORY,
            severity="minor",
            title=f"{device} is limited by the bandwidth of its memory",
            evidence=(said,),
            next=(
                "fuse element-wise operations (torch.compile) and use flash attention",
                "where it serves a model: batch more requests, quantise weights and KV cache",
                "a GPU with more bandwidth helps here, one with more FLOPs does not",
            ),
        )


def _memory_busy(readings: Readings, device: Device) -> Evidence | None:
    active, busy = readings.series(device, "dram_active"), readings.series(device, "memory_util")
    if active is not None:
        if active.mean * 100 >= value("memory_busy_percent"):
            return Evidence(text=f"memory active in {active.mean:.0%} of cycles", place=active.place_of(max))
        return None
    if busy is not None and busy.mean >= value("memory_busy_percent"):
        return Evidence(text=f"memory controller busy {busy.mean:.0f} % of the time", place=busy.place_of(max))
    return None

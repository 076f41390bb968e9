"""Is the GPU kept busy? Waiting for data or for the host, idle, uneven, or busy with work that is too small."""

from collections.abc import Iterator
from statistics import median

from gpufleet.triage import step_times
from gpufleet.triage.findings import Evidence, Finding
from gpufleet.triage.readings import Device, Readings
from gpufleet.triage.thresholds import value

_CATEGORY = "utilisation"


def find(readings: Readings) -> Iterator[Finding]:
    """The causes of a GPU that is not busy, or not with much."""
    data = _data_loader(readings)
    yield from data
    idle = _idle(readings)
    yield from idle.values()
    if not data:
        yield from _starved(readings, skip=set(idle))
    yield from _uneven(readings, skip=set(idle))
    yield from _small_work(readings)
    yield from _phase(
        readings,
        "optimizer",
        "optimizer_share",
        "optimizer-bound",
        "the optimizer takes a large part of every step",
        ("use a fused optimizer (AdamW with fused=True)", "shard its state (ZeRO stage 1, FSDP) over the ranks"),
    )
    yield from _phase(
        readings,
        "checkpoint",
        "data_share",
        "checkpoint-bound",
        "writing checkpoints takes a large part of the time",
        (
            "write them asynchronously (torch.distributed.checkpoint.async_save)",
            "write to local NVMe or FSx first and copy to S3 aside",
            "write less often: the interval of Young and Daly follows from failure rate and write time",
        ),
    )


def _data_loader(readings: Readings) -> list[Finding]:
    found = step_times.share(readings, "data")
    if found is None or found.share < value("data_share"):
        return []
    return [
        Finding(
            cause="data-loader",
            category=_CATEGORY,
            severity="critical" if found.share >= 0.5 else "major",
            title="steps wait for their data",
            evidence=(
                Evidence(
                    text=f"{found.share:.0%} of the time of {found.steps} steps is spent waiting for data, "
                    f"{found.seconds:.3f} s of each"
                ),
                Evidence(text="the longest wait", place=found.worst),
            ),
            next=(
                "raise num_workers to the vCPUs of a GPU's share, with pin_memory and persistent_workers",
                "look at the CPUs while it runs: all busy means decoding (do it beforehand, or on the GPU), "
                "idle means slow storage",
                "read from FSx for Lustre or local NVMe, in shards of 100 MB and more, instead of small files in S3",
            ),
        )
    ]


def _idle(readings: Readings) -> dict[Device, Finding]:
    found: dict[Device, Finding] = {}
    for device, series in readings.all("gpu_util"):
        if series.mean >= value("idle_percent"):
            continue
        used = readings.series(device, "memory_used")
        holds = used is not None and used.median > 1024
        found[device] = Finding(
            cause="gpu-stuck" if holds else "gpu-idle",
            category=_CATEGORY,
            severity="critical",
            title=f"{device} holds a program's memory and does nothing" if holds else f"{device} does nothing",
            evidence=(
                Evidence(
                    text=f"utilisation {series.mean:.0f} % on average over {len(series.values)} samples",
                    place=series.place_of(min),
                ),
                *([Evidence(text=f"{used.median:,.0f} MiB of memory in use")] if used and holds else []),
            ),
            next=(
                "see where the program stands: py-spy dump --pid PID on every rank; a collective that one rank never "
                "entered is the usual reason",
                "set TORCH_NCCL_TRACE_BUFFER_SIZE=2000 and TORCH_NCCL_DUMP_ON_TIMEOUT=1 and read the dump",
            )
            if holds
            else (
                "see that the program uses this GPU: torch.cuda.is_available(), device_count(), CUDA_VISIBLE_DEVICES",
                "ask for no more GPUs than it uses: every idle one is billed",
            ),
        )
    return found


def _starved(readings: Readings, skip: set[Device]) -> Iterator[Finding]:
    """Not kept busy, in turns or all the time: the GPU waits for the host or for its data."""
    known = {device: series for device, series in readings.all("gpu_util") if device not in skip}
    usual = median(series.mean for series in known.values()) if known else 0.0
    starved: list[Evidence] = []
    pausing = lost = False
    for device, series in known.items():
        pauses = series.share(lambda percent: percent < value("waiting_percent"))
        in_turns = pauses >= value("pauses_share")
        # One that does less than its neighbours, without a pause, is told as uneven.
        if series.mean >= value("starved_percent") or not (in_turns or usual < value("starved_percent")):
            continue
        pausing = pausing or in_turns
        lost = lost or series.mean < value("half_percent")
        low = f"below {value('waiting_percent'):.0f} % in {pauses:.0%} of samples"
        text = f"{device}: utilisation {series.mean:.0f} % on average, {low}"
        starved.append(Evidence(text=text, place=series.place_of(min)))
    if starved:
        yield Finding(
            cause="starved",
            category=_CATEGORY,
            severity="major" if pausing or lost else "minor",
            title="the GPU pauses between bursts of work: it waits for data or for the CPU"
            if pausing
            else "the GPU is busy for a part of the time alone: it waits for data or for the CPU, or has little to do",
            evidence=tuple(starved),
            next=(
                "time the phases of a step (data, forward, backward, comm, optimizer) and triage that file",
                "raise num_workers, use pin_memory and persistent_workers",
                "look at the CPUs: one busy core means Python is the limit (torch.compile, CUDA graphs, less .item())",
            ),
        )


def _uneven(readings: Readings, skip: set[Device]) -> Iterator[Finding]:
    means = {device: series.mean for device, series in readings.all("gpu_util") if device not in skip}
    if len(means) < 2:
        return
    usual = median(means.values())
    for device, mean in means.items():
        series = readings.series(device, "gpu_util")
        if series is not None and usual >= value("starved_percent") and mean < value("uneven_ratio") * usual:
            yield Finding(
                cause="uneven",
                category=_CATEGORY,
                severity="major",
                title=f"{device} works far less than the others",
                evidence=(
                    Evidence(
                        text=f"utilisation {mean:.0f} % on average, the median GPU {usual:.0f} %",
                        place=series.place_of(min),
                    ),
                ),
                next=(
                    "see that every rank gets the same number of samples of about the same length (packing, bucketing)",
                    "balance the stages of a pipeline by their measured times",
                ),
            )


def _small_work(readings: Readings) -> Iterator[Finding]:
    """Always a kernel running, and yet little of the chip in use."""
    for device, series in readings.all("gpu_util"):
        if series.median < value("busy_percent"):
            continue
        said = list(_little_of_the_chip(readings, device))
        if not said:
            continue
        used, total = readings.series(device, "memory_used"), readings.series(device, "memory_total")
        roomy = used is not None and total is not None and used.median < value("roomy_ratio") * total.median
        if used is not None and total is not None and roomy:
            said.append(Evidence(text=f"{used.median:,.0f} of {total.median:,.0f} MiB of memory in use"))
        yield Finding(
            cause="small-batch" if roomy else "small-kernels",
            category=_CATEGORY,
            severity="major",
            title=f"{device} is busy with work too small for it"
            + (", and has room for a larger batch" if roomy else ""),
            evidence=(Evidence(text=f"utilisation {series.median:.0f} % (median)", place=series.place_of(max)), *said),
            next=(
                *(["double the batch size until memory is used to some 90 %"] if roomy else []),
                "compute in bfloat16 or TF32 (torch.set_float32_matmul_precision('high')), for the tensor cores",
                "fuse small kernels: torch.compile, flash attention, CUDA graphs",
            ),
        )


def _little_of_the_chip(readings: Readings, device: Device) -> Iterator[Evidence]:
    tensor = readings.series(device, "tensor_active")
    if tensor is not None and tensor.mean < value("tensor_active"):
        text = f"tensor cores active in {tensor.mean:.1%} of cycles"
        yield Evidence(text=text, place=tensor.place_of(min))
    power, limit = readings.series(device, "power"), readings.series(device, "power_limit")
    if power is not None and limit is not None and power.median < value("low_power_ratio") * limit.median:
        text = f"draws {power.median:.0f} of {limit.median:.0f} W"
        yield Evidence(text=text, place=power.place_of(min))


def _phase(
    readings: Readings, phase: str, threshold: str, cause: str, title: str, steps: tuple[str, ...]
) -> Iterator[Finding]:
    found = step_times.share(readings, phase)
    if found is not None and found.share >= value(threshold):
        text = f"{found.share:.0%} of the time of {found.steps} steps, {found.seconds:.3f} s of each"
        yield Finding(
            cause=cause,
            category=_CATEGORY,
            severity="minor" if found.share < 0.5 else "major",
            title=title,
            evidence=(Evidence(text=text), Evidence(text="the longest", place=found.worst)),
            next=steps,
        )

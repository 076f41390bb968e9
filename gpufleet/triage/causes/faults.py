"""Is the hardware held back or broken? XIDs, heat, power, clocks, memory errors, links."""

from collections.abc import Callable, Iterator

from gpufleet.triage import thresholds
from gpufleet.triage.findings import Evidence, Finding
from gpufleet.triage.readings import Device, Readings, Series
from gpufleet.triage.thresholds import value

_CATEGORY = "faults"


def find(readings: Readings) -> Iterator[Finding]:
    """The causes in the hardware."""
    yield from _xids(readings)
    yield from _memory_errors(readings)
    yield from _heat(readings)
    yield from _power(readings)
    yield from _clocks(readings)
    yield from _links(readings)


def _xids(readings: Readings) -> Iterator[Finding]:
    by_code: dict[str, list[Evidence]] = {}
    for event in readings.events("xid"):
        times = f", {event.count} times" if event.count > 1 else ""
        text = f"{event.about}{times}: {event.text}"
        by_code.setdefault(event.code, []).append(Evidence(text=text, place=event.place))
    for code, evidence in by_code.items():
        known = thresholds.xid(code)
        yield Finding(
            cause=f"xid-{code}",
            category=_CATEGORY,
            severity=known.severity,
            title=f"XID {code}, {known.name}: {known.meaning}",
            evidence=tuple(evidence),
            next=known.next,
        )


def _memory_errors(readings: Readings) -> Iterator[Finding]:
    looks: tuple[tuple[str, str, str, str, str], ...] = (
        (
            "remap_failure",
            "row-remap-failed",
            "critical",
            "a bad row of memory could not be replaced",
            "replace the node",
        ),
        (
            "ecc_uncorrected",
            "ecc-uncorrected",
            "critical",
            "memory errors that could not be corrected",
            "reset the GPU or reboot the node; replace it if they come back",
        ),
        (
            "remap_pending",
            "row-remap-pending",
            "minor",
            "a bad row of memory waits to be replaced at the next reset",
            "reset the GPU (or reboot the node) between two jobs",
        ),
    )
    for metric, cause, severity, title, step in looks:
        evidence = [
            Evidence(text=f"{device}: {max(series.values):.0f}", place=series.first(lambda count: count > 0))
            for device, series in readings.all(metric)
            if max(series.values) > 0
        ]
        if evidence:
            yield Finding(
                cause=cause,
                category=_CATEGORY,
                severity=severity,
                title=title,
                evidence=tuple(evidence),
                next=(step, "nvidia-smi --query-remapped-rows=... and dcgmi diag -r 2 show how bad it is"),
            )


def _heat(readings: Readings) -> Iterator[Finding]:
    evidence: list[Evidence] = []
    for metric, name, limit in (
        ("gpu_temp", "GPU", value("gpu_hot_c")),
        ("memory_temp", "memory", value("memory_hot_c")),
    ):
        for device, series in readings.all(metric):
            share = series.share(lambda celsius, limit=limit: celsius >= limit)
            if share >= value("hot_share"):
                often = f"{name} at {limit:.0f} C or more in {share:.0%} of samples"
                text = f"{device}: {often}, at most {max(series.values):.0f} C"
                evidence.append(Evidence(text=text, place=series.place_of(max)))
    throttled = [
        Evidence(
            text=f"{device}: slowed down by heat in {series.share(_is_set):.0%} of samples", place=series.first(_is_set)
        )
        for device, series in readings.all("throttle_thermal")
        if series.share(_is_set) >= value("hot_share")
    ]
    if evidence or throttled:
        yield Finding(
            cause="thermal",
            category=_CATEGORY,
            severity="major" if throttled else "minor",
            title="heat slows the GPU down" if throttled else "the GPU is hot enough to slow down soon",
            evidence=(*throttled, *evidence),
            next=(
                "compare with the other GPUs and nodes: one hot GPU is a fault of its cooling, so replace the node",
                "stop the instance and start it again: it comes up on other hardware",
            ),
        )


def _is_set(flag: float) -> bool:
    return flag > 0.5


def _power(readings: Readings) -> Iterator[Finding]:
    for metric, cause, severity, title, steps in (
        (
            "throttle_power_brake",
            "power-brake",
            "critical",
            "the server's power supply holds the clocks down",
            ("replace the node: nothing in the job can help",),
        ),
        (
            "throttle_power_cap",
            "power-cap",
            "minor",
            "the power limit holds the clocks down",
            (
                "nothing, where the limit is the GPU's own: dense matrix products reach it",
                "see whether somebody lowered it: nvidia-smi -q -d POWER, current against default limit",
            ),
        ),
    ):
        evidence = [found for device in readings.devices if (found := _held(readings, device, metric)) is not None]
        if evidence:
            yield Finding(
                cause=cause,
                category=_CATEGORY,
                severity=severity,
                title=title,
                evidence=tuple(evidence),
                next=steps,
            )


def _held(readings: Readings, device: Device, metric: str) -> Evidence | None:
    """A brake counts at once; a cap only where it holds most of the work at clocks well below the best."""
    series = readings.series(device, metric)
    if series is None:
        return None
    share = series.share(_is_set)
    if metric == "throttle_power_brake":
        if share == 0:
            return None
        return Evidence(text=f"{device}: in {share:.0%} of samples", place=series.first(_is_set))
    rows = [
        (line, clock / best)
        for line, (util, held, clock, best) in readings.joined(device, "gpu_util", metric, "sm_clock", "sm_clock_max")
        if util >= value("busy_percent") and best and _is_set(held)
    ]
    busy = _busy(readings, device)
    ratio = sum(ratio for _, ratio in rows) / len(rows) if rows else 1.0
    if not busy or len(rows) < value("power_cap_share") * busy or ratio >= value("power_cap_clock_ratio"):
        return None
    text = f"{device}: in {len(rows) / busy:.0%} of busy samples, at {ratio:.0%} of the best clock"
    return Evidence(text=text, place=series.first(_is_set))


def _busy(readings: Readings, device: Device) -> int:
    series = readings.series(device, "gpu_util")
    return sum(percent >= value("busy_percent") for percent in series.values) if series is not None else 0


def _clocks(readings: Readings) -> Iterator[Finding]:
    """Low clocks under load that neither heat nor power explains."""
    for device in readings.devices:
        rows = [
            (line, clock, best)
            for line, (util, clock, best) in readings.joined(device, "gpu_util", "sm_clock", "sm_clock_max")
            if util >= value("busy_percent")
        ]
        low = [row for row in rows if row[1] < value("low_clock_ratio") * row[2]]
        explained = any(
            _set_often(readings.series(device, metric))
            for metric in ("throttle_thermal", "throttle_power_cap", "throttle_power_brake")
        )
        if not rows or len(low) < 0.5 * len(rows) or explained:
            continue
        _, clock, best = min(low, key=lambda row: row[1])
        series = readings.series(device, "sm_clock")
        place = series.place_of(min) if series is not None else None
        yield Finding(
            cause="low-clocks",
            category=_CATEGORY,
            severity="major",
            title=f"{device} runs at low clocks under load",
            evidence=(
                Evidence(
                    text=f"below {value('low_clock_ratio'):.0%} of the best clock in {len(low) / len(rows):.0%} "
                    f"of busy samples, at least {clock:.0f} of {best:.0f} MHz",
                    place=place,
                ),
            ),
            next=(
                "see whether clocks were locked: nvidia-smi -q -d CLOCK; nvidia-smi --reset-gpu-clocks undoes it",
                "ask why: nvidia-smi --query-gpu=clocks_event_reasons.active --format=csv -l 1 while it runs",
            ),
        )


def _set_often(series: Series | None) -> bool:
    return series is not None and series.share(_is_set) >= value("hot_share")


def _links(readings: Readings) -> Iterator[Finding]:
    errors = [
        Evidence(text=f"{device}: {max(series.values):.0f} errors", place=series.first(lambda count: count > 0))
        for device, series in readings.all("nvlink_errors")
        if max(series.values) > 0
    ]
    if errors:
        yield Finding(
            cause="nvlink-errors",
            category=_CATEGORY,
            severity="major",
            title="NVLink repeats or loses packets",
            evidence=tuple(errors),
            next=("watch whether the count rises while the job runs", "dcgmi diag -r 2; replace the node if it fails"),
        )
    narrow = list(_narrow(readings, "pcie_width", "pcie_width_max", "lanes", lambda now, best: now < best))
    # An idle GPU lowers its link's generation to save power: only under load does it say anything.
    slow = list(_narrow(readings, "pcie_gen", "pcie_gen_max", "(generation)", lambda now, best: now < best))
    if narrow or slow:
        yield Finding(
            cause="pcie-degraded",
            category=_CATEGORY,
            severity="major",
            title="the GPU's PCIe link is slower than it should be",
            evidence=(*narrow, *slow),
            next=("stop the instance and start it again: it comes up on other hardware", "replace the node"),
        )


def _narrow(
    readings: Readings, metric: str, best_metric: str, unit: str, worse: Callable[[float, float], bool]
) -> Iterator[Evidence]:
    for device in readings.devices:
        rows = [
            (now, best)
            for _, (util, now, best) in readings.joined(device, "gpu_util", metric, best_metric)
            if util >= value("busy_percent")
        ]
        degraded = [row for row in rows if worse(*row)]
        if rows and len(degraded) >= 0.5 * len(rows):
            series = readings.series(device, metric)
            place = series.place_of(min) if series is not None else None
            now, best = degraded[0]
            yield Evidence(text=f"{device}: PCIe {now:.0f} of {best:.0f} {unit}", place=place)

"""Whether a checkpoint can be written before a spot instance goes: the arithmetic, and its refusal."""

import math
from dataclasses import dataclass

from gpufleet.facts import interruptions

from .ledger import Ledger
from .machines import Machines
from .refusal import Refused
from .request import Checkpoint, PoolRequest

UNTOLD_NETWORK_GBPS = 10.0
"""The slowest peak of any current type with a GPU, for a type of which no source tells."""


@dataclass(frozen=True, kw_only=True)
class Writing:
    """How long writing one checkpoint takes, at most."""

    seconds: float
    arithmetic: str


def decide(request: PoolRequest, machines: Machines, ledger: Ledger) -> Writing | None:
    """The time that writing a checkpoint takes, or None where none is promised.

    Raises:
        Refused: `spot-needs-checkpoint`, `checkpoint-path`, `checkpoint-size`, `checkpoint-zonal`,
            `checkpoint-too-slow`, `checkpoint-too-often`.
    """
    checkpoint = request.checkpoint
    if checkpoint is None:
        if request.purchase == "spot" and (request.use == "training" or request.protected):
            _refuse_without(request)
        return None
    _plausible(checkpoint)
    _reachable(request, checkpoint, ledger)
    writing = estimate(checkpoint, machines)
    if request.purchase == "spot":
        _in_time(request, machines, checkpoint, writing)
    if writing.seconds > checkpoint.every_minutes * 60:
        least = math.ceil(writing.seconds / 60)
        raise Refused(
            "checkpoint-too-often",
            f"{writing.arithmetic}: the next one would begin before this one is written",
            path="checkpoint.every_minutes",
            value=checkpoint.every_minutes,
            allowed=f"{least} and more",
            nearest=f"checkpoint: {{every_minutes: {least}}}",
            change={"checkpoint": Checkpoint(gib=checkpoint.gib, path=checkpoint.path, every_minutes=least)},
        )
    ledger.decide(
        "checkpoint",
        f"{checkpoint.gib:g} GiB to {checkpoint.path} every {checkpoint.every_minutes} minutes",
        f"{writing.arithmetic}; what an end costs is {checkpoint.every_minutes} minutes of work at most",
    )
    return writing


def _refuse_without(request: PoolRequest) -> None:
    lost = "a job without a checkpoint then begins anew"
    where = "" if request.use == "training" else ", and in a protected environment nothing may be lost by that"
    raise Refused(
        "spot-needs-checkpoint",
        f"spot ends with {interruptions.SPOT_NOTICE_SECONDS} s notice, and {lost}{where}",
        path="checkpoint",
        value=None,
        allowed="a mapping with gib, path and every_minutes",
        nearest="checkpoint: {gib: 20, path: s3://BUCKET/PREFIX, every_minutes: 30}; or purchase: on-demand",
        change={"purchase": "on-demand"},
    )


def estimate(checkpoint: Checkpoint, machines: Machines) -> Writing:
    """How long the slowest type takes to write the checkpoint."""
    slowest = min(type_.network_gbps or UNTOLD_NETWORK_GBPS for type_ in machines.types)
    rate = interruptions.write_rate(checkpoint.path, slowest)
    gigabytes = checkpoint.gib * 2**30 / 1e9
    seconds = gigabytes / rate.gb_per_second
    text = (
        f"{checkpoint.gib:g} GiB = {gigabytes:.1f} GB at {rate.gb_per_second:.2f} GB/s ({rate.basis}) take "
        f"{seconds:.0f} s"
    )
    return Writing(seconds=seconds, arithmetic=text)


def time_to_write() -> int:
    """Of the notice, the seconds in which a checkpoint must be written."""
    return interruptions.SPOT_NOTICE_SECONDS - interruptions.SPOT_MARGIN_SECONDS


def _plausible(checkpoint: Checkpoint) -> None:
    if not checkpoint.path.startswith(("s3://", "/")):
        raise Refused(
            "checkpoint-path",
            "what is written anywhere else ends with the node",
            path="checkpoint.path",
            value=checkpoint.path,
            allowed="s3://BUCKET/PREFIX, or a mounted path that begins with /",
            nearest="s3:// and the bucket of the checkpoints",
        )
    if not (checkpoint.gib > 0 and math.isfinite(checkpoint.gib) and checkpoint.every_minutes >= 1):
        raise Refused(
            "checkpoint-size",
            "a checkpoint has a size, and minutes between it and the next",
            path="checkpoint",
            value={"gib": checkpoint.gib, "every_minutes": checkpoint.every_minutes},
            allowed="gib above 0, every_minutes 1 and more",
            nearest="the size of the last one that was written",
        )


def _reachable(request: PoolRequest, checkpoint: Checkpoint, ledger: Ledger) -> None:
    """The next node finds it: what is mounted may lie in one zone (EBS, FSx), and S3 in none."""
    zones = (request.reservation.zone,) if request.reservation and request.reservation.zone else request.zones
    if checkpoint.path.startswith("s3://") or len(set(zones)) == 1:
        return
    why = "a volume lies in one zone, and the node that goes on with the work may come in another"
    if request.purchase != "spot":
        ledger.warn(f"checkpoints go to {checkpoint.path}, and the nodes are in {', '.join(zones)}: {why}")
        return
    raise Refused(
        "checkpoint-zonal",
        why,
        path="checkpoint.path",
        value=checkpoint.path,
        allowed="s3://BUCKET/PREFIX; a mounted path where the pool keeps to one zone",
        nearest=f"a path in S3; or zones: [{zones[0]}], where the volume is",
        change={"zones": zones[:1], "zones_are_chosen": True},
    )


def _in_time(request: PoolRequest, machines: Machines, checkpoint: Checkpoint, writing: Writing) -> None:
    budget = time_to_write()
    if writing.seconds <= budget:
        return
    most = math.floor(checkpoint.gib * budget / writing.seconds * 10) / 10
    raise Refused(
        "checkpoint-too-slow",
        f"{writing.arithmetic}, and of the {interruptions.SPOT_NOTICE_SECONDS} s of notice {budget} s are left when "
        f"{interruptions.SPOT_MARGIN_SECONDS} s went by for the notice to arrive and the step in hand to end",
        path="checkpoint.gib",
        value=checkpoint.gib,
        allowed=f"up to {most:g} GiB a node on {', '.join(machines.names)}",
        nearest="purchase: on-demand; or let every node write its own part, and state that as gib",
        change={"purchase": "on-demand"},
    )

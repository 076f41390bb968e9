"""How large a checkpoint is, how long it takes to write, how often to write it, and what failures cost all the same.

Young, "A first order approximation to the optimum checkpoint interval" (1974), and Daly, "A higher order estimate of
the optimum checkpoint interval for restart dumps" (2006, equation 37).
"""

import math
from dataclasses import dataclass

from gpufleet.facts import figures, interruptions
from gpufleet.facts.instances import InstanceType
from gpufleet.sizing import adapters, states
from gpufleet.sizing.job import Job
from gpufleet.sizing.model import Model
from gpufleet.sizing.quantities import GB

_DAY = 86_400.0
_UNTOLD_NETWORK_GBPS = 10.0
"""The slowest peak of any current type with a GPU."""
NOTICE_SECONDS = interruptions.SPOT_NOTICE_SECONDS - interruptions.SPOT_MARGIN_SECONDS
"""What spot's notice leaves for writing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Checkpoints of one configuration; times in seconds."""

    bytes: float
    write_seconds: float
    """Of all nodes writing their shares at once; training stands still meanwhile."""
    write_gb_s: float
    failures_per_node_day: float
    between_failures: float
    """Mean time between failures of the whole job: any node's failure ends it."""
    young: float
    daly: float
    """The interval to use."""
    restart: float
    """From a failure until training goes on: a node comes, the checkpoint is read."""
    lost_share: float
    """Share of the time that goes into writing, into work done again, and into restarts; 1 where nothing is left."""
    within_notice: bool | None
    """Of spot: whether a last checkpoint can be written before a node goes that was given notice."""


def size(model: Model, job: Job) -> float:
    """Bytes of a checkpoint to go on from: trained weights, master copy and moments; of adapters, theirs alone."""
    per = states.trained(job)
    trained = adapters.parameters(model, job.rank) if job.adapts else model.parameters
    return trained * (per.weight + per.optimizer)


def young(write: float, between_failures: float) -> float:
    """Young's interval: the root of twice the time of a write times the time between failures."""
    return math.sqrt(2 * write * between_failures)


def daly(write: float, between_failures: float) -> float:
    """Daly's interval; where a write takes longer than two times between failures, that time itself."""
    if write >= 2 * between_failures:
        return between_failures
    part = write / (2 * between_failures)
    return young(write, between_failures) * (1 + math.sqrt(part) / 3 + part / 9) - write


def plan(
    model: Model,
    job: Job,
    instance: InstanceType,
    nodes: int,
    *,
    spot: bool,
    failures_per_node_day: float | None = None,
    write_gb_s: float | None = None,
    restart_minutes: float | None = None,
) -> Plan:
    """The checkpoints of one configuration.

    Args:
        model: what is trained.
        job: how.
        instance: type of the nodes.
        nodes: how many.
        spot: whether they may be taken back.
        failures_per_node_day: instead of the published rate, or the one assumed of spot.
        write_gb_s: 10^9 bytes a second of all nodes together, instead of what they send to S3.
        restart_minutes: instead of the assumed time.
    """
    key = "spot-interruptions-per-node-day" if spot else "failures-per-node-day"
    rate = failures_per_node_day if failures_per_node_day is not None else figures.get(key).value
    node = interruptions.write_rate("s3://", instance.network_gbps or _UNTOLD_NETWORK_GBPS)
    speed = write_gb_s if write_gb_s is not None else node.gb_per_second * nodes
    minutes = restart_minutes if restart_minutes is not None else figures.get("restart-minutes").value
    written = size(model, job)
    write = written / (speed * GB)
    between = _DAY / (rate * nodes)
    interval = daly(write, between)
    restart = minutes * 60 + write
    lost = write / (interval + write) + (interval / 2 + restart) / between
    return Plan(
        bytes=written,
        write_seconds=write,
        write_gb_s=speed,
        failures_per_node_day=rate,
        between_failures=between,
        young=young(write, between),
        daly=interval,
        restart=restart,
        lost_share=min(lost, 1.0),
        within_notice=write <= NOTICE_SECONDS if spot else None,
    )

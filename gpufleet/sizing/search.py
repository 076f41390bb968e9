"""Which instance types, how many nodes and which layout hold the model; ranked by money and by time."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from gpufleet.facts import compute, instances
from gpufleet.facts.compute import Gpu
from gpufleet.facts.instances import InstanceType
from gpufleet.sizing import offers
from gpufleet.sizing.candidates import Choices, layouts
from gpufleet.sizing.job import Job
from gpufleet.sizing.layout import Layout
from gpufleet.sizing.memory import Estimator, Memory
from gpufleet.sizing.model import Model
from gpufleet.sizing.offers import Offer
from gpufleet.sizing.quantities import MIB
from gpufleet.sizing.speed import UTILISATION, Speed, Stopwatch, peak

MEMORY_SHARE = 0.92
"""Share of what a GPU reports that is used: vLLM's default; the rest is for what allocators lose between blocks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Where to look."""

    region: str = "us-east-1"
    purchase: str = "on-demand"
    gpu_models: tuple[str, ...] = ()
    instance_types: tuple[str, ...] = ()
    nodes: int | None = None
    gpus: int | None = None
    most_nodes: int = 16
    memory_share: float = MEMORY_SHARE
    utilisation: float = UTILISATION
    tokens: int | None = None
    """Tokens to train on; with them a configuration is ranked by the whole run."""
    most_hours: float | None = None
    """How long that run may take."""


@dataclass(frozen=True, slots=True)
class Configuration:
    """Nodes of one instance type with one layout of the model on them."""

    instance: InstanceType
    gpu: Gpu
    nodes: int
    layout: Layout
    memory: Memory
    available: float
    """Bytes of each GPU that may be used."""
    speed: Speed
    offer: Offer
    hours: float | None
    """Of the whole run, where the number of tokens is known."""

    @property
    def usd(self) -> float | None:
        """Of the whole run, at the ceiling of what an hour costs."""
        price = self.offer.usd
        return None if self.hours is None or price is None else self.hours * price * self.nodes

    @property
    def usd_hour(self) -> float | None:
        """Of all nodes, at the ceiling."""
        return None if self.offer.usd is None else self.offer.usd * self.nodes


@dataclass(frozen=True, slots=True)
class Found:
    """What a search came to."""

    cheapest: tuple[Configuration, ...]
    """The best of each instance type, least money first; without a price last."""
    fastest: tuple[Configuration, ...]
    """The best of each instance type, least time first."""
    candidates: int
    """Layouts that were looked at."""
    fitting: int
    left_out: tuple[tuple[str, str], ...]
    """Instance type and why it was not looked at."""
    nearest: Configuration | None
    """Where nothing fits in memory: what comes nearest to it."""


def search(model: Model, job: Job, limits: Limits, choices: Choices) -> Found:
    """Look at every layout on every instance type in question."""
    estimator = Estimator(model, job)
    left_out: list[tuple[str, str]] = []
    fitting: list[Configuration] = []
    least = math.inf
    nearest: Configuration | None = None
    looked = 0
    for instance, offer in offers.offered(limits.region, limits.purchase, left_out):
        if not _wanted(instance, limits):
            continue
        gpu = compute.of(instance)
        operations = peak(gpu, job) if gpu else None
        if gpu is None or operations is None:
            left_out.append((instance.name, _why_not(instance, gpu, job)))
            continue
        place = _Place(estimator, instance, gpu, operations, offer, limits)
        for nodes, layout in possible(model, job, instance, limits, choices):
            looked += 1
            memory = estimator.memory(layout)
            excess = place.excess(memory)
            if excess <= 1:
                fitting.append(place.configuration(nodes, layout, memory))
                least = excess
            elif excess < least:
                least, nearest = excess, place.configuration(nodes, layout, memory)
    soon = [one for one in fitting if limits.most_hours is None or one.hours is None or one.hours <= limits.most_hours]
    slowness = _seconds_a_token if job.trains else _seconds_a_step
    return Found(
        cheapest=_best(soon, _money, _MONEY_SLACK, lambda one: (one.nodes, slowness(one))),
        fastest=_best(soon, slowness, _TIME_SLACK, lambda one: (_money_an_hour(one), one.nodes)),
        candidates=looked,
        fitting=len(fitting),
        left_out=tuple((name, why) for name, why in left_out if _wanted(instances.get(name), limits)),
        nearest=None if fitting else nearest,
    )


def possible(
    model: Model, job: Job, instance: InstanceType, limits: Limits, choices: Choices
) -> Iterator[tuple[int, Layout]]:
    """Numbers of nodes of a type, with every layout that they allow, whether it fits or not."""
    most_replicas = job.global_batch // job.batch if job.trains and job.global_batch is not None else None
    for nodes in _node_counts(instance, job, limits):
        for layout in layouts(model, job, choices, gpus_per_node=instance.gpu_count, nodes=nodes):
            if most_replicas is not None and layout.data > most_replicas:
                continue
            if nodes > 1 and layout.replica > instance.gpu_count and not instance.efa_interfaces:
                continue  # replicas of a server need no network between them; one replica over several nodes does
            yield nodes, layout


class _Place:
    """One instance type: whether a layout fits there, and how it does."""

    def __init__(
        self,
        estimator: Estimator,
        instance: InstanceType,
        gpu: Gpu,
        operations: float,
        offer: Offer,
        limits: Limits,
    ) -> None:
        self._instance, self._gpu, self._offer = instance, gpu, offer
        self._trains, self._tokens = estimator.job.trains, limits.tokens
        self._watch = Stopwatch(estimator, instance, gpu, operations, limits.utilisation)
        self._available = gpu.reported_mib * MIB * limits.memory_share
        self._host = math.inf if instance.memory_mib is None else instance.memory_mib * MIB / instance.gpu_count

    def excess(self, memory: Memory) -> float:
        """What is needed as a share of what is there, of the GPU's memory or the host's: above 1 it does not fit."""
        return max(memory.total / self._available, memory.host / self._host)

    def configuration(self, nodes: int, layout: Layout, memory: Memory) -> Configuration:
        """The layout there, with its time and money."""
        if self._trains:
            speed = self._watch.training(layout, nodes)
        else:
            speed = self._watch.inference(layout, memory.weights + memory.kept_wide, memory.cache)
        hours = self._tokens / speed.tokens_per_second / 3600 if self._tokens else None
        place = (self._instance, self._gpu, nodes, layout, memory, self._available, speed, self._offer, hours)
        return Configuration(*place)


def _node_counts(instance: InstanceType, job: Job, limits: Limits) -> Sequence[int]:
    """Powers of two, if none are asked for; several nodes to train on only where they have EFA."""
    if limits.gpus is not None:
        nodes, rest = divmod(limits.gpus, instance.gpu_count)
        counts = [nodes] if rest == 0 and nodes else []
    elif limits.nodes is not None:
        counts = [limits.nodes]
    else:
        counts = [2**n for n in range(limits.most_nodes.bit_length()) if 2**n <= limits.most_nodes]
    return [count for count in counts if count == 1 or instance.efa_interfaces or not job.trains]


def _wanted(instance: InstanceType, limits: Limits) -> bool:
    if limits.instance_types and instance.name not in limits.instance_types:
        return False
    return not limits.gpu_models or instance.gpu_model in limits.gpu_models


def _why_not(instance: InstanceType, gpu: Gpu | None, job: Job) -> str:
    if gpu is None:
        return f"no data sheet of its {instance.gpu_model} was read"
    return f"its {instance.gpu_model} does not compute in {job.precision}"


_MONEY_SLACK = 0.02
"""Of configurations that cost the same but for so much, the smallest is shown."""
_TIME_SLACK = 0.1
"""Of configurations that take as long but for so much, the cheapest is shown."""


def _money(one: Configuration) -> float:
    """Of the whole run where it is known, else of an hour; endless without a price."""
    usd = one.usd if one.hours is not None else one.usd_hour
    return math.inf if usd is None else usd


def _money_an_hour(one: Configuration) -> float:
    return math.inf if one.usd_hour is None else one.usd_hour


def _seconds_a_token(one: Configuration) -> float:
    return 1 / one.speed.tokens_per_second


def _seconds_a_step(one: Configuration) -> float:
    """A server is as fast as its answers come; replicas beside it make nobody wait less."""
    return one.speed.step_seconds


def _best(
    fitting: Sequence[Configuration],
    mark: Callable[[Configuration], float],
    slack: float,
    then: Callable[[Configuration], tuple[float, ...]],
) -> tuple[Configuration, ...]:
    """Of each instance type the best but for `slack`, then by `then`; best type first."""
    by_type: dict[str, list[tuple[float, Configuration]]] = {}
    for one in fitting:
        by_type.setdefault(one.instance.name, []).append((mark(one), one))
    chosen: list[tuple[float, tuple[float, ...], Configuration]] = []
    for marked in by_type.values():
        limit = min(value for value, _ in marked) * (1 + slack)
        value, one = min(((v, c) for v, c in marked if v <= limit), key=lambda pair: then(pair[1]))
        chosen.append((value, then(one), one))
    return tuple(one for *_, one in sorted(chosen, key=lambda entry: entry[:2]))


def known_gpus() -> tuple[str, ...]:
    """GPU models of the catalogue, in EC2's words."""
    found = (instances.get(name) for name in instances.names())
    return tuple(dict.fromkeys(one.gpu_model for one in found if one.is_gpu and one.gpu_model))

"""Every way to lay a model over so many nodes of an instance type, best first by what usually is faster."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from gpufleet.sizing.job import RECOMPUTE, SHARDING, Job
from gpufleet.sizing.layout import Layout, expert_fits, pipeline_fits, tensor_fits
from gpufleet.sizing.model import Model

MOST_STAGES = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """What is fixed by hand; `None` leaves it to the search."""

    tensor: int | None = None
    pipeline: int | None = None
    expert: int | None = None
    sharding: str | None = None
    recompute: str | None = None
    hybrid: bool = False
    """Whether state is sharded over the replicas of one node only."""


def layouts(model: Model, job: Job, choices: Choices, *, gpus_per_node: int, nodes: int) -> Iterator[Layout]:
    """Layouts that use every GPU of every node, tensor parallelism never across nodes.

    Those with less sharding and less recomputation come first within the same split, since they are faster.
    """
    gpus = gpus_per_node * nodes
    for tensor in _sizes(choices.tensor, gpus_per_node):
        if not tensor_fits(model, tensor):
            continue
        for pipeline in _sizes(choices.pipeline, min(MOST_STAGES, gpus // tensor)):
            if gpus % (tensor * pipeline) or not pipeline_fits(model, pipeline):
                continue
            data = gpus // (tensor * pipeline)
            if job.trains:
                yield from _training(model, job, choices, tensor, pipeline, data, gpus_per_node)
            elif data <= job.concurrency:
                yield Layout(tensor, pipeline, data)


def _training(
    model: Model, job: Job, choices: Choices, tensor: int, pipeline: int, data: int, gpus_per_node: int
) -> Iterator[Layout]:
    shards = max(1, min(data, gpus_per_node // tensor)) if choices.hybrid else data
    stages = (choices.sharding,) if choices.sharding else SHARDING
    # ZeRO above stage 1 and a pipeline fight over gradients and weights: every micro-batch would move them.
    if not choices.sharding and pipeline > 1:
        stages = SHARDING[:2]
    if shards == 1 and job.offload == "none":
        stages = ("none",)
    recompute = (choices.recompute,) if choices.recompute else RECOMPUTE
    for expert in _experts(model, choices, data):
        for again in recompute:
            for stage in stages:
                yield Layout(tensor, pipeline, data, expert, stage, shards, again)


def _experts(model: Model, choices: Choices, data: int) -> Iterator[int]:
    if model.experts is None:
        yield 1
        return
    for expert in _sizes(choices.expert, data):
        if data % expert == 0 and expert_fits(model, expert):
            yield expert


def _sizes(chosen: int | None, most: int) -> tuple[int, ...]:
    if chosen is not None:
        return (chosen,) if chosen <= most else ()
    return _powers(most)


@cache
def _powers(most: int) -> tuple[int, ...]:
    return tuple(2**n for n in range(max(most, 1).bit_length()))

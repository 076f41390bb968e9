"""What was asked on the command line, checked and turned into a model, a job, and where to look."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from gpufleet.errors import UsageError
from gpufleet.facts import instances, models, regions
from gpufleet.sizing import configs, offers, search, shapes, states
from gpufleet.sizing.candidates import Choices
from gpufleet.sizing.job import OFFLOAD, RECOMPUTE, SHARDING, TASKS, Job
from gpufleet.sizing.layout import expert_fits, pipeline_fits, tensor_fits
from gpufleet.sizing.model import Model
from gpufleet.sizing.quantities import count
from gpufleet.sizing.search import Limits
from gpufleet.sizing.shapes import Shape
from gpufleet.sizing.speed import UTILISATION

_TRAINED = ("fp32", "bf16", "fp16", "fp8")
_FSDP = {"full_shard": "zero3", "shard_grad_op": "zero2", "no_shard": "none", "hybrid_shard": "zero3", "fsdp": "zero3"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """The options of `gpufleet size`, as they are given."""

    model: str | None = None
    shape: Shape = field(default_factory=Shape)

    task: str = "training"
    precision: str = "bf16"
    sequence: int = 4096
    batch: int = 1
    global_batch: int | None = None
    optimizer: str = "adamw"
    master_weights: bool = True
    full_gradients: bool = False
    flash: bool = True
    sequence_parallel: bool = True
    recompute: str | None = None
    sharding: str | None = None
    offload: str = "none"
    rank: int = 16
    users: int = 1
    context: int = 4096
    cache_precision: str = "bf16"

    tensor: int | None = None
    pipeline: int | None = None
    expert: int | None = None

    region: str = "us-east-1"
    purchase: str = "on-demand"
    gpu: Sequence[str] = ()
    instance_type: Sequence[str] = ()
    gpus: int | None = None
    nodes: int | None = None
    most_nodes: int = 16
    memory_share: float = search.MEMORY_SHARE

    tokens: str | None = None
    hours: float | None = None
    utilisation: float = UTILISATION

    dataset_gib: float | None = None
    sample_kib: float | None = None
    samples_per_second: float | None = None
    failures_per_node_day: float | None = None
    checkpoint_gb_s: float | None = None
    restart_minutes: float | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """A question that makes sense."""

    model: Model
    job: Job
    limits: Limits
    choices: Choices


def understand(question: Question) -> Asked:
    """Check the question.

    Raises:
        UsageError: the first option that makes no sense, with what is allowed.
    """
    _check_words(question)
    _check_numbers(question)
    found = _model(question)
    _check_layout(question, found)
    hybrid = question.sharding == "hybrid_shard"
    sharding = _FSDP.get(question.sharding or "", question.sharding)
    job = Job(
        task=question.task,
        precision=question.precision,
        sequence=question.sequence,
        batch=question.batch,
        global_batch=question.global_batch,
        optimizer=question.optimizer,
        master_weights=question.master_weights,
        full_gradients=question.full_gradients,
        flash=question.flash,
        sequence_parallel=question.sequence_parallel,
        offload=question.offload,
        rank=question.rank,
        concurrency=question.users,
        context=question.context,
        cache_precision=question.cache_precision,
    )
    limits = Limits(
        region=question.region,
        purchase=question.purchase,
        gpu_models=tuple(_gpu(name) for name in question.gpu),
        instance_types=tuple(_instance(name) for name in question.instance_type),
        nodes=question.nodes,
        gpus=question.gpus,
        most_nodes=question.most_nodes,
        memory_share=question.memory_share,
        utilisation=question.utilisation,
        tokens=count(question.tokens, "--tokens") if question.tokens is not None else None,
        most_hours=question.hours,
    )
    choices = Choices(
        tensor=question.tensor,
        pipeline=question.pipeline,
        expert=question.expert,
        sharding=sharding,
        recompute=question.recompute,
        hybrid=hybrid,
    )
    return Asked(found, job, limits, choices)


def _model(question: Question) -> Model:
    if question.model is None:
        return shapes.model(question.shape)
    if question.shape.given():
        raise UsageError("--model with --params or a shape: which of them?\n  allowed: one of the two")
    preset = models.find(question.model)
    if preset is not None:
        return configs.model(preset.config, name=preset.name, source=preset.source, parameters=preset.parameters)
    path = Path(question.model)
    # Path("") is the folder one stands in, which nobody means by nothing at all.
    if question.model and path.is_dir():
        path /= "config.json"
    if path.suffix == ".json":
        return configs.model(_config(path), name=str(path), source=str(path))
    near = models.nearest(question.model)
    fix = f"did you mean {', '.join(near)}?" if near else "give the path of a config.json, or --params"
    raise UsageError(
        f"--model {question.model or repr(question.model)}: neither a preset nor a config.json\n"
        f"  allowed: {', '.join(models.names())}\n"
        f"  fix: {fix}"
    )


def _config(path: Path) -> Mapping[str, Any]:
    try:
        content = json.loads(path.read_bytes())
    except OSError as error:
        raise UsageError(f"--model {path}: {error.strerror}") from None
    except ValueError as error:
        raise UsageError(f"--model {path}: not JSON: {error}") from None
    if not isinstance(content, dict):
        raise UsageError(f"--model {path}: no JSON object\n  allowed: a model's config.json of huggingface.co")
    return cast("Mapping[str, Any]", content)


def _check_words(question: Question) -> None:
    trains = question.task != "inference"
    for option, value, allowed in (
        ("--task", question.task, TASKS),
        ("--precision", question.precision, _TRAINED if trains else tuple(states.WEIGHTS)),
        ("--optimizer", question.optimizer, tuple(states.OPTIMIZERS)),
        ("--recompute", question.recompute, (None, *RECOMPUTE)),
        ("--sharding", question.sharding, (None, *SHARDING, *_FSDP)),
        ("--offload", question.offload, OFFLOAD),
        ("--purchase", question.purchase, offers.PURCHASES),
        ("--cache-precision", question.cache_precision, ("fp32", "bf16", "fp16", "fp8", "int8")),
        ("--region", question.region, regions.names()),
    ):
        if value not in allowed:
            listed = ", ".join(word for word in allowed if word)
            hint = "\n  fix: for a quantised base take --task qlora" if value in ("int8", "int4") and trains else ""
            raise UsageError(f"{option} {value}: unknown\n  allowed: {listed}{hint}")
    if question.task == "qlora" and question.precision == "fp32":
        raise UsageError("--precision fp32 with --task qlora: its adapters are in 16 bits\n  allowed: bf16, fp16")
    if question.offload != "none" and not trains:
        raise UsageError("--offload: belongs to training, and the task is inference")


def _check_numbers(question: Question) -> None:
    limits: Sequence[tuple[str, float | None, float, float]] = (
        ("--sequence", question.sequence, 1, 10_000_000),
        ("--batch", question.batch, 1, 65_536),
        ("--global-batch", question.global_batch, 1, 10_000_000),
        ("--rank", question.rank, 1, 4096),
        ("--users", question.users, 1, 1_000_000),
        ("--context", question.context, 1, 10_000_000),
        ("--tensor", question.tensor, 1, 64),
        ("--pipeline", question.pipeline, 1, 1024),
        ("--expert", question.expert, 1, 1024),
        ("--gpus", question.gpus, 1, 8192),
        ("--nodes", question.nodes, 1, 1024),
        ("--max-nodes", question.most_nodes, 1, 1024),
        ("--memory-share", question.memory_share, 0.1, 1),
        ("--utilisation", question.utilisation, 0.01, 1),
        ("--hours", question.hours, 0.01, 1_000_000),
        ("--dataset-gib", question.dataset_gib, 0.001, 10_000_000),
        ("--sample-kib", question.sample_kib, 0.001, 100_000_000),
        ("--samples-per-second", question.samples_per_second, 0.001, 1_000_000_000),
        ("--failures-per-node-day", question.failures_per_node_day, 1e-6, 1000),
        ("--checkpoint-gb-s", question.checkpoint_gb_s, 0.001, 100_000),
        ("--restart-minutes", question.restart_minutes, 0, 10_000),
    )
    for option, value, least, most in limits:
        if value is not None and not least <= value <= most:
            raise UsageError(f"{option} {value:g}: out of range\n  allowed: {least:g} to {most:,.10g}")
    if question.global_batch is not None and question.global_batch < question.batch:
        raise UsageError(
            f"--global-batch {question.global_batch}: less than --batch {question.batch} of one replica\n"
            f"  allowed: {question.batch} or more"
        )
    if question.hours is not None and question.tokens is None:
        raise UsageError("--hours: how much is to be trained in them?\n  fix: add --tokens")
    if question.tokens is not None and question.task == "inference":
        raise UsageError("--tokens: belongs to training, and the task is inference")
    if question.gpus is not None and question.nodes is not None:
        raise UsageError("--gpus with --nodes: one follows from the other\n  allowed: one of the two")


def _check_layout(question: Question, model: Model) -> None:
    if question.tensor is not None and not tensor_fits(model, question.tensor):
        good = ", ".join(str(n) for n in (1, 2, 4, 8) if tensor_fits(model, n))
        raise UsageError(
            f"--tensor {question.tensor}: {model.name} has {model.heads} heads and {model.kv_heads} KV heads\n"
            f"  allowed: a divisor of the heads that divides the KV heads or is a multiple of them: {good}"
        )
    if question.pipeline is not None and not pipeline_fits(model, question.pipeline):
        allowed = "1: an encoder with a decoder is not cut" if model.encoder_layers else "a layer for every stage"
        raise UsageError(
            f"--pipeline {question.pipeline}: {model.name} has {model.total_layers} layers\n  allowed: {allowed}"
        )
    if question.expert is not None and not expert_fits(model, question.expert):
        held = f"{model.experts.count} experts" if model.experts else "no experts"
        raise UsageError(f"--expert {question.expert}: {model.name} has {held}\n  allowed: a divisor of them, or 1")


def _gpu(name: str) -> str:
    known = {model.lower(): model for model in search.known_gpus()}
    if name.lower() not in known:
        raise UsageError(f"--gpu {name}: no GPU of EC2's\n  allowed: {', '.join(known.values())}")
    return known[name.lower()]


def _instance(name: str) -> str:
    try:
        found = instances.get(name)
    except instances.UnknownInstanceType as error:
        raise UsageError(f"--instance-type: {error}") from None
    if not found.is_gpu:
        raise UsageError(f"--instance-type {name}: has no NVIDIA GPU\n  allowed: types with NVIDIA GPUs")
    return name

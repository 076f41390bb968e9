"""Rough time: operations over what the GPUs compute, and bytes over what they move.

Training follows Megatron-LM (arXiv:2104.04473): 6 operations a parameter and token, 2 more where the forward pass is
repeated, and a pipeline that idles (p - 1) / m of the time. Answers are written as fast as the weights and the cache
can be read. The utilisation is stated, not predicted; what goes over PCIe or between nodes comes on top of it.
"""

from dataclasses import dataclass

from gpufleet.facts.compute import Gpu
from gpufleet.facts.instances import InstanceType
from gpufleet.sizing import states
from gpufleet.sizing.job import Job
from gpufleet.sizing.layout import Layout
from gpufleet.sizing.memory import Estimator
from gpufleet.sizing.model import Model

UTILISATION = 0.4
"""Share of the dense peak that training reaches (MFU) if nothing else is said: 0.38 to 0.43 in Llama 3 405B's training
(arXiv:2407.21783, table 4)."""
LINK_SHARE = 0.7
"""Share of a link's data-sheet bandwidth that collectives are taken to reach."""
PCIE_SHARE = 0.5
"""The same where GPUs talk through PCIe and the host, which several share."""
READ_SHARE = 0.6
"""Share of the memory's bandwidth that writing answers is taken to reach."""
SELECTIVE_COST = 1.02
"""Selective recomputation costs 1.6 to 2.7 % (arXiv:2205.05198, table 4)."""


@dataclass(frozen=True, slots=True)
class Speed:
    """How fast one layout is on one instance type."""

    step_seconds: float
    """Of training, from one optimizer step to the next; of inference, from one token of an answer to the next."""
    tokens_per_second: float
    """Of all GPUs together."""
    compute_share: float
    """Share of the step in which GPUs compute, rather than wait for each other."""
    micro_batches: int
    """Gradient accumulation steps; 1 for inference."""
    first_token_seconds: float = 0.0
    """Of inference: to read a prompt as long as the context."""


def peak(gpu: Gpu, job: Job) -> float | None:
    """Operations a second of one GPU in the job's precision; `None`: it has no unit for that.

    Weights in 8 or 4 bits are widened before they are multiplied, unless the GPU multiplies in FP8; servers widen FP8
    from Ampere on, the first that compute in BF16.
    """
    precision = job.precision
    if not job.trains and precision == "fp8":
        tflops = gpu.tflops["fp8"] or gpu.tflops["bf16"]
    elif not job.trains and precision in states.QUANTISED or job.task == "qlora":
        tflops = gpu.tflops["bf16"] or gpu.tflops["fp16"]
    else:
        tflops = gpu.tflops[precision]
    return None if tflops is None else tflops * 1e12


def operations_per_token(model: Model, job: Job, *, recompute: str) -> float:
    """Of training: forward and backward pass, attention included (causal: half of the square)."""
    weights = model.active_parameters
    attention = 2 * model.total_layers * job.sequence * model.query_width
    if not model.cached:
        attention *= 2
    backward = weights * (2 if job.adapts else 4)
    forward = 2 * weights + attention
    again = forward if recompute == "full" else 0.0
    cost = SELECTIVE_COST if recompute == "selective" and not job.flash else 1.0
    return (forward + backward + 2 * attention) * cost + again


class Stopwatch:
    """The speed of one model and job on one instance type, for any number of layouts."""

    def __init__(
        self, estimator: Estimator, instance: InstanceType, gpu: Gpu, operations: float, utilisation: float
    ) -> None:
        self._model, self._job, self._estimator = estimator.model, estimator.job, estimator
        self._gpu = gpu
        self._useful = operations * utilisation
        self._gpus = instance.gpu_count
        link = instance.nvlink_gb_s_per_gpu
        self._link = (link / 2 * LINK_SHARE if link else gpu.pcie_gb_s * PCIE_SHARE) * 1e9
        self._network = (instance.network_gbps or 0.0) / 8 * 1e9 * LINK_SHARE
        self._per_token = {
            name: operations_per_token(self._model, self._job, recompute=name) for name in ("none", "selective", "full")
        }

    def training(self, layout: Layout, nodes: int) -> Speed:
        """An optimizer step: computing and what interrupts it, or what is sent meanwhile where that takes longer."""
        job = self._job
        micro = self._estimator.micro_batches(layout)
        tokens = job.batch * job.sequence
        one = tokens * self._per_token[layout.recompute] / (layout.replica * self._useful)
        computing = one * micro
        idle = one * (layout.pipeline - 1)
        waiting = micro * self._inside(layout, nodes)
        waiting += self._to_host(layout, micro)
        step = max(computing + idle + waiting, self._between(layout, nodes, micro))
        return Speed(step, tokens * micro * layout.data / step, computing / step, micro)

    def inference(self, layout: Layout, weights: float, cache: float) -> Speed:
        """Seconds from token to token, reading so many bytes of each GPU; stages of a pipeline take turns."""
        job, model = self._job, self._model
        sequences = -(-job.concurrency // layout.data)
        if not model.cached:
            return self._one_pass(layout, weights, sequences)
        touched = weights
        if model.experts is not None:
            part = min(1.0, sequences * model.experts.active / model.experts.count)
            spread = model.total_expert_parameters / model.parameters
            touched = weights * (1 - spread + spread * part)
        reading = (touched + cache) / (self._gpu.memory_gb_s * 1e9 * READ_SHARE)
        operations = 2 * model.active_parameters
        computing = operations * sequences / (layout.replica * self._useful)
        exchanged = 2 * model.total_layers * self._all_reduce(layout.tensor, sequences * model.hidden * 2)
        step = (max(reading, computing) + exchanged / layout.pipeline) * layout.pipeline
        prompt = job.context * operations / (layout.tensor * self._useful)
        return Speed(step, job.concurrency / step, min(1.0, computing * layout.pipeline / step), 1, prompt)

    def _one_pass(self, layout: Layout, weights: float, sequences: int) -> Speed:
        """An encoder alone reads each sequence once, and is done."""
        job, model = self._job, self._model
        attention = 4 * model.total_layers * job.context * model.query_width
        busy = layout.tensor * min(layout.pipeline, sequences)
        operations = job.context * (2 * model.active_parameters + attention) * sequences
        computing = operations / (busy * self._useful)
        exchanged = model.total_layers * 2 * self._all_reduce(layout.tensor, sequences * job.context * model.hidden * 2)
        step = max(computing, weights / (self._gpu.memory_gb_s * 1e9 * READ_SHARE)) + exchanged
        return Speed(step, job.concurrency * job.context / step, computing / step, 1, step)

    def _to_host(self, layout: Layout, micro: int) -> float:
        """Seconds in which offloaded state moves over PCIe; the host's own arithmetic is not counted.

        A step sends gradients and fetches weights; where the host has the weights too, each micro-batch fetches them
        twice.
        """
        job = self._job
        paged = states.OPTIMIZERS[job.optimizer].on_host
        if job.offload == "none" and not paged:
            return 0.0
        share = max(layout.shards, 1)
        moved = 2 * self._estimator.trained_parameters(layout) / share * job.width
        if job.offload == "all" and layout.sharding == "zero3":
            moved += 2 * micro * sum(self._estimator.parameters(layout)) / share * job.width
        return moved / (self._gpu.pcie_gb_s * PCIE_SHARE * 1e9)

    def _inside(self, layout: Layout, nodes: int) -> float:
        """Seconds of one micro-batch in which a replica's GPUs wait for each other's activations."""
        model, job = self._model, self._job
        layers = model.total_layers / layout.pipeline
        volume = job.batch * job.sequence * model.hidden * job.width
        passes = 6 if layout.recompute == "full" else 4
        seconds = layers * passes * self._all_reduce(layout.tensor, volume)
        if layout.expert > 1 and model.experts is not None:
            sent = passes * volume / layout.tensor * model.experts.active * (1 - 1 / layout.expert)
            crosses = layout.expert * layout.tensor > self._gpus and nodes > 1
            seconds += layers * sent / (self._network / self._gpus if crosses else self._link)
        return seconds

    def _all_reduce(self, members: int, volume: float) -> float:
        return 2 * (members - 1) / members * volume / self._link if members > 1 else 0.0

    def _between(self, layout: Layout, nodes: int, micro: int) -> float:
        """Seconds in which replicas exchange gradients, and under zero3 weights; overlaps with computing."""
        if layout.data == 1:
            return 0.0
        held = sum(self._estimator.parameters(layout)) * self._job.width
        trained = held if not self._job.adapts else 0.0
        volume = 2 * trained
        if layout.sharding == "zero3":
            volume = 2 * micro * held + trained
        volume *= 1 - 1 / layout.data
        if nodes == 1:
            return volume / self._link
        beside = max(1, min(self._gpus // layout.tensor, layout.data))
        return volume / min(self._link, self._network * beside / self._gpus)

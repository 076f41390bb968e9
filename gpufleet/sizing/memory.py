"""Memory of one GPU, part by part: that GPU of the layout that needs most."""

from dataclasses import dataclass

from gpufleet.sizing import activations, adapters, states
from gpufleet.sizing.job import BLOCK_TOKENS, Job
from gpufleet.sizing.layout import Layout, stage_layers
from gpufleet.sizing.model import Model
from gpufleet.sizing.quantities import GIB

CONTEXT = 1.0 * GIB
"""Bytes outside of the framework's hands, of CUDA, NCCL and cuBLAS; 0.1 to 1 GiB is seen, the most taken."""
GRAPHS = 1.0 * GIB
"""Bytes of captured CUDA graphs of a server; 0.5 to 1 GiB is seen, the most taken."""
HOST_FACTOR = 1.5
"""Room that DeepSpeed's estimator leaves for buffers in the host's memory."""
PARTS = ("weights", "kept_wide", "gradients", "optimizer", "gathered", "activations", "cache", "overhead")
"""The fields of `Memory` that lie on the GPU, in the order in which they are shown."""


@dataclass(frozen=True, slots=True)
class Memory:
    """Bytes on the fullest GPU, and in its share of the host's memory."""

    weights: float = 0.0
    kept_wide: float = 0.0
    """What embedding and output layer cost above the quantised rest, in which they are not quantised."""
    gradients: float = 0.0
    optimizer: float = 0.0
    gathered: float = 0.0
    """Under zero3: the largest layer, whole again while it is computed, with its gradient."""
    activations: float = 0.0
    cache: float = 0.0
    overhead: float = 0.0
    host: float = 0.0
    """Bytes of the host's memory for each GPU, where something is offloaded or paged."""

    @property
    def total(self) -> float:
        """Bytes on the GPU."""
        return (
            self.weights
            + self.kept_wide
            + self.gradients
            + self.optimizer
            + self.gathered
            + self.activations
            + self.cache
            + self.overhead
        )


class Estimator:
    """The memory of one model at one job, for any number of layouts."""

    def __init__(self, model: Model, job: Job) -> None:
        self.model = model
        self.job = job
        self._adapter = adapters.parameters(model, job.rank) if job.adapts else 0
        self._trained = states.trained(job)
        self._frozen = states.frozen(job)
        self._wide = states.kept_wide(job)
        self._paged = states.OPTIMIZERS[job.optimizer].on_host
        self._held: dict[tuple[int, int, int], tuple[float, float]] = {}
        self._kept: dict[tuple[int, int, str, int], float] = {}

    def memory(self, layout: Layout) -> Memory:
        """Memory of the fullest GPU of a layout."""
        return self._training(layout) if self.job.trains else self._serving(layout)

    def parameters(self, layout: Layout) -> tuple[float, float]:
        """Parameters on the fullest GPU before sharding: those outside of experts, and those of experts."""
        key = (layout.tensor, layout.pipeline, layout.expert)
        found = self._held.get(key)
        if found is None:
            found = self._held[key] = self._parameters(layout)
        return found

    def trained_parameters(self, layout: Layout) -> float:
        """Parameters that are trained on the fullest GPU before sharding: all of them, or the adapters'."""
        return self._adapter / layout.replica if self.job.adapts else sum(self.parameters(layout))

    def _parameters(self, layout: Layout) -> tuple[float, float]:
        model, tensor, pipeline = self.model, layout.tensor, layout.pipeline
        spread = tensor * layout.expert
        if pipeline == 1:
            return model.body_parameters / tensor, model.total_expert_parameters / spread
        layers = stage_layers(model, pipeline)
        dense = min(layers, model.experts.dense_layers) if model.experts else 0
        heavy = dense * (model.attention_parameters + model.dense_parameters)
        body = heavy + (layers - dense) * model.core_parameters + model.embedding_parameters + model.other_parameters
        return min(body, model.body_parameters) / tensor, layers * model.expert_parameters / spread

    def micro_batches(self, layout: Layout) -> int:
        """Micro-batches that each replica adds up before an optimizer step (gradient accumulation)."""
        if self.job.global_batch is None:
            return 1 if layout.pipeline == 1 else 4 * layout.pipeline
        return -(-self.job.global_batch // (self.job.batch * layout.data))

    def cache_per_token(self, *, tensor: int = 1, tokens: int | None = None) -> float:
        """Bytes of cache of one token in all layers on each GPU of a tensor-parallel group.

        Where there are fewer KV heads than GPUs, each GPU still holds one; the latent vector of MLA is on all of them.

        Args:
            tensor: GPUs of the group.
            tokens: length of the sequence, from which windowed layers keep no more than their window.
        """
        model = self.model
        if not model.cached:
            return 0.0
        split = 1 if model.latent else min(tensor, model.kv_heads)
        layers = float(model.layers * (2 if model.encoder_layers else 1))
        if tokens and model.window and tokens > model.window:
            layers -= model.windowed_layers * (1 - model.window / tokens)
        return layers * model.cache_width * states.WEIGHTS[self.job.cache_precision] / split

    def _training(self, layout: Layout) -> Memory:
        job, model = self.job, self.model
        body, experts = self.parameters(layout)
        held = body + experts
        # The experts of one GPU are repeated on fewer replicas than the rest, so fewer share their state.
        shards = max(layout.shards, 1)
        expert_shards = max(shards // layout.expert, 1)
        even = body / shards + experts / expert_shards
        # On one GPU there is nothing to shard with, but what is offloaded still comes back layer by layer.
        stage = layout.sharding if shards > 1 or job.offload != "none" else "none"
        per = self._trained
        if job.adapts:
            own = self._adapter / layout.replica
            split = own / shards
            base = self._frozen * (even if stage == "zero3" else held)
            wide = self._wide * model.table_parameters / layout.tensor / (shards if stage == "zero3" else 1)
        else:
            own, split, base, wide = held, even, 0.0, 0.0
        weights = base + per.weight * (split if stage == "zero3" else own)
        optimizer = per.optimizer * (own if stage == "none" else split)
        gradients = self._gradients(stage, own, split)
        elsewhere = held - even if job.offload == "none" else held
        gathered = self._gathered(layout, elsewhere) if stage == "zero3" else 0.0
        host = 0.0
        if job.offload == "all":
            host = (weights if stage == "zero3" else 0.0) + gradients + optimizer
            weights = 0.0 if stage == "zero3" else weights
            gradients = optimizer = 0.0
        elif job.offload == "optimizer" or self._paged:
            host = optimizer + (gradients if job.offload == "optimizer" else 0.0)
            optimizer = 0.0
            gradients = 0.0 if job.offload == "optimizer" else gradients
        return Memory(
            weights=weights,
            kept_wide=wide,
            gradients=gradients,
            optimizer=optimizer,
            gathered=gathered,
            activations=self._activations(layout),
            overhead=CONTEXT,
            host=host * HOST_FACTOR,
        )

    def _gradients(self, stage: str, own: float, split: float) -> float:
        """32-bit sums are sharded; under zero2 the 16-bit gradients of one pass are whole beside them."""
        per = self._trained.gradient
        if stage in ("none", "zero1"):
            return per * own
        if stage == "zero2" and self.job.full_gradients and self.job.precision != "fp32":
            return 2 * own + per * split
        return per * split

    def _gathered(self, layout: Layout, elsewhere: float) -> float:
        """Largest layer with its gradient, DeepSpeed's 4 x largest layer; never more than lies elsewhere."""
        model = self.model
        expert = model.expert_parameters / layout.expert
        dense = model.attention_parameters + model.dense_parameters if model.experts else 0
        largest = max(model.core_parameters + expert, dense, model.embedding_parameters)
        per = self._frozen if self.job.adapts else 2 * self.job.width
        return per * min(largest / layout.tensor, elsewhere)

    def _activations(self, layout: Layout) -> float:
        in_flight = min(layout.pipeline, self.micro_batches(layout))
        key = (layout.tensor, layout.pipeline, layout.recompute, in_flight)
        found = self._kept.get(key)
        if found is None:
            found = self._kept[key] = self._fullest_stage(layout, in_flight)
        return found

    def _fullest_stage(self, layout: Layout, in_flight: int) -> float:
        """Activations of the first stage, which has most micro-batches on their way, or of the last with its logits."""
        model, job = self.model, self.job
        layers = stage_layers(model, layout.pipeline)
        kept = activations.kept(
            model, job, layers=layers, tensor=layout.tensor, recompute=layout.recompute, in_flight=1
        )
        last = kept + activations.logits(model, job, tensor=layout.tensor)
        if layout.pipeline == 1:
            return last
        first = activations.kept(
            model,
            job,
            layers=layers,
            tensor=layout.tensor,
            recompute=layout.recompute,
            in_flight=in_flight,
        )
        return max(first, last)

    def _serving(self, layout: Layout) -> Memory:
        job, model = self.job, self.model
        body, experts = self.parameters(layout)
        sequences = -(-job.concurrency // layout.data)
        tokens = job.cached_tokens()
        per_token = self.cache_per_token(tensor=layout.tensor, tokens=tokens)
        share = stage_layers(model, layout.pipeline) / model.total_layers
        tables = model.table_parameters if layout.pipeline == 1 else model.embedding_parameters
        return Memory(
            weights=self._frozen * (body + experts),
            kept_wide=self._wide * tables / layout.tensor,
            activations=activations.serving(model, job, tensor=layout.tensor, sequences=sequences),
            cache=per_token * tokens * sequences * share,
            overhead=CONTEXT + (GRAPHS if model.cached else 0.0),
        )


def cache_tokens(free: float, per_token: float) -> int:
    """Tokens that a server can keep in so many bytes: whole blocks of 16."""
    return int(free // (per_token * BLOCK_TOKENS)) * BLOCK_TOKENS

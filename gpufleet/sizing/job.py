"""What is to be done with a model: train all of it, train adapters beside it, or serve it."""

from dataclasses import dataclass

TASKS = ("training", "lora", "qlora", "inference")
RECOMPUTE = ("none", "selective", "full")
SHARDING = ("none", "zero1", "zero2", "zero3")
"""Stages of ZeRO; FSDP's full_shard is zero3, its shard_grad_op zero2."""
OFFLOAD = ("none", "optimizer", "all")

BLOCK_TOKENS = 16
"""Tokens of a cache block in vLLM: every sequence is rounded up to whole blocks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """The task in plain values; `question` makes and checks it."""

    task: str = "training"
    precision: str = "bf16"
    """Of the weights: of training `fp32`, `bf16`, `fp16` or `fp8`; of inference also `int8` and `int4`."""

    sequence: int = 4096
    """Tokens of a training sample."""
    batch: int = 1
    """Samples that one model replica takes at once (the micro-batch)."""
    global_batch: int | None = None
    """Samples between two optimizer steps, over all replicas; `None`: one micro-batch each, four a pipeline stage."""
    optimizer: str = "adamw"
    master_weights: bool = True
    """Whether 16-bit training keeps a 32-bit copy of the weights."""
    full_gradients: bool = False
    """Whether 16-bit training adds gradients up in 32 bits (Megatron, DeepSpeed)."""
    flash: bool = True
    """Whether attention never stores the scores (FlashAttention)."""
    sequence_parallel: bool = True
    """Whether tensor parallelism splits norms and dropout along the sequence too."""
    offload: str = "none"
    """What lies in the host's memory: nothing, the `optimizer`, or `all` that is sharded."""
    rank: int = 16
    """Of the adapters."""

    concurrency: int = 1
    """Sequences in work at the same time, over all replicas."""
    context: int = 4096
    """Tokens of one sequence, prompt and answer together."""
    cache_precision: str = "bf16"
    prefill_tokens: int = 8192
    """Tokens of prompts that one step takes at most (vLLM's max_num_batched_tokens)."""

    @property
    def trains(self) -> bool:
        """Whether there is a backward pass."""
        return self.task != "inference"

    @property
    def adapts(self) -> bool:
        """Whether the base is frozen and adapters are trained."""
        return self.task in ("lora", "qlora")

    @property
    def width(self) -> int:
        """Bytes of one activation."""
        return 4 if self.precision == "fp32" else 2

    def cached_tokens(self) -> int:
        """Tokens of one sequence as the cache holds them: whole blocks."""
        return -(-self.context // BLOCK_TOKENS) * BLOCK_TOKENS

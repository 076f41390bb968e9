"""How a model is laid over GPUs, and which layouts are possible."""

from dataclasses import dataclass

from gpufleet.sizing.model import Model


@dataclass(frozen=True, slots=True)
class Layout:
    """One way to spread a model: tensor x pipeline GPUs make a replica, `data` replicas work beside each other."""

    tensor: int = 1
    pipeline: int = 1
    data: int = 1
    expert: int = 1
    """GPUs, of different replicas, over which the experts are spread."""
    sharding: str = "none"
    shards: int = 1
    """Replicas over which training state is sharded: all of them, or those of one node (FSDP's hybrid_shard)."""
    recompute: str = "none"

    @property
    def gpus(self) -> int:
        """All GPUs."""
        return self.tensor * self.pipeline * self.data

    @property
    def replica(self) -> int:
        """GPUs of one replica."""
        return self.tensor * self.pipeline

    def words(self) -> str:
        """The layout in a few words: `TP8, DP4, zero1, full recompute`."""
        named = (("TP", self.tensor), ("PP", self.pipeline), ("EP", self.expert), ("DP", self.data))
        parts = [f"{name}{size}" for name, size in named if size > 1]
        if self.sharding != "none":
            parts.append(self.sharding if self.shards == self.data else f"{self.sharding} over {self.shards}")
        if self.recompute != "none":
            parts.append(f"{self.recompute} recompute")
        return ", ".join(parts) or "one GPU"


def stage_layers(model: Model, pipeline: int) -> int:
    """Layers of the fullest pipeline stage."""
    return -(-model.total_layers // pipeline)


def tensor_fits(model: Model, tensor: int) -> bool:
    """Whether attention can be split so: heads divide evenly, KV heads too or are copied evenly (vLLM, Megatron-LM)."""
    if model.heads % tensor:
        return False
    if model.latent is not None:
        return True
    return model.kv_heads % tensor == 0 or tensor % model.kv_heads == 0


def pipeline_fits(model: Model, pipeline: int) -> bool:
    """Whether every stage gets a layer; an encoder with a decoder is not cut into stages."""
    if pipeline == 1:
        return True
    return not model.encoder_layers and stage_layers(model, pipeline) * (pipeline - 1) < model.layers


def expert_fits(model: Model, expert: int) -> bool:
    """Whether every GPU gets the same number of experts."""
    return expert == 1 or (model.experts is not None and model.experts.count % expert == 0)

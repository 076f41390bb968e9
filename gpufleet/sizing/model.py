"""A transformer as the estimates see it: its shape, and how many parameters lie where.

Counts follow the weight matrices. What is small beside them (norms, biases, learned positions) is one number. They are
kept once they are worked out, since a search asks for them ten thousand times.
"""

from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True, slots=True, kw_only=True)
class Latent:
    """Multi-head latent attention (DeepSeek-V2, arXiv:2405.04434): one small vector a token is cached, not K and V."""

    query_rank: int
    """0: queries are made directly."""
    cache_rank: int
    plain_dim: int
    rotary_dim: int
    value_dim: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Experts:
    """A mixture of experts in place of the dense feed-forward network."""

    count: int
    active: int
    """Experts that one token passes through, the shared ones not counted."""
    width: int
    """Inner width of one expert."""
    shared_width: int = 0
    """Inner widths of the experts that every token passes through, added up."""
    dense_layers: int = 0
    """First layers that have a dense network instead."""


@dataclass(frozen=True, kw_only=True)
class Model:
    """Shape of a transformer; every width is in elements."""

    name: str
    source: str
    layers: int
    """Layers of the decoder, or of the encoder where there is no decoder."""
    hidden: int
    heads: int
    kv_heads: int
    head_dim: int
    vocabulary: int
    feed_forward: int
    gated: bool
    """Whether the feed-forward network has three matrices (SwiGLU, GeGLU) instead of two."""
    tied: bool
    """Whether the output layer is the embedding once more."""
    encoder_layers: int = 0
    """Layers of a separate encoder that the decoder's layers attend to."""
    cached: bool = True
    """Whether it writes text token by token, with a cache of keys and values; an encoder alone does not."""
    experts: Experts | None = None
    latent: Latent | None = None
    window: int = 0
    """Tokens that a windowed layer looks back."""
    windowed_layers: int = 0
    other_parameters: int = 0
    """Norms, biases, positions and the like."""
    assumed: tuple[str, ...] = ()
    """What was not given and is guessed, in words."""

    @cached_property
    def query_width(self) -> int:
        """All heads of the queries together."""
        per_head = self.latent.plain_dim + self.latent.rotary_dim if self.latent else self.head_dim
        return self.heads * per_head

    @cached_property
    def value_width(self) -> int:
        """What attention hands on, before the output projection."""
        return self.heads * (self.latent.value_dim if self.latent else self.head_dim)

    @cached_property
    def key_value_width(self) -> int:
        """Keys and values of one token in one layer, as attention computes with them."""
        return self.query_width + self.value_width if self.latent else 2 * self.kv_heads * self.head_dim

    @cached_property
    def cache_width(self) -> int:
        """What is cached of one token in one layer."""
        if self.latent:
            return self.latent.cache_rank + self.latent.rotary_dim
        return 2 * self.kv_heads * self.head_dim

    @cached_property
    def attention_parameters(self) -> int:
        """Of one attention block."""
        h = self.hidden
        if self.latent is None:
            return h * (self.query_width + self.key_value_width) + self.value_width * h
        part = self.latent
        query = part.query_rank * (h + self.query_width) if part.query_rank else h * self.query_width
        expand = part.cache_rank * self.heads * (part.plain_dim + part.value_dim)
        return query + h * (part.cache_rank + part.rotary_dim) + expand + self.value_width * h

    @cached_property
    def dense_parameters(self) -> int:
        """Of one dense feed-forward network."""
        return self._matrices * self.hidden * self.feed_forward

    @cached_property
    def expert_parameters(self) -> int:
        """Of all experts of one layer that are spread over GPUs; 0 without experts."""
        return self.experts.count * self._matrices * self.hidden * self.experts.width if self.experts else 0

    @cached_property
    def core_parameters(self) -> int:
        """Of one of the heavier layers, its spread experts left out."""
        attention = self.attention_parameters * (2 if self.encoder_layers else 1)
        if self.experts is None:
            return attention + self.dense_parameters
        router = self.hidden * self.experts.count
        return attention + self._matrices * self.hidden * self.experts.shared_width + router

    @cached_property
    def embedding_parameters(self) -> int:
        """Of one table of the vocabulary; an untied output layer is another."""
        return self.vocabulary * self.hidden

    @cached_property
    def table_parameters(self) -> int:
        """Of the embedding and the output layer."""
        return self.embedding_parameters * (1 if self.tied else 2)

    @cached_property
    def parameters(self) -> int:
        """Of everything."""
        return self.body_parameters + self.total_expert_parameters

    @cached_property
    def body_parameters(self) -> int:
        """Of everything but the spread experts."""
        dense = self.experts.dense_layers if self.experts else 0
        encoder = self.encoder_layers * (self.attention_parameters + self.dense_parameters)
        first = dense * (self.attention_parameters + self.dense_parameters)
        rest = (self.layers - dense) * self.core_parameters
        return encoder + first + rest + self.table_parameters + self.other_parameters

    @cached_property
    def total_expert_parameters(self) -> int:
        """Of all spread experts of all layers."""
        return (self.layers - self.experts.dense_layers) * self.expert_parameters if self.experts else 0

    @cached_property
    def active_parameters(self) -> int:
        """Those that one token is multiplied with; without the embedding, from which it only picks a row."""
        experts = self.experts
        used = self.total_expert_parameters * experts.active // experts.count if experts else 0
        return self.body_parameters - self.table_parameters - self.other_parameters + self.embedding_parameters + used

    @cached_property
    def linear_parameters(self) -> int:
        """Those in the matrices of the layers: what is quantised, and what adapters are put beside."""
        return self.parameters - self.table_parameters - self.other_parameters

    @cached_property
    def total_layers(self) -> int:
        """Layers of encoder and decoder together."""
        return self.layers + self.encoder_layers

    @cached_property
    def _matrices(self) -> int:
        return 3 if self.gated else 2

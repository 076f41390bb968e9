"""A Hugging Face config.json read as a `Model`; what is not understood is refused, never guessed."""

from collections.abc import Mapping
from typing import Any, cast

from gpufleet.errors import UsageError
from gpufleet.sizing.model import Experts, Latent, Model

_ALTERNATES = {"gemma2": 2, "gpt_oss": 2, "gemma3_text": 6}
"""Of so many layers one sees everything, the others a window."""
_WINDOWED = frozenset({"mistral", "mixtral", "phi3", "starcoder2", *_ALTERNATES})
_UNGATED = frozenset({"gpt2", "gpt_neox", "opt", "bloom", "bert", "roberta", "xlm-roberta", "starcoder2"})
_TIED_UNLESS_SAID = frozenset(
    {"gemma", "gemma2", "gemma3_text", "gpt2", "opt", "bloom", "bert", "roberta", "xlm-roberta", "t5", "starcoder2"}
)
_ENCODERS = frozenset({"bert", "roberta", "xlm-roberta"})
_BIASED = frozenset({"gpt2", "gpt_neox", "opt", "bloom", "starcoder2", *_ENCODERS})
_HEAD_DIM = {"gemma": 256, "gemma2": 256, "gemma3_text": 256, "qwen3": 128, "gpt_oss": 64}
"""What the family's code takes where the file is silent."""
_MIXED = {
    "mixtral": ("num_local_experts", "intermediate_size"),
    "gpt_oss": ("num_local_experts", "intermediate_size"),
    "qwen2_moe": ("num_experts", "moe_intermediate_size"),
    "qwen3_moe": ("num_experts", "moe_intermediate_size"),
    "deepseek_v2": ("n_routed_experts", "moe_intermediate_size"),
    "deepseek_v3": ("n_routed_experts", "moe_intermediate_size"),
}
_PLAIN = frozenset({"llama", "mistral", "qwen2", "qwen3", "gemma", "gemma2", "gemma3_text", "phi3", "olmo2"})
FAMILIES: tuple[str, ...] = tuple(sorted(_PLAIN | _UNGATED | set(_MIXED) | {"t5"}))
"""Every `model_type` that is understood."""


def model(config: Mapping[str, Any], *, name: str, source: str, parameters: int | None = None) -> Model:
    """The model of a config.json.

    Args:
        config: the file's content.
        name: how messages call the model.
        source: where the content is from.
        parameters: the published count, if known; what the matrices do not explain of it becomes `other_parameters`.

    Raises:
        UsageError: a key is missing or wrong, or the architecture is not understood.
    """
    family = config.get("model_type")
    if "text_config" in config or "vision_config" in config:
        raise _refusal(name, "model_type", family, "a model of text alone (this one has several towers)", _BY_HAND)
    if family not in FAMILIES:
        raise _refusal(name, "model_type", family, ", ".join(FAMILIES), _BY_HAND)
    for key in ("moe_layer_freq", "decoder_sparse_step"):
        if config.get(key) not in (1, None):
            raise _refusal(name, key, config[key], "1: experts in every layer", _BY_HAND)
    if config.get("mlp_only_layers"):
        raise _refusal(name, "mlp_only_layers", config["mlp_only_layers"], "none: experts in every layer", _BY_HAND)
    read = _Reader(config, name)
    found = _encoder_decoder(read, source) if family == "t5" else _one_stack(read, str(family), source)
    return found if parameters is None else _as_published(found, parameters)


_BY_HAND = "give its shape by --params, --layers, --hidden, --heads, --kv-heads, --ffn and --vocab"


def _one_stack(read: "_Reader", family: str, source: str) -> Model:
    hidden = read.number("hidden_size", "n_embd")
    layers = read.number("num_hidden_layers", "n_layer")
    heads = read.number("num_attention_heads", "n_head")
    latent = _latent(read) if family.startswith("deepseek") else None
    head_dim = read.number("head_dim", default=_HEAD_DIM.get(family) or _whole(read, hidden, heads))
    window, windowed = _window(read, family, layers)
    ungated = family in _UNGATED
    feed_forward = read.number("intermediate_size", "ffn_dim", "n_inner", default=4 * hidden if ungated else None)
    positions = read.number("max_position_embeddings", "n_positions", default=0)
    learned = positions * hidden if family in {"gpt2", "opt", *_ENCODERS} else 0
    norms = layers * hidden * (4 if family in {"gemma2", "gemma3_text"} else 2)
    biases = layers * (6 * hidden + feed_forward + 3 * hidden) if family in _BIASED else 0
    return Model(
        name=read.name,
        source=source,
        layers=layers,
        hidden=hidden,
        heads=heads,
        kv_heads=read.number("num_key_value_heads", default=heads),
        head_dim=head_dim,
        vocabulary=read.number("vocab_size"),
        feed_forward=feed_forward,
        gated=not ungated,
        tied=bool(read.config.get("tie_word_embeddings", family in _TIED_UNLESS_SAID)),
        cached=family not in _ENCODERS,
        experts=_experts(read, family) if family in _MIXED else None,
        latent=latent,
        window=window,
        windowed_layers=windowed,
        other_parameters=learned + norms + biases + hidden,
    )


def _encoder_decoder(read: "_Reader", source: str) -> Model:
    hidden, heads = read.number("d_model"), read.number("num_heads")
    layers = read.number("num_decoder_layers", "num_layers")
    encoder = read.number("num_layers")
    return Model(
        name=read.name,
        source=source,
        layers=layers,
        encoder_layers=encoder,
        hidden=hidden,
        heads=heads,
        kv_heads=heads,
        head_dim=read.number("d_kv"),
        vocabulary=read.number("vocab_size"),
        feed_forward=read.number("d_ff"),
        gated=str(read.config.get("feed_forward_proj", "relu")).startswith("gated"),
        tied=bool(read.config.get("tie_word_embeddings", True)),
        other_parameters=hidden * (2 * encoder + 3 * layers + 2),
    )


def _experts(read: "_Reader", family: str) -> Experts:
    count_key, width_key = _MIXED[family]
    width = read.number(width_key)
    shared = read.number("shared_expert_intermediate_size", default=0)
    shared += read.number("n_shared_experts", default=0) * width
    active, count = read.number("num_experts_per_tok"), read.number(count_key)
    if active > count:
        raise _refusal(read.name, "num_experts_per_tok", active, f"at most {count_key} ({count})", "mend the file")
    dense = read.number("first_k_dense_replace", default=0)
    return Experts(count=count, active=active, width=width, shared_width=shared, dense_layers=dense)


def _latent(read: "_Reader") -> Latent:
    return Latent(
        query_rank=read.number("q_lora_rank", default=0),
        cache_rank=read.number("kv_lora_rank"),
        plain_dim=read.number("qk_nope_head_dim"),
        rotary_dim=read.number("qk_rope_head_dim"),
        value_dim=read.number("v_head_dim"),
    )


def _window(read: "_Reader", family: str, layers: int) -> tuple[int, int]:
    """Size of the window, and how many layers have one."""
    window = read.number("sliding_window", default=0)
    given = read.config.get("layer_types")
    if isinstance(given, list):
        kinds = [str(kind) for kind in cast("list[object]", given)]
        if strange := sorted({*kinds} - {"full_attention", "sliding_attention"}):
            allowed = "full_attention, sliding_attention"
            raise _refusal(read.name, "layer_types", strange[0], allowed, _BY_HAND)
        return (window, kinds.count("sliding_attention")) if window else (0, 0)
    if not window or family not in _WINDOWED:
        return 0, 0
    every = read.number("sliding_window_pattern", default=_ALTERNATES.get(family, 0))
    return window, layers - layers // every if every else layers


def _whole(read: "_Reader", hidden: int, heads: int) -> int:
    if hidden % heads:
        allowed = f"a multiple of num_attention_heads ({heads}), or head_dim beside it"
        raise _refusal(read.name, "hidden_size", hidden, allowed, "mend the file")
    return hidden // heads


def _as_published(found: Model, parameters: int) -> Model:
    from dataclasses import replace  # here: only presets come this way

    return replace(found, other_parameters=parameters - (found.parameters - found.other_parameters))


class _Reader:
    """Looks up whole numbers under the names that families give them."""

    def __init__(self, config: Mapping[str, Any], name: str) -> None:
        self.config = config
        self.name = name

    def number(self, *keys: str, default: int | None = None) -> int:
        """The first key that is there; null counts as missing."""
        for key in keys:
            value = self.config.get(key)
            if value is None:
                continue
            if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 10**9:
                raise _refusal(self.name, key, value, "a whole number, 0 or more", "mend the file")
            return value
        if default is None:
            raise _refusal(self.name, keys[0], None, "a whole number", f"add {keys[0]}")
        return default


def _refusal(name: str, key: str, value: object, allowed: str, fix: str) -> UsageError:
    shown = "missing" if value is None else repr(value)
    return UsageError(f"--model {name}: {key}: {shown}\n  allowed: {allowed}\n  fix: {fix}")

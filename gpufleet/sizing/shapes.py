"""A model that is known by its size, or by a few numbers of its shape: the rest is guessed, and said to be."""

from dataclasses import dataclass, replace

from gpufleet.errors import UsageError
from gpufleet.sizing.model import Experts, Model
from gpufleet.sizing.quantities import count, written

_HEAD = 128
_KV_HEADS = 8
_VOCABULARY = 128_000
_WIDER = 3.5
"""Inner width of the feed-forward network beside the hidden size, as in Llama 3 8B."""
_MOST_LAYERS = 512


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """The numbers that may be given by hand; `None` where one is not."""

    params: str | None = None
    layers: int | None = None
    hidden: int | None = None
    heads: int | None = None
    kv_heads: int | None = None
    head_dim: int | None = None
    feed_forward: int | None = None
    vocabulary: int | None = None
    experts: int | None = None
    active_experts: int | None = None

    def given(self) -> bool:
        """Whether anything is given."""
        return self != Shape()


def model(shape: Shape) -> Model:
    """The model of a shape.

    Raises:
        UsageError: numbers are missing, wrong, or contradict each other.
    """
    for name, value in (
        ("--layers", shape.layers),
        ("--hidden", shape.hidden),
        ("--heads", shape.heads),
        ("--kv-heads", shape.kv_heads),
        ("--head-dim", shape.head_dim),
        ("--ffn", shape.feed_forward),
        ("--vocab", shape.vocabulary),
        ("--experts", shape.experts),
        ("--active-experts", shape.active_experts),
    ):
        if value is not None and value < 1:
            raise UsageError(f"{name} {value}: must be 1 or more")
    wanted = count(shape.params, "--params") if shape.params is not None else None
    if shape.layers is None and shape.hidden is None:
        if wanted is None:
            raise UsageError(
                "--model: which model?\n"
                "  allowed: --model PRESET, --model config.json, --params 70B, or --layers and --hidden\n"
                "  fix: gpufleet size --list-models shows the presets"
            )
        if replace(shape, params=None).given():
            raise UsageError("--params with a part of a shape: add --layers and --hidden, or leave the part out")
        return _guessed(wanted)
    if shape.layers is None or shape.hidden is None:
        missing = "--layers" if shape.layers is None else "--hidden"
        raise UsageError(f"{missing}: missing\n  allowed: --layers and --hidden together\n  fix: add {missing}")
    return _completed(shape, shape.layers, shape.hidden, wanted)


def _guessed(parameters: int) -> Model:
    """The largest model of the usual proportions within so many parameters; what it leaves is weights besides."""
    layers = 1
    while layers < _MOST_LAYERS and _usual(layers + 1).parameters <= parameters:
        layers += 1
    found = _usual(layers)
    if found.parameters > parameters:
        tiny = max(1, parameters // (4 * found.hidden))
        found = replace(found, vocabulary=min(found.vocabulary, tiny))
    other = max(0, parameters - found.parameters)
    shape = f"{layers} layers of {found.hidden}, {found.kv_heads} KV heads, vocabulary of {found.vocabulary:,}"
    return replace(
        found,
        name=f"{written(parameters)} parameters",
        source="--params",
        other_parameters=other,
        assumed=(f"shape: {shape}, as models of that size have; give --layers and --hidden, or a config.json",),
    )


def _usual(layers: int) -> Model:
    """As many heads as layers, rounded up so that tensor parallelism divides them; never fewer with more layers."""
    heads = -(-layers // 8) * 8 if layers > 4 else 1 << (layers - 1).bit_length()
    hidden = heads * _HEAD
    return Model(
        name="",
        source="",
        layers=layers,
        hidden=hidden,
        heads=heads,
        kv_heads=min(heads, _KV_HEADS),
        head_dim=_HEAD,
        vocabulary=_VOCABULARY if layers >= 16 else 32_000,
        feed_forward=int(_WIDER * hidden),
        gated=True,
        tied=False,
    )


def _completed(shape: Shape, layers: int, hidden: int, wanted: int | None) -> Model:
    assumed: list[str] = []

    def given(value: int | None, option: str, otherwise: int) -> int:
        if value is None:
            assumed.append(f"{option} {otherwise}")
        return value if value is not None else otherwise

    heads = given(shape.heads, "--heads", max(1, hidden // (shape.head_dim or _HEAD)))
    if shape.head_dim is None and hidden % heads:
        raise UsageError(
            f"--heads {heads}: does not divide --hidden {hidden}\n"
            "  allowed: a divisor, or --head-dim beside it\n  fix: add --head-dim"
        )
    kv_heads = given(shape.kv_heads, "--kv-heads", heads)
    if heads % kv_heads:
        raise UsageError(f"--kv-heads {kv_heads}: does not divide --heads {heads}\n  allowed: a divisor of {heads}")
    feed_forward = given(shape.feed_forward, "--ffn", int(_WIDER * hidden))
    experts = None
    if shape.experts is not None:
        active = given(shape.active_experts, "--active-experts", 2)
        if active > shape.experts:
            raise UsageError(f"--active-experts {active}: more than --experts {shape.experts}")
        experts = Experts(count=shape.experts, active=active, width=feed_forward)
    found = Model(
        name=f"{layers} layers of {hidden}",
        source="the command line",
        layers=layers,
        hidden=hidden,
        heads=heads,
        kv_heads=kv_heads,
        head_dim=shape.head_dim or hidden // heads,
        vocabulary=given(shape.vocabulary, "--vocab", _VOCABULARY),
        feed_forward=feed_forward,
        gated=True,
        tied=False,
        experts=experts,
        other_parameters=hidden * (2 * layers + 1),
    )
    if wanted is not None:
        other = found.other_parameters + wanted - found.parameters
        if other < 0 or wanted > 1.25 * found.parameters:
            raise UsageError(
                f"--params {shape.params}: the shape has {written(found.parameters)}\n"
                "  allowed: what the shape gives, up to a quarter more\n"
                "  fix: leave --params out, or correct --layers, --hidden, --ffn, --vocab"
            )
        found = replace(found, other_parameters=other)
    note = (f"not given and assumed: {', '.join(assumed)}",) if assumed else ()
    return replace(found, assumed=note)

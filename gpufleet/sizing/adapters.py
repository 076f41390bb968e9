"""Low-rank adapters (LoRA, arXiv:2106.09685): beside each matrix of a layer two thin ones, of rank r."""

from gpufleet.sizing.model import Model


def parameters(model: Model, rank: int) -> int:
    """Trainable parameters of adapters on every matrix of every layer, experts too: r x (inputs + outputs) each."""
    h = model.hidden
    attention = _attention(model)
    dense = _feed_forward(h, model.feed_forward, gated=model.gated)
    encoder = model.encoder_layers * (attention + dense)
    if model.experts is None:
        blocks = attention * (2 if model.encoder_layers else 1) + dense
        return rank * (encoder + model.layers * blocks)
    part = model.experts
    mixed = part.count * _feed_forward(h, part.width, gated=model.gated)
    mixed += _feed_forward(h, part.shared_width, gated=model.gated) if part.shared_width else 0
    heavy = (model.layers - part.dense_layers) * (attention + mixed)
    return rank * (encoder + part.dense_layers * (attention + dense) + heavy)


def _attention(model: Model) -> int:
    h = model.hidden
    if model.latent is None:
        half = model.key_value_width // 2
        return (h + model.query_width) + 2 * (h + half) + (model.value_width + h)
    part = model.latent
    query = (h + part.query_rank) + (part.query_rank + model.query_width) if part.query_rank else h + model.query_width
    cache = (h + part.cache_rank + part.rotary_dim) + (
        part.cache_rank + model.heads * (part.plain_dim + part.value_dim)
    )
    return query + cache + (model.value_width + h)


def _feed_forward(hidden: int, width: int, *, gated: bool) -> int:
    return (3 if gated else 2) * (hidden + width)

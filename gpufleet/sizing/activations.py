"""What the forward pass keeps for the backward pass.

Korthikanti et al., "Reducing Activation Recomputation in Large Transformer Models" (arXiv:2205.05198), table 2: a layer
keeps s b h (34 + 5 a s / h) bytes in 16 bits. Their 34 holds for a feed-forward width of 4 h, as many KV heads as heads
and no gate; here its parts are added up, so that grouped heads, gates and experts count as they are, and the same shape
gives the same 34.
"""

from gpufleet.sizing.job import Job
from gpufleet.sizing.model import Model

_LOGITS = 6
"""Bytes an entry of the vocabulary: the logits in 16 bits, and the softmax in 32, in which the loss is taken."""


def scores_per_token(heads: int, sequence: int, hidden: int) -> float:
    """Korthikanti's 5 a s / h: what storing the attention scores adds to the 34."""
    return 5 * heads * sequence / hidden


def layer(model: Model, job: Job, *, tensor: int = 1, recompute: str = "none") -> float:
    """Bytes that one layer keeps of one micro-batch on each GPU of a tensor-parallel group.

    `full` keeps the layer's input alone; `selective` leaves out the scores, which FlashAttention never stores.
    """
    tokens = job.sequence * job.batch
    split_norms = tensor if job.sequence_parallel else 1
    if recompute == "full":
        return job.width * tokens * model.hidden / split_norms
    halves = job.width / 2
    whole = tokens * 10 * model.hidden * halves / split_norms
    blocks = 1.5 if model.encoder_layers else 1.0
    """Attention blocks of a layer: a decoder with an encoder has a second one, which half of the layers have."""
    split = tokens * halves * (2 * _attention_widths(model) * blocks + _feed_forward(model)) / tensor
    scores = 0.0
    if recompute == "none" and not job.flash:
        scores = tokens * scores_per_token(model.heads, job.sequence, model.hidden) * model.hidden * halves / tensor
    return whole + split + scores * blocks


def kept(model: Model, job: Job, *, layers: int, tensor: int, recompute: str, in_flight: int) -> float:
    """Bytes of the layers of a pipeline stage, for each micro-batch on its way back.

    With `full` the layer that is computed again needs all of its own besides.
    """
    stored = layer(model, job, tensor=tensor, recompute=recompute)
    if recompute != "full":
        return stored * layers * in_flight
    whole = layer(model, job, tensor=tensor, recompute="selective")
    return min(stored * layers * in_flight + whole, whole * layers * in_flight)


def logits(model: Model, job: Job, *, tensor: int) -> float:
    """Bytes of the output over the vocabulary, on the last stage."""
    per_entry = 8 if job.precision == "fp32" else _LOGITS
    return job.sequence * job.batch * model.vocabulary * per_entry / tensor


def serving(model: Model, job: Job, *, tensor: int, sequences: int) -> float:
    """Bytes of the widest moment of a forward pass: the tokens of one step through one layer, and the logits."""
    tokens = min(job.prefill_tokens, max(job.context, 1) * sequences)
    widest = 4 * model.hidden + (_attention_widths(model) + _feed_forward(model) / 2) / tensor
    return 2 * tokens * widest + sequences * model.vocabulary * _LOGITS / tensor


def _attention_widths(model: Model) -> int:
    return model.query_width + model.key_value_width + model.value_width


def _feed_forward(model: Model) -> int:
    """Bytes a token in 16 bits: input and output of the nonlinearity, and with a gate its other side."""
    each = 6 if model.gated else 4
    if model.experts is None:
        return each * model.feed_forward
    part = model.experts
    copies = 2 * model.hidden * (2 * part.active - 1)
    """Each expert gets a copy of the token and gives one back; the first copy in is counted with the norms."""
    return each * (part.active * part.width + part.shared_width) + copies

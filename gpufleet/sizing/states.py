"""Bytes that one parameter costs: weight, gradient and optimizer state.

Sources: ZeRO (arXiv:1910.02054): 16 bytes for mixed-precision Adam, 2 + 2 + 12; Megatron-LM: 18 with gradients added up
in 32 bits; QLoRA (arXiv:2305.14314): NF4 with double quantisation costs 0.5 bytes and 0.127 bits.
"""

from dataclasses import dataclass

from gpufleet.sizing.job import Job

WEIGHTS = {"fp32": 4.0, "bf16": 2.0, "fp16": 2.0, "fp8": 1.0, "int8": 1.0, "int4": 0.5}
"""Bytes of one weight by precision."""
NF4 = 0.5 + 0.127 / 8
"""Bytes of one weight of a QLoRA base, constants of the quantisation included."""
QUANTISED = frozenset({"fp8", "int8", "int4"})
"""Precisions in which embedding and output layer stay in 16 bits."""


@dataclass(frozen=True, slots=True)
class Optimizer:
    """What an optimizer remembers of one parameter."""

    state: float
    """Bytes of its moments."""
    keeps_master: bool = True
    """Whether it works on a 32-bit copy of 16-bit weights."""
    on_host: bool = False
    """Whether its state can be paged to the host's memory, as the GPU runs short."""


OPTIMIZERS = {
    "adamw": Optimizer(8),
    "adamw-16bit": Optimizer(4, keeps_master=False),
    "adamw-8bit": Optimizer(2),
    "adamw-paged": Optimizer(8, on_host=True),
    "adafactor": Optimizer(0),
    "sgd": Optimizer(4),
    "sgd-plain": Optimizer(0),
}
"""By name: Adam in 32, 16 and 8 bits and paged; Adafactor (a row and a column a matrix: nothing); SGD with momentum."""


@dataclass(frozen=True, slots=True)
class PerParameter:
    """Bytes a parameter, before anything is spread over GPUs."""

    weight: float
    gradient: float
    optimizer: float

    @property
    def total(self) -> float:
        """All of it: 16 for mixed-precision Adam."""
        return self.weight + self.gradient + self.optimizer


def trained(job: Job) -> PerParameter:
    """Of a parameter that is trained: of the whole model, or of the adapters."""
    optimizer = OPTIMIZERS[job.optimizer]
    if job.precision == "fp32":
        return PerParameter(4, 4, optimizer.state)
    master = 4 if optimizer.keeps_master and job.master_weights else 0
    return PerParameter(2, 4 if job.full_gradients else 2, master + optimizer.state)


def frozen(job: Job) -> float:
    """Bytes of a weight that is only read: of a served model, or of the base beside adapters.

    Training in FP8 multiplies in 8 bits and keeps its weights in 16.
    """
    if job.task == "qlora":
        return NF4
    return 2.0 if job.trains and job.precision == "fp8" else WEIGHTS[job.precision]


def kept_wide(job: Job) -> float:
    """Bytes that a parameter of embedding or output layer costs above `frozen`: neither is quantised."""
    narrow = job.task == "qlora" or (job.task == "inference" and job.precision in QUANTISED)
    return 2.0 - frozen(job) if narrow else 0.0


def rule_of_thumb(parameters: int) -> int:
    """Bytes by the rule that everybody knows, 4 a parameter: the weights in FP32 and nothing else."""
    return 4 * parameters

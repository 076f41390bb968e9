"""The instance types of a pool: known, offered, alike enough to share one image and one kind of accelerator."""

from dataclasses import dataclass

from gpufleet.facts import instances
from gpufleet.facts.instances import InstanceType

from .ledger import Ledger
from .refusal import Refused
from .request import PoolRequest

RESOURCES = {"nvidia": "nvidia.com/gpu", "neuron": "aws.amazon.com/neuron"}
"""What pods ask for, by the accelerator's maker; of makers that are not here there is no pool."""

_MAKERS = {"amd": "AMD", "habana": "Habana Gaudi", "qualcomm": "Qualcomm", "xilinx": "Xilinx (AMD)"}


@dataclass(frozen=True, kw_only=True)
class Machines:
    """What the types have in common, and their extremes."""

    types: tuple[InstanceType, ...]
    accelerator: str
    """`nvidia` or `neuron`."""
    architecture: str

    @property
    def names(self) -> tuple[str, ...]:
        """Of the types, the most wanted first."""
        return tuple(type_.name for type_ in self.types)

    @property
    def families(self) -> tuple[str, ...]:
        """Of the types, each once."""
        return tuple(dict.fromkeys(type_.family for type_ in self.types))

    @property
    def fractional(self) -> tuple[str, ...]:
        """Those of the types whose GPUs are fractions of one."""
        return tuple(type_.name for type_ in self.types if (type_.gpu_partition_size or 1.0) < 1.0)

    @property
    def least_gpus(self) -> int:
        """(Logical) accelerators of the smallest type."""
        return min(type_.gpu_count for type_ in self.types)

    @property
    def most_gpus(self) -> int:
        """(Logical) accelerators of the largest type."""
        return max(type_.gpu_count for type_ in self.types)

    @property
    def resource(self) -> str:
        """What pods ask for."""
        return RESOURCES[self.accelerator]


def resolve(request: PoolRequest, ledger: Ledger) -> Machines:
    """The types behind the names.

    Raises:
        Refused: `no-types`, `unknown-type`, `accelerator-not-supported`, `mixed-accelerators`,
            `mixed-architectures`, `accelerators-untold`.
    """
    types = _known(request)
    for type_ in types:
        if type_.accelerator not in RESOURCES:
            _refuse_maker(request, type_)
    _alike(request, types)
    for type_ in types:
        if type_.gpu_count < 1:
            raise Refused(
                "accelerators-untold",
                f"no source tells how many accelerators {type_.name} has, so nothing could be scheduled or limited",
                path="instance_types",
                value=type_.name,
                allowed="types whose accelerators are counted in the catalogue",
                nearest=f"another size of the kind: {_siblings(type_)}",
            )
        if type_.regions and request.region not in type_.regions:
            elsewhere = f"{', '.join(type_.regions[:4])}{', ...' if len(type_.regions) > 4 else ''}"
            # No refusal: AWS opens types in further regions more often than this list is renewed.
            ledger.warn(
                f"{type_.name} was not offered in {request.region} when the catalogue was made, but in {elsewhere}; "
                "gpufleet preflight asks AWS"
            )
    machines = Machines(types=types, accelerator=str(types[0].accelerator), architecture=types[0].cpu_arch)
    _note(machines, ledger)
    return machines


def _known(request: PoolRequest) -> tuple[InstanceType, ...]:
    if not request.instance_types:
        raise Refused(
            "no-types",
            "a pool without instance types has no nodes",
            path="instance_types",
            value=None,
            allowed="EC2 instance types of the catalogue",
            nearest="instance_types: [g6.xlarge]",
            change={"instance_types": ("g6.xlarge",)},
        )
    try:
        return tuple(instances.get(name) for name in dict.fromkeys(request.instance_types))
    except instances.UnknownInstanceType as error:
        near = ", ".join(error.nearest) or "look at gpufleet/facts/data/instances.json"
        raise Refused(
            "unknown-type",
            "no such type in the catalogue",
            path="instance_types",
            value=error.name,
            allowed="EC2 instance types of the catalogue",
            nearest=near,
        ) from None


def _refuse_maker(request: PoolRequest, type_: InstanceType) -> None:
    maker = _MAKERS.get(type_.accelerator or "")
    has = (
        f"accelerators by {maker}, for which EKS publishes no image with a driver"
        if maker
        else "no accelerator, and the pool is for pods that need one"
    )
    raise Refused(
        "accelerator-not-supported",
        f"{type_.name} has {has}",
        path="instance_types",
        value=type_.name,
        allowed="types with NVIDIA GPUs, Trainium or Inferentia",
        nearest="a g or p type: instance_types: [g6.xlarge]",
        change={"instance_types": ("g6.xlarge",)},
    )


def _alike(request: PoolRequest, types: tuple[InstanceType, ...]) -> None:
    makers = {type_.name: str(type_.accelerator) for type_ in types}
    architectures = {type_.name: type_.cpu_arch for type_ in types}
    for rule, what, kinds in (
        ("mixed-accelerators", "accelerators", makers),
        ("mixed-architectures", "architecture", architectures),
    ):
        first = kinds[types[0].name]
        alike = tuple(name for name, kind in kinds.items() if kind == first)
        if len(alike) < len(kinds):
            shown = ", ".join(f"{name} ({kind})" for name, kind in kinds.items())
            raise Refused(
                rule,
                f"{shown} need different images, and a pool boots one",
                path="instance_types",
                value=list(request.instance_types),
                allowed=f"types of the same {what}",
                nearest=f"two pools, this one with instance_types: [{', '.join(alike)}]",
                change={"instance_types": alike},
            )


def _siblings(type_: InstanceType) -> str:
    model = type_.gpu_model
    alike = [n for n in instances.names() if instances.get(n).gpu_model == model and instances.get(n).gpu_count]
    return ", ".join(alike) or "none is known"


def _note(machines: Machines, ledger: Ledger) -> None:
    parts: list[str] = []
    for type_ in machines.types:
        share = type_.gpu_partition_size
        whole = f" ({share:g} of a GPU each)" if share is not None and share < 1 else ""
        parts.append(f"{type_.name} with {type_.gpu_count} x {type_.gpu_model}{whole}")
    ledger.decide("instance types", ", ".join(machines.names), "; ".join(parts))
    if machines.least_gpus != machines.most_gpus:
        ledger.warn(
            f"the types differ in accelerators ({machines.least_gpus} to {machines.most_gpus}): a pod that asks for "
            f"more than {machines.least_gpus} fits on some of them only"
        )
    if doubtful := [type_.name for type_ in machines.types if type_.on_demand is None]:
        ledger.warn(f"no source tells whether {', '.join(doubtful)} can still be launched; AWS is withdrawing the type")

"""Karpenter's requirements: which instance types of the catalogue a NodePool allows."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from gpufleet.facts import instances
from gpufleet.facts.instances import InstanceType
from gpufleet.rehearsal.controlplane import labels

INSTANCE_TYPE: Final = "node.kubernetes.io/instance-type"
ZONE: Final = "topology.kubernetes.io/zone"
CAPACITY_TYPE: Final = "karpenter.sh/capacity-type"

CAPACITY_ORDER: Final = ("reserved", "spot", "on-demand")
"""Karpenter takes the first that is allowed."""

TOLD: Final = (
    INSTANCE_TYPE,
    "kubernetes.io/arch",
    "kubernetes.io/os",
    *(
        f"karpenter.k8s.aws/instance-{name}"
        for name in (
            *("family", "size", "cpu", "memory", "category", "generation", "local-nvme"),
            *("gpu-manufacturer", "gpu-name", "gpu-count", "gpu-memory"),
        )
    ),
)
"""Keys on which the catalogue can judge a type; one that it does not know of excludes none."""

Requirement = Mapping[str, Any]
"""`key`, `operator` and `values`."""


def types_for(requirements: Sequence[Requirement], region: str) -> list[InstanceType]:
    """The types that are offered in a region, whose size is known, and that every requirement allows."""
    judged = [one for one in requirements if one["key"] in TOLD]
    known = (instances.get(name) for name in instances.names())
    return [type_ for type_ in known if _is_had(type_, region) and _allows(judged, type_)]


def values_of(requirements: Iterable[Requirement], key: str) -> list[str] | None:
    """The values that a key is limited to by `In`, None where it is not."""
    limits = [[str(value) for value in one["values"]] for one in requirements if _is_in(one, key)]
    if not limits:
        return None
    first, *others = limits
    return [value for value in first if all(value in other for other in others)]


def holds(requirement: Requirement, value: str | None) -> bool:
    """Whether a label's value, None where there is no such label, meets a requirement.

    Raises:
        ValueError: the operator is none of Karpenter's.
    """
    operator = requirement["operator"]
    values: list[Any] = requirement.get("values") or []
    wanted = [str(one) for one in values]
    match operator:
        case "In":
            return value in wanted
        case "NotIn":
            return value not in wanted
        case "Exists":
            return value is not None
        case "DoesNotExist":
            return value is None
        case "Gt" | "Lt" | "Gte" | "Lte":
            return value is not None and _compares(operator, int(value), int(wanted[0]))
        case _:
            raise ValueError(
                f"operator: {operator!r} of {requirement['key']} is not one of Karpenter's: "
                "In, NotIn, Exists, DoesNotExist, Gt, Lt, Gte, Lte"
            )


def _compares(operator: str, value: int, bound: int) -> bool:
    return {"Gt": value > bound, "Lt": value < bound, "Gte": value >= bound, "Lte": value <= bound}[operator]


def _is_had(type_: InstanceType, region: str) -> bool:
    return type_.vcpus is not None and type_.memory_mib is not None and (not type_.regions or region in type_.regions)


def _allows(requirements: Iterable[Requirement], type_: InstanceType) -> bool:
    found = {**labels.well_known("", type_, "", ""), **labels.karpenter("", "", type_)}
    return all(holds(one, found.get(one["key"])) for one in requirements)


def _is_in(requirement: Requirement, key: str) -> bool:
    return requirement["key"] == key and requirement["operator"] == "In"

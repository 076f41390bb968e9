"""Which instance types the requirements of a Karpenter NodePool admit, by the labels Karpenter gives each type.

Labels: https://karpenter.sh/docs/concepts/scheduling/#supported-labels. A requirement on a label that is not among them
(zones, tenants' own) narrows nothing here, so that a ceiling is never below what can be started.
"""

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from functools import cache
from typing import Any, Final

from gpufleet.facts import instances
from gpufleet.facts.instances import InstanceType
from gpufleet.pricing import wire

CAPACITY_TYPE: Final = "karpenter.sh/capacity-type"
OPERATING_SYSTEM: Final = "kubernetes.io/os"
TYPE_LABELS: Final = ("node.kubernetes.io/instance-type", "beta.kubernetes.io/instance-type")
_AWS: Final = "karpenter.k8s.aws/instance-"
_FAMILY: Final = re.compile(r"^(?P<category>[a-z]+)(?P<generation>[0-9]+)")
_ARCHITECTURES: Final = {"x86_64": "amd64", "arm64": "arm64"}


def admitted(requirements: Sequence[Any]) -> list[InstanceType]:
    """The types of the catalogue that every requirement admits.

    Raises:
        wire.Unreadable: a requirement is not one, or is known only after the update.
    """
    rules = [
        (wire.text(rule, "key"), wire.text(rule, "operator"), [str(value) for value in wire.items(rule, "values")])
        for rule in requirements
    ]
    if any(wire.UNKNOWN in values for _, _, values in rules):
        raise wire.Unreadable("a requirement is known only after the update")
    found = (instances.get(name) for name in instances.names())
    return [type_ for type_ in found if all(_meets(_labels(type_), *rule) for rule in rules)]


def values_of(requirements: Sequence[Any], key: str, otherwise: Sequence[str]) -> list[str]:
    """What an `In` on the key lists, all such requirements at once; `otherwise` where none is there."""
    lists = [
        [str(value) for value in wire.items(rule, "values")]
        for rule in requirements
        if wire.value(rule, "key") == key and wire.value(rule, "operator") == "In"
    ]
    if not lists:
        return list(otherwise)
    return [value for value in lists[0] if all(value in other for other in lists)]


def names_types(requirements: Sequence[Any]) -> bool:
    """Whether the requirements list the types by name, so that none can be missing from the catalogue unseen."""
    return any(wire.value(rule, "key") in TYPE_LABELS and wire.value(rule, "operator") == "In" for rule in requirements)


def unknown_names(requirements: Sequence[Any]) -> list[str]:
    """Types that are listed by name and that the catalogue does not know."""
    listed = [name for key in TYPE_LABELS for name in values_of(requirements, key, ())]
    return [name for name in listed if instances.find(name) is None]


def _meets(labels: Mapping[str, str | None], key: str, operator: str, values: Sequence[str]) -> bool:
    if key not in labels:
        return True
    label = labels[key]
    match operator:
        case "In":
            return label in values
        case "NotIn":
            return label not in values
        case "Exists":
            return label is not None
        case "DoesNotExist":
            return label is None
        case "Gt" | "Lt" | "Gte" | "Lte":
            return label is not None and len(values) == 1 and _compares(label, operator, values[0])
        case _:
            raise wire.Unreadable(f"operator {operator!r} of the requirement on {key} is not known")


def _compares(label: str, operator: str, bound: str) -> bool:
    try:
        left, right = Decimal(label), Decimal(bound)
    except InvalidOperation as error:
        raise wire.Unreadable(f"{bound!r} is not a number to compare with") from error
    return {"Gt": left > right, "Lt": left < right, "Gte": left >= right, "Lte": left <= right}[operator]


@cache
def _labels(type_: InstanceType) -> Mapping[str, str | None]:
    """Every label that a requirement can be on; `None` where the type has it not."""
    family = _FAMILY.match(type_.family)
    on_gpus = type_.accelerator in ("nvidia", "amd") and type_.gpu_count > 0
    model = (type_.gpu_model or "").lower().replace(" ", "-")
    of_gpus: dict[str, str | None] = {
        "gpu-name": model,
        "gpu-manufacturer": type_.accelerator,
        "gpu-count": str(type_.gpu_count),
        "gpu-memory": _shown(type_.gpu_memory_mib),
    }
    own: dict[str, str | None] = {
        "family": type_.family,
        "category": family["category"] if family else None,
        "generation": family["generation"] if family else None,
        "size": type_.name.partition(".")[2],
        "cpu": _shown(type_.vcpus),
        "memory": _shown(type_.memory_mib),
        "local-nvme": str(type_.nvme_gb) if type_.nvme_gb else None,
        **(of_gpus if on_gpus else dict.fromkeys(of_gpus)),
    }
    return {
        **dict.fromkeys(TYPE_LABELS, type_.name),
        **{f"{_AWS}{key}": value for key, value in own.items()},
        "kubernetes.io/arch": _ARCHITECTURES.get(type_.cpu_arch, type_.cpu_arch),
    }


def _shown(number: int | None) -> str | None:
    return None if number is None else str(number)

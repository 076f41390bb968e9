"""What of a pool a workload is judged by: from a stack's plan, or from an instance type alone."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from gpufleet.facts import efa, instances

ARCHITECTURES = {"x86_64": "amd64", "arm64": "arm64"}
RESOURCES = {"nvidia": "nvidia.com/gpu", "neuron": "aws.amazon.com/neuron"}
POOL_LABEL, TYPE_LABEL, ZONE_LABEL = (
    "gpufleet.io/pool",
    "node.kubernetes.io/instance-type",
    "topology.kubernetes.io/zone",
)


@dataclass(frozen=True, kw_only=True)
class Pool:
    """A pool as a scheduler and a program see it."""

    name: str
    certain: bool
    """Whether it is a pool of a stack. Else it is what an instance type could be, and its taints, zones and interfaces
    are anybody's guess."""
    instance_types: tuple[str, ...]
    resource: str
    """What accelerators are asked for by."""
    accelerators: int
    """Of them on the smallest type, parts of GPUs counted each."""
    counts: tuple[int, ...]
    """The same of every type, in ascending order."""
    efa: int
    """EFA interfaces that pods on a node share."""
    labels: Mapping[str, frozenset[str]]
    """Values that a node may have, by label."""
    taints: tuple[Mapping[str, str], ...] = ()
    zones: tuple[str, ...] = ()
    scaler: str | None = None
    """`karpenter` or `node-group`."""
    purchase: str | None = None
    use: str | None = None
    sharing: str | None = None
    """`mig` or `time-slicing`."""
    pod_hugepages_mib: int = 0
    """That a pod of a whole node asks for."""
    hugepages: bool = True
    """Whether nodes have any."""
    grace_seconds: int | None = None
    """What a pod needs to end in order."""
    efa_plugin: Mapping[str, str] | None = None

    def share_of_efa(self, accelerators: int) -> int:
        """The EFA interfaces that go with so many accelerators, rounded down so that pods fill a node."""
        return self.efa * min(accelerators, self.accelerators) // self.accelerators if self.accelerators else 0

    def share_of_hugepages_mib(self, accelerators: int) -> int:
        """The pages that go with so many accelerators."""
        if not self.share_of_efa(accelerators):
            return 0
        return self.pod_hugepages_mib * min(accelerators, self.accelerators) // self.accelerators


def of_designs(designs: Iterable[Mapping[str, Any]]) -> list[Pool]:
    """The pools of a stack, from the designs that its components register."""
    return [_of_design(design) for design in designs]


def of_type(name: str) -> Pool | None:
    """What nodes of an instance type could be; None where the catalogue lacks it or it has no such accelerator."""
    type_ = instances.find(name)
    if type_ is None or type_.accelerator not in RESOURCES or not type_.gpu_count:
        return None
    return Pool(
        name=name,
        certain=False,
        instance_types=(name,),
        resource=RESOURCES[type_.accelerator],
        accelerators=type_.gpu_count,
        counts=(type_.gpu_count,),
        efa=type_.efa_interfaces,
        labels={TYPE_LABEL: frozenset({name}), "kubernetes.io/arch": frozenset({ARCHITECTURES[type_.cpu_arch]})},
        pod_hugepages_mib=efa.POD_HUGEPAGES_MIB if type_.efa_interfaces and type_.accelerator == "nvidia" else 0,
    )


def _of_design(design: Mapping[str, Any]) -> Pool:
    types = [type_ for name in design["instanceTypes"] if (type_ := instances.find(name)) is not None]
    per_node = int(design["acceleratorsPerNode"])
    shares = per_node // (min((type_.gpu_count for type_ in types), default=0) or per_node)
    pod: Mapping[str, Any] = design["pod"]
    return Pool(
        name=design["pool"],
        certain=True,
        instance_types=tuple(design["instanceTypes"]),
        resource=design["acceleratorResource"],
        accelerators=per_node,
        counts=tuple(sorted({type_.gpu_count * shares for type_ in types})) or (per_node,),
        efa=int(design["efaPerNode"]),
        labels=_labels(design),
        taints=tuple(design["taints"]),
        zones=tuple(design["zones"]),
        scaler=design["scaler"],
        purchase=design["purchase"],
        use=design["use"],
        sharing=design["labels"].get("gpufleet.io/sharing"),
        pod_hugepages_mib=int(pod["hugepagesMib"]),
        hugepages=bool(design["hugepages2mib"]),
        grace_seconds=int(pod["graceSeconds"]),
        efa_plugin=design["efaPlugin"],
    )


def _labels(design: Mapping[str, Any]) -> dict[str, frozenset[str]]:
    labels = {key: frozenset({str(value)}) for key, value in design["labels"].items()}
    labels |= {
        TYPE_LABEL: frozenset(design["instanceTypes"]),
        ZONE_LABEL: frozenset(design["zones"]),
        "topology.kubernetes.io/region": frozenset({design["region"]}),
        "kubernetes.io/arch": frozenset({ARCHITECTURES[design["architecture"]]}),
        "kubernetes.io/os": frozenset({"linux"}),
    }
    if design["scaler"] == "karpenter":
        labels["karpenter.sh/capacity-type"] = frozenset({design["karpenterCapacityType"]})
        labels["karpenter.sh/nodepool"] = frozenset({design["pool"]})
    else:
        labels["eks.amazonaws.com/capacityType"] = frozenset({design["capacityType"]})
    return labels

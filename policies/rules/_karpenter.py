"""Karpenter's objects: pools of nodes, and the classes that say what EC2 gives each node.

Fields as of Karpenter 1.14, https://github.com/aws/karpenter-provider-aws/tree/v1.14.1/pkg/apis/crds.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from pulumi_policy import PolicyResource

from gpufleet.facts import instances
from gpufleet.facts.instances import InstanceType

from ._reading import UNKNOWN, elements, entries, number, read
from ._stack import Stack

NODE_POOL: Final = ("kubernetes:karpenter.sh/v1:NodePool", "kubernetes:karpenter.sh/v1beta1:NodePool")
NODE_CLASS: Final = (
    "kubernetes:karpenter.k8s.aws/v1:EC2NodeClass",
    "kubernetes:karpenter.k8s.aws/v1beta1:EC2NodeClass",
)
GPU: Final = "nvidia.com/gpu"
RESOURCES: Final = {
    "nvidia": GPU,
    "amd": "amd.com/gpu",
    "neuron": "aws.amazon.com/neuron",
    "habana": "habana.ai/gaudi",
}
"""What pods ask for, by the maker of the accelerator; taints have the same keys."""
TYPE, FAMILY, CAPACITY, ZONE = (
    "node.kubernetes.io/instance-type",
    "karpenter.k8s.aws/instance-family",
    "karpenter.sh/capacity-type",
    "topology.kubernetes.io/zone",
)
_GPU_KEYS: Final = "karpenter.k8s.aws/instance-gpu-"


@dataclass(frozen=True, slots=True)
class ElasticPool:
    """One NodePool."""

    resource: PolicyResource
    node_class: PolicyResource | None
    """The class that it names, where it is of this stack and certain."""

    @property
    def spec(self) -> Any:
        """Its `spec`."""
        return read(self.resource.props, "spec")

    @property
    def node(self) -> Any:
        """What every node of it is: `spec.template.spec`."""
        return read(self.spec, "template", "spec")

    @property
    def labels(self) -> dict[str, Any]:
        """Labels of its nodes."""
        return entries(read(self.spec, "template", "metadata", "labels"))

    def values(self, key: str) -> tuple[str, ...] | None:
        """Return the values that a requirement allows by `In`; `None` where none does, or not yet for certain."""
        for requirement in elements(read(self.node, "requirements")):
            if read(requirement, "key") == key and read(requirement, "operator") == "In":
                found = elements(read(requirement, "values"))
                if found and all(isinstance(value, str) for value in found):
                    return tuple(found)
        return None

    @property
    def type_names(self) -> tuple[str, ...]:
        """Instance types that it may launch, by name or by family; none where it says neither."""
        if (named := self.values(TYPE)) is not None:
            return named
        families = self.values(FAMILY) or ()
        return tuple(name for name in instances.names() if name.split(".", 1)[0] in families)

    @property
    def types(self) -> tuple[InstanceType, ...]:
        """Those of them that the catalogue knows."""
        return tuple(type_ for name in self.type_names if (type_ := instances.find(name)))

    @property
    def is_gpu(self) -> bool:
        """Whether it certainly may launch an NVIDIA GPU: by a type, a requirement about GPUs, a limit or a taint."""
        return (
            any(type_.is_gpu for type_ in self.types)
            or any(
                str(read(one, "key")).startswith(_GPU_KEYS) and read(one, "operator") != "DoesNotExist"
                for one in elements(read(self.node, "requirements"))
            )
            or GPU in entries(read(self.spec, "limits"))
            or any(read(taint, "key") == GPU for taint in elements(read(self.node, "taints")))
        )

    @property
    def resource_name(self) -> str:
        """What its pods ask for: `nvidia.com/gpu` unless the types say another maker."""
        makers = [type_.accelerator for type_ in self.types if type_.accelerator in RESOURCES]
        return GPU if self.is_gpu or not makers else RESOURCES[str(makers[0])]

    @property
    def is_accelerated(self) -> bool:
        """Whether it certainly may launch an accelerator of any maker."""
        return self.is_gpu or any(type_.accelerator in RESOURCES for type_ in self.types)

    @property
    def most_nodes(self) -> float | None:
        """The most nodes that its limits allow: by their number, or by the GPUs of the type that has fewest."""
        limits = read(self.spec, "limits")
        nodes = number(read(limits, "nodes"))
        gpus = number(read(limits, self.resource_name))
        fewest = min((type_.gpu_count for type_ in self.types if type_.accelerator), default=0)
        bounds = [
            bound for bound in (nodes, gpus / fewest if gpus is not None and fewest else None) if bound is not None
        ]
        return min(bounds, default=None)


def node_pools(stack: Stack) -> Iterator[ElasticPool]:
    """Yield every NodePool of the stack."""
    classes = stack.of(*NODE_CLASS)
    for pool in stack.of(*NODE_POOL):
        yield ElasticPool(pool, _class_of(pool, classes))


def gpu_node_pools(stack: Stack) -> Iterator[ElasticPool]:
    """Yield the NodePools that certainly may launch a GPU, or an accelerator of another kind."""
    return (pool for pool in node_pools(stack) if pool.is_accelerated)


def _class_of(pool: PolicyResource, classes: list[PolicyResource]) -> PolicyResource | None:
    """By its name, among the classes of the same cluster: those under the same provider."""
    name = read(pool.props, "spec", "template", "spec", "nodeClassRef", "name")
    if not isinstance(name, str):
        return None
    found = [one for one in classes if read(one.props, "metadata", "name") == name and _cluster(one) == _cluster(pool)]
    return found[0] if len(found) == 1 else None


def _cluster(resource: PolicyResource) -> str | None:
    return resource.provider.urn if resource.provider else None


def quantity(value: Any) -> float | None:
    """Return a Kubernetes quantity of bytes in GiB; `None` for what is none (test for `UNKNOWN` first)."""
    if value is UNKNOWN or isinstance(value, bool):
        return None
    text = str(value)
    for unit, factor in _UNITS.items():
        if text.endswith(unit) and (count := number(text.removesuffix(unit))) is not None:
            return count * factor
    count = number(text)
    return None if count is None else count / 2**30


_UNITS: Final = {"Ti": 1024.0, "Gi": 1.0, "Mi": 1 / 1024, "T": 1e12 / 2**30, "G": 1e9 / 2**30, "M": 1e6 / 2**30}

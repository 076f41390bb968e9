"""Node groups and what they are made of: instance types, ceiling, launch template."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pulumi_policy import PolicyResource

from gpufleet.facts import instances
from gpufleet.facts.instances import InstanceType

from ._reading import elements, read
from ._stack import Links, Stack

NODE_GROUP = "aws:eks/nodeGroup:NodeGroup"
TEMPLATE = "aws:ec2/launchTemplate:LaunchTemplate"


@dataclass(frozen=True, slots=True)
class Pool:
    """One managed node group."""

    resource: PolicyResource
    type_names: tuple[str, ...]
    """Instance types as far as they are known; one set in the launch template counts."""
    types: tuple[InstanceType, ...]
    """Those of them that the catalogue knows."""
    minimum: Any
    """`scalingConfig.minSize`: a number, `None` or `UNKNOWN`."""
    maximum: Any
    """`scalingConfig.maxSize`, likewise."""
    template: Links

    @property
    def gpu_types(self) -> list[InstanceType]:
        """Types that bring NVIDIA GPUs."""
        return [type_ for type_ in self.types if type_.is_gpu]


def pools(stack: Stack) -> Iterator[Pool]:
    """Yield every managed node group of the stack."""
    for group in stack.of(NODE_GROUP):
        template = _template(stack, group)
        names = [name for name in elements(read(group.props, "instanceTypes")) if isinstance(name, str)]
        for found in template.certain:
            if not names and isinstance(name := read(found.props, "instanceType"), str):
                names.append(name)
        types = tuple(type_ for name in names if (type_ := instances.find(name)))
        minimum, maximum = (read(group.props, "scalingConfig", key) for key in ("minSize", "maxSize"))
        yield Pool(group, tuple(names), types, minimum, maximum, template)


def gpu_pools(stack: Stack) -> Iterator[Pool]:
    """Yield the node groups that certainly may launch an NVIDIA GPU instance."""
    return (pool for pool in pools(stack) if pool.gpu_types)


def _template(stack: Stack, group: PolicyResource) -> Links:
    block = read(group.props, "launchTemplate")
    reference = read(block, "id")
    return stack.links(group, "launchTemplate", read(block, "name") if reference is None else reference, TEMPLATE)

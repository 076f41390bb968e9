"""Which pool of nodes a resource is, what the pool is used for, and which team a resource belongs to alone.

Read from the labels and tags that our components set; a pool of another program has its resource's name.
"""

from collections.abc import Iterator
from typing import Final

from gpufleet.pricing import wire
from gpufleet.pricing.index import Resource, field

NODE_POOL: Final = "kubernetes:karpenter.sh/v1:NodePool"
POOL_TYPES: Final = frozenset(
    {"aws:autoscaling/group:Group", "aws:ec2/instance:Instance", "aws:eks/nodeGroup:NodeGroup", NODE_POOL}
)
_POOL: Final = ("gpufleet.io/pool", "gpufleet-pool")
_USE: Final = ("gpufleet.io/use",)
_WORKSPACE: Final = ("gpufleet.io/workspace", "gpufleet-workspace")
SYSTEM: Final = "system"
"""The pool, and the use, of the nodes that carry what the cluster itself runs."""


def name(resource: Resource) -> str:
    """The pool's name; empty where the resource is no pool."""
    if field(resource, "type") not in POOL_TYPES:
        return ""
    return _said(resource, _POOL) or field(resource, "name")


def use(resource: Resource) -> str:
    """What the pool is for (`interactive`, `training`, `inference`, `system`); empty where nothing says."""
    return _said(resource, _USE) or (SYSTEM if name(resource) == SYSTEM else "")


def workspace(resource: Resource) -> str:
    """The team the resource belongs to alone; empty where it is shared."""
    return _said(resource, _WORKSPACE)


def _said(resource: Resource, keys: tuple[str, ...]) -> str:
    for marks in _marks(resource):
        for key in keys:
            found = marks.get(key)
            if isinstance(found, str) and found and found != wire.UNKNOWN:
                return found
    return ""


def _marks(resource: Resource) -> Iterator[dict[str, object]]:
    inputs = resource.get("inputs")
    for path in ("labels", "tags", "spec.template.metadata.labels", "metadata.labels"):
        found = wire.value(inputs, path)
        if isinstance(found, dict):
            yield found

"""Who provides the devices of each kind of node: exactly one thing each. No Pulumi here.

A pool is given as the document that its component registers as its output `design`. What runs on the nodes finds them
by their kind, which is a label, and never by a pool's name, type or taint: so another pool of a kind that is there
changes nothing of it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..compute.design.node import DEVICES_IMAGE, DEVICES_LABEL, DEVICES_NEURON, DEVICES_NVIDIA
from ..compute.design.sharing import MIG_LABEL

IMAGE, PLUGIN, OPERATOR, NEURON = "image", "nvidia-device-plugin", "gpu-operator", "neuron-helm-chart"
"""What provides the accelerators of a node: its image, or one of the three charts."""

EVERYWHERE = [{"operator": "Exists"}]
"""Tolerations of a daemon that is kept off by its affinity alone: a taint that a pool brings must not keep it off."""


@dataclass(frozen=True, kw_only=True)
class Pool:
    """What of a pool's design its plugins hang on."""

    name: str
    devices: str
    """`nvidia`, `neuron` or `image`: what the pool's nodes are labelled with."""
    cut: bool
    """Whether each GPU goes into parts, by MIG."""
    efa: bool
    instance_types: tuple[str, ...]
    least_efa_plugin: str
    """Version of the EFA plugin that counts the interfaces of these types rightly; any where it is `v0.0.0`."""


def pools(designs: Sequence[Mapping[str, Any]]) -> tuple[Pool, ...]:
    """The pools of a cluster, by name.

    Raises:
        ValueError: one of the designs is none, or two are of pools with one name.
    """
    found = sorted((_pool(design) for design in designs), key=lambda pool: pool.name)
    names = [pool.name for pool in found]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise ValueError(f"designs: {', '.join(twice)} given twice; give each pool of one cluster once")
    return tuple(found)


def providers(found: Sequence[Pool]) -> dict[str, str]:
    """By the kind of node that there is, what provides its accelerators.

    NVIDIA's operator takes the place of the plugin on all nodes as soon as one pool is cut: it brings what cuts, and a
    plugin of its own with it. Bottlerocket has a plugin in its image, which cuts as well.
    https://bottlerocket.dev/en/os/latest/api/settings/kubelet-device-plugins/
    """
    cut = any(pool.cut for pool in found if pool.devices == DEVICES_NVIDIA)
    by_kind = {DEVICES_NVIDIA: OPERATOR if cut else PLUGIN, DEVICES_NEURON: NEURON, DEVICES_IMAGE: IMAGE}
    return {kind: by_kind[kind] for kind in sorted({pool.devices for pool in found})}


def affinity(kind: str) -> dict[str, Any]:
    """Of a daemon that has to run on the nodes of this kind and on no other."""
    terms = [{"matchExpressions": [{"key": DEVICES_LABEL, "operator": "In", "values": [kind]}]}]
    return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}}


def _pool(design: Mapping[str, Any]) -> Pool:
    try:
        labels = design["labels"]
        return Pool(
            name=design["pool"],
            devices=labels[DEVICES_LABEL],
            cut=MIG_LABEL in labels,
            efa=design["efa"],
            instance_types=tuple(design["instanceTypes"]),
            least_efa_plugin=design["efaPlugin"]["leastAppVersion"] if design["efaPlugin"] else "v0.0.0",
        )
    except KeyError as missing:
        raise ValueError(
            f"designs: {design.get('pool', 'one of them')!r} has no {missing}; pass what a GpuPool or KarpenterPool "
            "registers as its output design"
        ) from None

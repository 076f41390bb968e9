"""Designs of pools as their components register them, and the components of this folder with the least they need."""

from typing import Any

from components.compute.design import as_document, decide
from components.compute.design.request import ImageChoice, PoolRequest, Reservation, Sharing, Taint
from components.devices.device_plugins import DevicePlugins, DevicePluginsArgs
from components.devices.node_health import NodeHealth, NodeHealthArgs
from tests.components.builds import Build

POOLS: dict[str, dict[str, Any]] = {
    "plain": {},
    "efa": {"instance_types": ("p5.48xlarge",), "use": "training", "zones": ("us-east-1a",)},
    "new": {
        "instance_types": ("p6-b200.48xlarge",),
        "purchase": "reservation",
        "zones": ("us-east-1a",),
        "reservation": Reservation(id="cr-0123456789abcdef0", zone="us-east-1a", count=2),
        "max_nodes": 2,
    },
    "sliced": {"sharing": Sharing(kind="time-slicing", replicas=4)},
    "cut": {"instance_types": ("p4de.24xlarge",), "sharing": Sharing(kind="mig", profile="1g.10gb")},
    "bottlerocket": {"image_family": "bottlerocket"},
    "team": {"taints": (Taint(key="team", value="vision", effect="NoSchedule"),)},
    "trainium": {"instance_types": ("trn1.32xlarge",), "use": "training", "zones": ("us-east-1a",)},
}


def design(name: str, **changes: Any) -> dict[str, Any]:
    """The document of the pool of that kind."""
    given: dict[str, Any] = {
        "name": name,
        "instance_types": ("g6.xlarge",),
        "region": "us-east-1",
        "zones": ("us-east-1a", "us-east-1b"),
        "zones_are_chosen": True,
        "kubernetes_version": "1.35",
        "max_nodes": 4,
    }
    given |= POOLS.get(name, {}) | changes
    given["image"] = ImageChoice(family=given.pop("image_family", "al2023"))
    return as_document(decide(PoolRequest(**given)))


def args(*names: str, **changes: Any) -> DevicePluginsArgs:
    defaults: dict[str, Any] = {
        "cluster_name": "demo",
        "region": "us-east-1",
        "designs": [design(name) for name in names],
    }
    return DevicePluginsArgs(**(defaults | changes))


def plugins(*names: str, **changes: Any) -> Build:
    return lambda: DevicePlugins("devices", args(*names, **changes))


def health(**changes: Any) -> Build:
    defaults: dict[str, Any] = {"cluster_name": "demo"}
    return lambda: NodeHealth("health", NodeHealthArgs(**(defaults | changes)))


BUILDS = {"DevicePlugins": plugins("plain", "efa"), "NodeHealth": health()}
"""One of each component."""

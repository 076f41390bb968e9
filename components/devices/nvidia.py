"""Values of the two charts that can make NVIDIA GPUs visible; a cluster has one of them. No resources here."""

from typing import Any

import pulumi

from ..compute.design.node import DEVICES_NVIDIA
from ..compute.design.sharing import LEAST_REPLICAS, MOST_REPLICAS
from . import provision
from .images import Registries, repository_of
from .provision import EVERYWHERE, OPERATOR, PLUGIN

DEFAULT_CONFIG = "default"
CONFIG_MAP = "device-plugin-configs"
PLUGIN_IMAGE, FEATURES_IMAGE = "/k8s-device-plugin", "/node-feature-discovery"


def plugin(registries: Registries) -> dict[str, Any]:
    """Of NVIDIA's plugin alone, with the feature discovery that labels nodes by their GPU."""
    features = {
        **features_worker(),
        "image": {"repository": registries.repository(repository_of(PLUGIN, FEATURES_IMAGE))},
    }
    return {
        # Beside EFA the plugin would hand every device under /dev/infiniband to every pod with a GPU.
        # https://docs.aws.amazon.com/eks/latest/userguide/node-efa.html
        "mofedEnabled": False,
        "migStrategy": "none",
        # As a name: the chart refuses several configurations without one that holds where no label names another.
        "config": {"map": configurations(), "default": DEFAULT_CONFIG},
        "image": {"repository": registries.repository(repository_of(PLUGIN, PLUGIN_IMAGE))},
        "affinity": provision.affinity(DEVICES_NVIDIA),
        "tolerations": EVERYWHERE,
        "gfd": {"enabled": True},
        "nfd": features,
    }


def operator(registries: Registries) -> dict[str, Any]:
    """Of NVIDIA's operator, only what a node of EKS's image lacks: plugin, feature discovery and what cuts GPUs.

    The image has driver and container toolkit; a second driver does not load. The operator counts as its own only
    nodes that feature discovery has looked at, so that discovery's affinity keeps it off all others.
    """

    def at(ending: str) -> dict[str, Any]:
        whole = registries.repository(repository_of(OPERATOR, ending))
        return {"repository": _without(whole, ending)}

    return {
        "operator": at("/gpu-operator"),
        "validator": at("/gpu-operator"),
        "daemonsets": {"tolerations": EVERYWHERE},
        "driver": {"enabled": False},
        "toolkit": {"enabled": False},
        "devicePlugin": {
            "enabled": True,
            **at(PLUGIN_IMAGE),
            "env": [{"name": "MOFED_ENABLED", "value": "false"}],
            "config": {
                "create": True,
                "name": CONFIG_MAP,
                "default": DEFAULT_CONFIG,
                "data": configurations(mig_strategy="single"),
            },
        },
        "gfd": {"enabled": True, **at(PLUGIN_IMAGE)},
        # Single: whatever its size, each part is one nvidia.com/gpu, as the design counts them.
        "mig": {"strategy": "single"},
        "migManager": {
            "enabled": True,
            **at("/k8s-mig-manager"),
            # Where a GPU cannot be reset from within an instance, its new mode begins with the next boot.
            "env": [{"name": "WITH_REBOOT", "value": "true"}],
        },
        "dcgm": {"enabled": False},
        "dcgmExporter": {"enabled": False},
        "nodeStatusExporter": {"enabled": False},
        "ccManager": {"enabled": False},
        "sandboxWorkloads": {"enabled": False},
        "nfd": {"enabled": True},
        "node-feature-discovery": {
            **features_worker(),
            "image": {"repository": registries.repository(repository_of(OPERATOR, FEATURES_IMAGE))},
        },
    }


def features_worker() -> dict[str, Any]:
    """The part of node feature discovery that runs on nodes, on those with GPUs and no plugin in their image only."""
    return {"worker": {"affinity": provision.affinity(DEVICES_NVIDIA), "tolerations": EVERYWHERE}}


def configurations(mig_strategy: str = "none") -> dict[str, str]:
    """The plugin's configurations by name; a node takes the one that its label names, else the default.

    There is one for every number of pods that a design can let take turns: a pool that shares finds its own there.
    """
    found = {DEFAULT_CONFIG: _configuration(mig_strategy)}
    for replicas in range(LEAST_REPLICAS, MOST_REPLICAS + 1):
        found[f"time-slicing-{replicas}"] = _configuration("none", replicas)
    return found


def _configuration(mig_strategy: str, replicas: int | None = None) -> str:
    lines = ["version: v1", "flags:", f"  migStrategy: {mig_strategy}"]
    if replicas is not None:
        # Under the plain name: a pod need not know whether it has a GPU to itself.
        lines += [
            "sharing:",
            "  timeSlicing:",
            "    renameByDefault: false",
            "    resources:",
            "      - name: nvidia.com/gpu",
            f"        replicas: {replicas}",
        ]
    return "\n".join([*lines, ""])


def _without(repository: pulumi.Input[str], ending: str) -> pulumi.Input[str]:
    """The operator puts registry and name together by itself, and wants the registry only."""
    if isinstance(repository, str):
        return repository.removesuffix(ending)
    return pulumi.Output.from_input(repository).apply(lambda known: known.removesuffix(ending))

"""Values of the chart that makes EFA interfaces visible. No resources here."""

from collections.abc import Sequence
from typing import Any

import pulumi

from gpufleet.facts import charts, eks_registries, instances
from gpufleet.facts.efa import version_key

from ..compute.design.node import EFA_LABEL
from .provision import EVERYWHERE, Pool

CHART = "aws-efa-k8s-device-plugin"
PATH = "eks/aws-efa-k8s-device-plugin"


def values(region: str, repository: pulumi.Input[str] | None = None) -> dict[str, Any]:
    """The chart's values, the same whatever the pools with EFA are.

    The image comes from the registry of the region itself, which a network without a way out reaches; from the chart's
    own, in us-west-2, where no source tells which that is.

    Args:
        region: the cluster's.
        repository: where the image is instead, without tag.
    """
    made: dict[str, Any] = {
        # The plugin ends again and again on a node without EFA, and a type can have nodes of both kinds.
        "nodeSelector": {EFA_LABEL: "true"},
        # The chart's own list would do but for types that are newer than it.
        "supportedInstanceLabels": {
            "keys": ["node.kubernetes.io/instance-type"],
            "values": [name for name in instances.names() if instances.get(name).efa_interfaces],
        },
        "tolerations": EVERYWHERE,
    }
    host = eks_registries.find(region)
    if repository is not None:
        made["image"] = {"repository": repository}
    elif host is not None:
        made["image"] = {"repository": f"{host}/{PATH}"}
    return made


def check(served: Sequence[Pool]) -> None:
    """See that the pinned plugin counts the interfaces of these pools with EFA rightly.

    Raises:
        ValueError: it is too old for one of them.
    """
    pinned = charts.get(CHART).app_version
    for pool in served:
        if version_key(pinned) < version_key(pool.least_efa_plugin):
            raise ValueError(
                f"designs: {CHART} {pinned} miscounts the EFA interfaces of {', '.join(pool.instance_types)}, and "
                f"pods of pool {pool.name} would never start; it takes {pool.least_efa_plugin} or newer: raise the "
                "pin in gpufleet/facts/data/charts.json"
            )

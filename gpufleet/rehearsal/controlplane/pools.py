"""From a plan's managed node groups to the nodes that they would bring."""

import base64
import binascii
import email
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import yaml

from gpufleet.facts import kubernetes, regions
from gpufleet.plan.graph import Resource
from gpufleet.rehearsal.controlplane.client import Object, part, parts
from gpufleet.rehearsal.controlplane.nodes import NVIDIA_HUGEPAGES, POOL_LABEL, Node, Taint

NODE_GROUP: Final = "aws:eks/nodeGroup:NodeGroup"
LAUNCH_TEMPLATE: Final = "aws:ec2/launchTemplate:LaunchTemplate"
SUBNET: Final = "aws:ec2/subnet:Subnet"

MOST_NODES: Final = 16
"""Of one pool: enough to see a gang placed, and a pool that may grow to a thousand still registers in a second."""

DEFAULT_VOLUME_GIB: Final = 20
"""EKS gives a node group without a disk of its own so much."""

NODE_CONFIG: Final = "application/node.eks.aws"

EFFECTS: Final = {
    "NO_SCHEDULE": "NoSchedule",
    "NO_EXECUTE": "NoExecute",
    "PREFER_NO_SCHEDULE": "PreferNoSchedule",
}
CAPACITY: Final = {"SPOT": "spot", "CAPACITY_BLOCK": "reserved"}
EFA_INTERFACES: Final = frozenset({"efa", "efa-only"})


def nodes_of(resources: Iterable[Resource]) -> dict[str, list[Node]]:
    """The nodes of every managed node group at its ceiling, at most `MOST_NODES` each, by the name of their cluster.

    A group's types and zones take turns, so that a pod that fits only its largest type is not said to fit them all.

    Args:
        resources: of an update run (`preview=False`): subnets and launch templates are found by their ids.

    Returns:
        Named `POOL-NUMBER`, which is unique in a cluster; groups in the order of their URNs.
    """
    found = list(resources)
    by_id = {(one.type, one.id): one.inputs for one in found}
    clusters: dict[str, list[Node]] = {}
    for group in found:
        if group.type == NODE_GROUP:
            cluster = clusters.setdefault(str(group.inputs["clusterName"]), [])
            for node in _nodes(group, by_id):
                # A pool may be several groups, as one for each zone.
                number = sum(other.pool == node.pool for other in cluster)
                cluster.append(replace(node, name=f"{node.pool}-{number}"))
    return clusters


def _nodes(group: Resource, by_id: Mapping[tuple[str, str | None], Mapping[str, Any]]) -> list[Node]:
    inputs = dict(group.inputs)
    template = dict(by_id.get((LAUNCH_TEMPLATE, part(inputs, "launchTemplate").get("id"))) or {})
    zones = _zones(inputs, by_id)
    types: Sequence[str] = inputs.get("instanceTypes") or [template["instanceType"]]
    ceiling = int(part(inputs, "scalingConfig").get("maxSize", 0))
    if not zones or not ceiling:
        return []
    config = part(_node_config(template), "spec")
    striped = str(part(part(config, "instance"), "localStorage").get("strategy", ""))
    efa = [one for one in parts(template, "networkInterfaces") if one.get("interfaceType") in EFA_INTERFACES]
    image = str(inputs.get("amiType", ""))
    labels: Mapping[str, str] = inputs.get("labels") or {}
    first = Node(
        pool=labels.get(POOL_LABEL, group.name),
        name="",
        instance_type=types[0],
        region=region_of(zones[0]),
        zone=zones[0],
        kubernetes_version=str(inputs.get("version") or kubernetes.DEFAULT_VERSION),
        capacity_type=CAPACITY.get(str(inputs.get("capacityType")), "on-demand"),
        volume_gib=_volume_gib(inputs, template),
        local_storage=striped.startswith("RAID"),
        efa_interfaces=len(efa),
        # The image's service sets pages aside where it finds an EFA device.
        hugepages=NVIDIA_HUGEPAGES if efa and image.startswith("AL2023") and "NVIDIA" in image else 0,
        max_pods=part(part(config, "kubelet"), "config").get("maxPods"),
        labels=labels,
        taints=tuple(_taint(one) for one in parts(inputs, "taints")),
    )
    return [
        replace(first, instance_type=types[turn % len(types)], zone=zones[turn % len(zones)])
        for turn in range(min(ceiling, MOST_NODES))
    ]


def _zones(group: Object, by_id: Mapping[tuple[str, str | None], Mapping[str, Any]]) -> list[str]:
    subnet_ids: list[str] = group.get("subnetIds") or []
    subnets = [by_id[SUBNET, subnet] for subnet in subnet_ids if (SUBNET, subnet) in by_id]
    return [str(subnet["availabilityZone"]) for subnet in subnets if subnet.get("availabilityZone")]


def _taint(taint: Object) -> Taint:
    return Taint(key=taint["key"], value=taint.get("value") or "", effect=EFFECTS[taint["effect"]])


def _volume_gib(group: Object, template: Object) -> int:
    sizes = [part(mapping, "ebs").get("volumeSize") for mapping in parts(template, "blockDeviceMappings")]
    told = [int(size) for size in sizes if size]
    return told[0] if told else int(group.get("diskSize") or DEFAULT_VOLUME_GIB)


def _node_config(template: Object) -> Object:
    """The NodeConfig that the user data brings to nodeadm, empty where there is none.

    https://awslabs.github.io/amazon-eks-ami/nodeadm/doc/api/
    """
    try:
        data = base64.b64decode(str(template.get("userData") or ""), validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return {}
    found: Object = {}
    for document in email.message_from_string(data).walk():
        if document.get_content_type() == NODE_CONFIG:
            # JSON is YAML; of several documents the last one's word holds.
            found |= yaml.safe_load(str(document.get_payload())) or {}
    return found


def region_of(zone: str) -> str:
    """The region of a zone; a local zone such as `us-west-2-lax-1a` begins with it too."""
    named = [name for name in regions.names() if zone.startswith(name)]
    return max(named, key=len, default=zone.rstrip("abcdefghijklmnopqrstuvwxyz"))

"""From a plan's Karpenter NodePools to the nodes that they would bring."""

import itertools
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from gpufleet.facts import kubernetes
from gpufleet.facts.instances import InstanceType
from gpufleet.plan.graph import Resource
from gpufleet.rehearsal.controlplane import requirements
from gpufleet.rehearsal.controlplane.client import Object, part, parts
from gpufleet.rehearsal.controlplane.nodes import Node, Taint
from gpufleet.rehearsal.controlplane.pools import DEFAULT_VOLUME_GIB, EFA_INTERFACES, MOST_NODES, SUBNET, region_of

NODE_POOL: Final = re.compile(r"kubernetes:karpenter\.sh/v1:NodePool")
NODE_CLASS: Final = re.compile(r"kubernetes:karpenter\.k8s\.aws/v1:EC2NodeClass")
CLUSTER: Final = "aws:eks/cluster:Cluster"
AWS: Final = (SUBNET, CLUSTER)

GIB: Final = {"Gi": 1.0, "Ti": 1024.0, "G": 10**9 / 2**30, "T": 10**12 / 2**30}


@dataclass(frozen=True, kw_only=True)
class _Plan:
    """What a NodePool leans on."""

    classes: Mapping[str, Object]
    """EC2NodeClass specs by name."""
    subnets: Sequence[Object]
    version: str


def nodes_of(
    resources: Iterable[Resource], providers: Collection[str] | None = None, *, region: str | None = None
) -> list[Node]:
    """The nodes of every NodePool up to its limits, at most `MOST_NODES` each.

    Karpenter makes a node for pods that wait; here the nodes are there first, and what fits none of them is what
    Karpenter would find no type for. The types and zones that a pool allows take turns. Requirements that the
    catalogue cannot judge exclude nothing. A pool has no hugepages: Karpenter knows of none, and never makes a node
    for a pod that asks for them.

    Args:
        resources: of an update run (`preview=False`).
        providers: URNs of those that speak to the cluster that is meant; None where the plan has one cluster.
        region: of that cluster, where Karpenter looks for subnets; None takes them all.

    Returns:
        Named `POOL-NUMBER`, pools in the order of their URNs.

    Raises:
        ValueError: a requirement has an operator that Karpenter does not know.
    """
    found = [
        one
        for one in resources
        if providers is None or one.type in AWS or one.provider.rpartition("::")[0] in providers
    ]
    versions = [str(one.inputs["version"]) for one in found if one.type == CLUSTER and one.inputs.get("version")]
    plan = _Plan(
        classes={_name(one): part(dict(one.inputs), "spec") for one in found if NODE_CLASS.fullmatch(one.type)},
        subnets=[{**one.inputs, "id": one.id} for one in found if one.type == SUBNET and _is_in(region, one)],
        version=versions[0] if versions else kubernetes.DEFAULT_VERSION,
    )
    pools = [one for one in found if NODE_POOL.fullmatch(one.type)]
    return [node for pool in pools for node in _nodes(_name(pool), part(dict(pool.inputs), "spec"), plan)]


def _is_in(region: str | None, subnet: Resource) -> bool:
    return region is None or region_of(str(subnet.inputs.get("availabilityZone"))) == region


def _nodes(name: str, spec: Object, plan: _Plan) -> list[Node]:
    template = part(spec, "template")
    inner = part(template, "spec")
    node_class = plan.classes.get(str(part(inner, "nodeClassRef").get("name")), {})
    asked = parts(inner, "requirements")
    zones = requirements.values_of(asked, requirements.ZONE) or _zones(node_class, plan.subnets)
    if not zones:
        return []
    allowed = requirements.values_of(asked, requirements.CAPACITY_TYPE) or ["on-demand"]
    region = region_of(zones[0])
    types = requirements.types_for(asked, region)
    return [
        Node(
            pool=name,
            name=f"{name}-{number}",
            instance_type=type_.name,
            region=region,
            zone=zones[number % len(zones)],
            kubernetes_version=plan.version,
            scaler="karpenter",
            capacity_type=next((one for one in requirements.CAPACITY_ORDER if one in allowed), "on-demand"),
            volume_gib=_volume_gib(node_class),
            local_storage=node_class.get("instanceStorePolicy") == "RAID0" and type_.nvme_gb > 0,
            efa_interfaces=_efa_interfaces(node_class, type_),
            max_pods=part(node_class, "kubelet").get("maxPods"),
            labels={**_chosen(asked), **part(part(template, "metadata"), "labels")},
            taints=tuple(
                Taint(key=one["key"], value=one.get("value") or "", effect=one["effect"])
                for one in parts(inner, "taints")
            ),
        )
        for number, type_ in enumerate(_within(spec, types))
    ]


def _within(spec: Object, types: Sequence[InstanceType]) -> Iterator[InstanceType]:
    """The types in turn, for as many nodes as the pool's limits allow."""
    limits = part(spec, "limits")
    most = min(int(spec.get("replicas") or limits.get("nodes") or MOST_NODES), MOST_NODES)
    left = {key: float(limits[key]) for key in ("cpu", "nvidia.com/gpu") if re.fullmatch(r"\d+", str(limits.get(key)))}
    made = 0
    # A type that no longer fits may be followed by a smaller one that does.
    misses = 0
    for type_ in itertools.cycle(types):
        if made == most or misses == len(types):
            return
        needs = {"cpu": float(type_.vcpus or 0), "nvidia.com/gpu": float(type_.gpu_count if type_.is_gpu else 0)}
        if any(needs[key] > rest for key, rest in left.items()):
            misses += 1
            continue
        left = {key: rest - needs[key] for key, rest in left.items()}
        made, misses = made + 1, 0
        yield type_


def _zones(node_class: Object, subnets: Sequence[Object]) -> list[str]:
    """The zones of the planned subnets that a class selects."""
    terms = parts(node_class, "subnetSelectorTerms")
    chosen = [
        str(subnet.get("availabilityZone")) for subnet in subnets if any(_selects(term, subnet) for term in terms)
    ]
    return sorted(set(chosen))


def _selects(term: Object, subnet: Object) -> bool:
    tags = part(subnet, "tags")
    wanted = part(term, "tags")
    if "id" in term:
        return bool(term["id"] == subnet["id"])
    return bool(wanted) and all(key in tags and value in ("*", tags[key]) for key, value in wanted.items())


def _efa_interfaces(node_class: Object, type_: InstanceType) -> int:
    """What the class attaches; one that names no interfaces attaches, for pods that ask, all that the type takes."""
    interfaces = parts(node_class, "networkInterfaces")
    if not interfaces:
        return type_.efa_interfaces
    return sum(one.get("interfaceType") in EFA_INTERFACES for one in interfaces)


def _volume_gib(node_class: Object) -> int:
    mappings = parts(node_class, "blockDeviceMappings")
    root = next((one for one in mappings if one.get("rootVolume")), mappings[-1] if mappings else {})
    size = re.fullmatch(r"(\d+)(Gi|Ti|G|T)", str(part(root, "ebs").get("volumeSize")))
    return int(int(size[1]) * GIB[size[2]]) if size else DEFAULT_VOLUME_GIB


def _chosen(asked: Sequence[requirements.Requirement]) -> dict[str, str]:
    """Labels that a requirement of the pool's own making puts on its nodes: those with one value."""
    own = [
        one for one in asked if one["key"] not in (*requirements.TOLD, requirements.ZONE, requirements.CAPACITY_TYPE)
    ]
    values: dict[str, Any] = {one["key"]: requirements.values_of(asked, one["key"]) for one in own}
    return {key: found[0] for key, found in values.items() if found and len(found) == 1}


def _name(resource: Resource) -> str:
    inputs = dict(resource.inputs)
    return str(part(inputs, "metadata").get("name") or resource.name)

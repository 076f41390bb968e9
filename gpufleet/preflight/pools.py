"""The pools of a place: how many instances of which types, bought how, where, and out of which reservation."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from gpufleet.plan.graph import UNKNOWN, Resource
from gpufleet.plan.values import is_list
from gpufleet.preflight import images, karpenter
from gpufleet.preflight.places import CLUSTER, SUBNET, Place
from gpufleet.preflight.pool import CAPACITY_BLOCK, ON_DEMAND, SPOT, Pool, Reservation
from gpufleet.pricing import wire

NODE_GROUP: Final = "aws:eks/nodeGroup:NodeGroup"
SCALING_GROUP: Final = "aws:autoscaling/group:Group"
INSTANCE: Final = "aws:ec2/instance:Instance"
TEMPLATE: Final = "aws:ec2/launchTemplate:LaunchTemplate"

_PURCHASES: Final = {"ON_DEMAND": ON_DEMAND, "SPOT": SPOT, "CAPACITY_BLOCK": CAPACITY_BLOCK}
_DEFAULT_TYPE: Final = "t3.medium"
"""What EKS takes for a managed node group that names no type (EKS CreateNodegroup, `instanceTypes`)."""
_POOL_LABEL: Final = "gpufleet.io/pool"


def read(place: Place) -> list[Pool]:
    """The pools of node groups, Auto Scaling groups and single instances, and Karpenter's, in this order."""
    return [
        *(_node_group(place, resource) for resource in place.of(NODE_GROUP)),
        *(_scaling_group(place, resource) for resource in place.of(SCALING_GROUP)),
        *(_instance(place, resource) for resource in place.of(INSTANCE)),
        *karpenter.read(place),
    ]


def template_of(place: Place, reference: object) -> Mapping[str, Any]:
    """The inputs of the launch template that is named; empty where there is none, or it is not of this plan."""
    for template in place.of(TEMPLATE):
        named = (wire.value(reference, key) for key in ("id", "name", "launchTemplateId", "launchTemplateName"))
        if any(one and one in (template.id, template.inputs.get("name")) for one in named):
            return template.inputs
    return {}


def zones_of(place: Place, subnet_ids: Sequence[object]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The zones of the planned ones among these subnets, and the others' ids."""
    planned = {id_: place.find(SUBNET, id_) for id_ in subnet_ids if isinstance(id_, str) and id_ != UNKNOWN}
    zones = {str(one.inputs["availabilityZone"]) for one in planned.values() if one and _zone(one)}
    return tuple(sorted(zones)), tuple(sorted(id_ for id_, one in planned.items() if one is None or not _zone(one)))


def _zone(subnet: Resource) -> bool:
    return wire.value(subnet.inputs, "availabilityZone") not in (None, "", UNKNOWN)


def _node_group(place: Place, resource: Resource) -> Pool:
    inputs = resource.inputs
    template = template_of(place, inputs.get("launchTemplate"))
    zones, others = zones_of(place, wire.items(inputs, "subnetIds"))
    named = _named(inputs.get("instanceTypes")) or _named([template.get("instanceType")])
    cluster = str(inputs.get("clusterName") or "")
    version = str(inputs.get("version") or _cluster_version(place, cluster))
    return Pool(
        name=_label(resource),
        urn=resource.urn,
        types=named or (() if inputs.get("launchTemplate") else (_DEFAULT_TYPE,)),
        purchases=(_PURCHASES.get(str(inputs.get("capacityType") or "ON_DEMAND"), ON_DEMAND),),
        minimum=_whole(inputs, "scalingConfig.minSize"),
        maximum=_whole(inputs, "scalingConfig.maxSize"),
        zones=zones,
        subnets=others,
        cluster=cluster,
        version=version,
        images=images.of_node_group(inputs, template, version),
        **_of_template(template),
    )


def _scaling_group(place: Place, resource: Resource) -> Pool:
    inputs = resource.inputs
    mixed = wire.value(inputs, "mixedInstancesPolicy")
    path = "launchTemplate" if mixed is None else "mixedInstancesPolicy.launchTemplate.launchTemplateSpecification"
    template = template_of(place, wire.value(inputs, path))
    overrides = [wire.value(one, "instanceType") for one in wire.items(mixed, "launchTemplate.overrides")]
    zones, others = zones_of(place, wire.items(inputs, "vpcZoneIdentifiers"))
    share = wire.value(mixed, "instancesDistribution.onDemandPercentageAboveBaseCapacity")
    base = wire.value(mixed, "instancesDistribution.onDemandBaseCapacity")
    bought = (SPOT,) if share == 0 and not base else (ON_DEMAND, SPOT)
    return Pool(
        name=_label(resource),
        urn=resource.urn,
        types=_named(overrides) or _named([template.get("instanceType")]),
        purchases=(_market(template),) if share is None or share == 100 else bought,
        minimum=_whole(inputs, "minSize"),
        maximum=_whole(inputs, "maxSize"),
        zones=zones or _named(inputs.get("availabilityZones")),
        subnets=others,
        images=images.of_template(template),
        **_of_template(template),
    )


def _instance(place: Place, resource: Resource) -> Pool:
    template = template_of(place, resource.inputs.get("launchTemplate"))
    inputs = {**template, **resource.inputs}
    zones, others = zones_of(place, [inputs.get("subnetId")])
    return Pool(
        name=resource.name,
        urn=resource.urn,
        types=_named([inputs.get("instanceType")]),
        purchases=(_market(inputs),),
        minimum=1,
        maximum=1,
        zones=zones or _named([inputs.get("availabilityZone")]),
        subnets=others,
        images=images.of_template({"imageId": inputs.get("ami") or inputs.get("imageId")}),
        **_of_template(inputs),
    )


def _of_template(template: Mapping[str, Any]) -> dict[str, Any]:
    """What only the launch template says."""
    groups = [len(wire.items(one, "securityGroups")) for one in wire.items(template, "networkInterfaces")]
    return {
        "reservation": _reservation(template),
        "tenancy": str(wire.value(template, "placement.tenancy") or wire.value(template, "tenancy") or "default"),
        "security_groups": max([*groups, len(wire.items(template, "vpcSecurityGroupIds"))]),
    }


def _reservation(template: Mapping[str, Any]) -> Reservation | None:
    path = "capacityReservationSpecification"
    ids = _named([wire.value(template, f"{path}.capacityReservationTarget.capacityReservationId")])
    group = _named([wire.value(template, f"{path}.capacityReservationTarget.capacityReservationResourceGroupArn")])
    only = wire.value(template, f"{path}.capacityReservationPreference") == "capacity-reservations-only"
    return Reservation(ids=ids, group=group[0] if group else None, only=only) if ids or group or only else None


def _market(inputs: Mapping[str, Any]) -> str:
    market = wire.value(inputs, "instanceMarketOptions.marketType")
    return str(market) if market in (SPOT, CAPACITY_BLOCK) else ON_DEMAND


def _cluster_version(place: Place, name: str) -> str:
    found = [one for one in place.of(CLUSTER) if one.inputs.get("name") == name or one.id == name]
    return str(found[0].inputs.get("version") or "") if found else ""


def _label(resource: Resource) -> str:
    """What the settings call it, where its nodes carry that; else the resource's name."""
    labels: Mapping[str, Any] = resource.inputs.get("labels") or {}
    return str(labels.get(_POOL_LABEL) or resource.name)


def _named(values: Any) -> tuple[str, ...]:
    """The texts of a list that are known."""
    return tuple(one for one in values if isinstance(one, str) and one not in ("", UNKNOWN)) if is_list(values) else ()


def _whole(inputs: object, path: str) -> int:
    found = wire.value(inputs, path)
    return int(found) if isinstance(found, int | float) and not isinstance(found, bool) else 0

"""The pools that Karpenter would fill: NodePools, and the EC2NodeClasses that they go by."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from gpufleet.facts.instances import InstanceType
from gpufleet.plan.graph import Resource
from gpufleet.plan.values import is_mapping
from gpufleet.preflight import images
from gpufleet.preflight.places import CLUSTER, SUBNET, Place
from gpufleet.preflight.pool import ON_DEMAND, SPOT, Pool, Reservation
from gpufleet.rehearsal.controlplane import requirements
from gpufleet.rehearsal.controlplane.client import Object, part, parts
from gpufleet.rehearsal.controlplane.node_pools import NODE_CLASS, NODE_POOL

_RESERVED: Final = "reserved"
_CPU: Final = re.compile(r"(\d+)(m?)")
_GPUS: Final = "nvidia.com/gpu"


def read(place: Place) -> Iterator[Pool]:
    """The NodePools of a place.

    Raises:
        ValueError: a requirement has an operator that Karpenter does not know.
    """
    classes = {_name(one): part(dict(one.inputs), "spec") for one in place.resources if NODE_CLASS.fullmatch(one.type)}
    for resource in place.resources:
        if NODE_POOL.fullmatch(resource.type):
            yield _pool(place, resource, classes)


def _pool(place: Place, resource: Resource, classes: Mapping[str, Object]) -> Pool:
    spec = part(dict(resource.inputs), "spec")
    inner = part(part(spec, "template"), "spec")
    node_class = classes.get(str(part(inner, "nodeClassRef").get("name")), {})
    asked = parts(inner, "requirements")
    types = requirements.types_for(asked, place.region)
    named = requirements.values_of(asked, requirements.INSTANCE_TYPE)
    ways = requirements.values_of(asked, requirements.CAPACITY_TYPE) or [ON_DEMAND]
    limits = part(spec, "limits")
    cluster = next(place.of(CLUSTER), None)
    version = str(cluster.inputs.get("version") or "") if cluster else ""
    return Pool(
        name=_name(resource),
        urn=resource.urn,
        types=tuple(named or (one.name for one in types)),
        # What is reserved is launched as on-demand, in the reservation.
        purchases=tuple(one for one in (ON_DEMAND, SPOT) if one in ways or (one == ON_DEMAND and _RESERVED in ways)),
        minimum=0,
        maximum=_most_nodes(spec, limits, types),
        vcpus=_vcpus(limits.get("cpu")),
        zones=tuple(requirements.values_of(asked, requirements.ZONE) or _zones(place, node_class)),
        each_type_everywhere=False,
        reservation=_reservation(node_class, ways),
        cluster=str(cluster.inputs.get("name") or "") if cluster else "",
        version=version,
        images=_images(node_class, types, version),
    )


def _most_nodes(spec: Object, limits: Object, types: list[InstanceType]) -> int | None:
    """The most instances that replicas, `limits.nodes` or the limit of GPUs allow; None where none of them is set."""
    bounds = [int(value) for value in (spec.get("replicas"), limits.get("nodes")) if value is not None]
    fewest = min((one.gpu_count for one in types if one.is_gpu), default=0)
    if fewest and str(limits.get(_GPUS, "")).isdigit():
        bounds.append(int(limits[_GPUS]) // fewest)
    return min(bounds, default=None)


def _vcpus(limit: object) -> int | None:
    """`limits.cpu` as vCPUs: `768`, or in thousandths `768000m`."""
    found = _CPU.fullmatch(str(limit))
    return int(found[1]) // (1000 if found[2] else 1) if found else None


def _zones(place: Place, node_class: Object) -> list[str]:
    """The zones of the planned subnets that a class selects."""
    terms = parts(node_class, "subnetSelectorTerms")
    chosen = [one for one in place.of(SUBNET) if any(_selects(term, one, place) for term in terms)]
    return sorted({str(one.inputs["availabilityZone"]) for one in chosen if one.inputs.get("availabilityZone")})


def _selects(term: Object, subnet: Resource, place: Place) -> bool:
    if "id" in term:
        return bool(term["id"] == subnet.id)
    tags, wanted = place.tags.get(subnet.urn) or {}, part(term, "tags")
    return bool(wanted) and all(key in tags and value in ("*", tags[key]) for key, value in wanted.items())


def _reservation(node_class: Object, ways: list[str]) -> Reservation | None:
    terms = parts(node_class, "capacityReservationSelectorTerms")
    if not terms:
        return None
    tagged: list[Any] = [part(one, "tags") for one in terms if is_mapping(one.get("tags"))]
    return Reservation(
        ids=tuple(str(one["id"]) for one in terms if one.get("id")), tags=tuple(tagged), only=ways == [_RESERVED]
    )


def _images(node_class: Object, types: list[InstanceType], version: str) -> tuple[str, ...]:
    """The images that the class's terms lead to, one for each kind of type that the pool may take."""
    kinds = sorted({(one.cpu_arch, one.is_gpu) for one in types})
    found: list[str] = []
    for term in parts(node_class, "amiSelectorTerms"):
        if term.get("alias") and version:
            for arch, accelerated in kinds:
                found += images.of_alias(str(term["alias"]), version, arch, accelerated)
        found += [str(term[key]) for key in ("id", "ssmParameter") if term.get(key)]
    return tuple(dict.fromkeys(found))


def _name(resource: Resource) -> str:
    return str(part(dict(resource.inputs), "metadata").get("name") or resource.name)

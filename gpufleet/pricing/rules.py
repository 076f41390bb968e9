"""Which rule prices which resource type, which types cost nothing, and which cost what a plan cannot tell."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from gpufleet.pricing import alarms, instances, node_pools, pools, services, volumes
from gpufleet.pricing.charge import Charge, Gap
from gpufleet.pricing.index import Context, Resource

Rule = Callable[[Resource, Context], Iterator[Charge | Gap]]

RULES: Final[Mapping[str, Rule]] = MappingProxyType(
    {
        "aws:autoscaling/group:Group": instances.scaling_group,
        "aws:cloudwatch/compositeAlarm:CompositeAlarm": alarms.composite,
        "aws:cloudwatch/metricAlarm:MetricAlarm": alarms.metric,
        "aws:ebs/volume:Volume": volumes.volume,
        "aws:ec2/capacityReservation:CapacityReservation": instances.reservation,
        "aws:ec2/eip:Eip": services.elastic_ip,
        "aws:ec2/instance:Instance": instances.instance,
        "aws:ec2/natGateway:NatGateway": services.nat_gateway,
        "aws:ec2/spotInstanceRequest:SpotInstanceRequest": instances.spot_request,
        "aws:ec2/vpcEndpoint:VpcEndpoint": services.endpoint,
        "aws:ec2/vpcEndpointSubnetAssociation:VpcEndpointSubnetAssociation": services.endpoint_subnet,
        "aws:ecr/registryScanningConfiguration:RegistryScanningConfiguration": services.registry_scanning,
        "aws:eks/cluster:Cluster": services.cluster,
        "aws:eks/nodeGroup:NodeGroup": instances.node_group,
        "aws:fsx/lustreFileSystem:LustreFileSystem": services.lustre,
        "aws:kms/externalKey:ExternalKey": services.key,
        "aws:kms/key:Key": services.key,
        "aws:kms/replicaKey:ReplicaKey": services.key,
        "aws:secretsmanager/secret:Secret": services.secret,
        "aws:ssm/parameter:Parameter": services.parameter,
        "kubernetes:core/v1:Service": services.kubernetes_service,
        pools.NODE_POOL: node_pools.node_pool,
    }
)


@dataclass(frozen=True, slots=True)
class _Free:
    types: frozenset[str]
    prefixes: tuple[str, ...]


def is_free(resource_type: str) -> bool:
    """Whether a type is known to cost nothing by itself, by its exact name or by its module."""
    free = _free()
    return resource_type in free.types or resource_type.startswith(free.prefixes)


def why_unpriced(resource_type: str) -> str:
    """The reason why a type with no rule is not priced."""
    return _by_use().get(resource_type, "no price rule for this type")


def known_types() -> tuple[str, ...]:
    """Every type that a rule, the list of free types or the list of types billed by use names, sorted."""
    return tuple(sorted({*RULES, *_free().types, *_by_use()}))


def _read(name: str) -> dict[str, Any]:
    return json.loads((Path(__file__).parent / "data" / name).read_bytes())


@cache
def _free() -> _Free:
    file = _read("free.json")
    return _Free(frozenset(file["types"]), tuple(file["prefixes"]))


@cache
def _by_use() -> Mapping[str, str]:
    return MappingProxyType(_read("by_use.json")["types"])

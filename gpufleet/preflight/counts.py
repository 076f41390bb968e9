"""What a plan has of the things that an account may have only so many of, and what others have of them."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from gpufleet.plan.graph import UNKNOWN, Resource
from gpufleet.preflight.places import CLUSTER, SUBNET
from gpufleet.preflight.pools import NODE_GROUP
from gpufleet.preflight.site import Site
from gpufleet.pricing import wire

Numbers = Counter[str]
"""By where it is counted: a zone, a network, a group; the empty text is the whole region."""


@dataclass(frozen=True, kw_only=True)
class Limit:
    """One limit, and how to count towards it."""

    key: str
    """Of `gpufleet.facts.quotas.limit`."""
    planned: Callable[[Site], Numbers]
    others: Callable[[Site], Numbers] | None = None
    """What is there beside this stack; None where the plan is all there is, as in a network that it makes."""
    permission: str = ""


def _of_region(*types: str) -> Callable[[Site], Numbers]:
    def count(site: Site) -> Numbers:
        return Counter({"": sum(1 for _ in site.place.of(*types))})

    return count


def _by_input(type_: str, path: str, **wanted: str) -> Callable[[Site], Numbers]:
    """How many of a type share the value of an input; `wanted` leaves out those whose inputs say otherwise."""

    def count(site: Site) -> Numbers:
        return Counter(
            _label(site, wire.value(one.inputs, path))
            for one in site.place.of(type_)
            if all((wire.value(one.inputs, key) or "Gateway") == value for key, value in wanted.items())
        )

    return count


def _label(site: Site, value: object) -> str:
    return site.place.name_of(value) or ("?" if value in (None, UNKNOWN) else str(value))


def _nat_zones(site: Site) -> Numbers:
    subnets = (site.place.find(SUBNET, one.inputs.get("subnetId")) for one in site.place.of(_NAT))
    return Counter(str(one.inputs.get("availabilityZone")) for one in subnets if one)


def _rules(site: Site) -> Numbers:
    found: Numbers = Counter()
    for type_, direction in _RULES.items():
        for one in site.place.of(type_):
            found[f"{_label(site, one.inputs.get('securityGroupId'))} {direction}"] += 1
    for one in site.place.of("aws:ec2/securityGroupRule:SecurityGroupRule"):
        direction = "in" if one.inputs.get("type") == "ingress" else "out"
        found[f"{_label(site, one.inputs.get('securityGroupId'))} {direction}"] += 1
    for one in site.place.of(_GROUP):
        for key, direction in (("ingress", "in"), ("egress", "out")):
            found[f"{one.name} {direction}"] += len(wire.items(one.inputs, key))
    return +found


def _interface_groups(site: Site) -> Numbers:
    return +Counter({f"pool {pool.name}": pool.security_groups for pool in site.pools})


def _nodes(site: Site) -> Numbers:
    return Counter(
        {one.name: int(wire.number(one.inputs, "scalingConfig.maxSize", 0)) for one in site.place.of(NODE_GROUP)}
    )


def _found(
    service: str, operation: str, items: str, permission: str, type_: str, **parameters: Any
) -> Callable[[Site], Numbers]:
    """What AWS lists, without what is of this stack."""

    def count(site: Site) -> Numbers:
        own = list(site.place.of(type_))
        listed = site.aws.listed(permission, service, operation, items, **parameters)
        return Counter({"": sum(1 for one in listed if not is_own(site, own, one))})

    return count


def is_own(site: Site, planned: list[Resource], found: Mapping[str, Any]) -> bool:
    """Whether something that EC2 lists is one of the planned resources, by its tags."""
    tags = {tag["Key"]: tag["Value"] for tag in found.get("Tags") or ()}
    return any(site.place.is_own(one, tags) for one in planned)


def _addresses(site: Site) -> Numbers:
    own = list(site.place.of(_ADDRESS))
    client = site.aws.client("ec2")
    listed = site.aws.told("ec2:DescribeAddresses", client.describe_addresses)["Addresses"]
    return Counter({"": sum(1 for one in listed if not is_own(site, own, one))})


def _nat_gateways(site: Site) -> Numbers:
    own = list(site.place.of(_NAT))
    listed = site.aws.listed(
        "ec2:DescribeNatGateways",
        "ec2",
        "describe_nat_gateways",
        "NatGateways",
        Filters=[{"Name": "state", "Values": ["pending", "available"]}],
    )
    others = [one["SubnetId"] for one in listed if one.get("SubnetId") and not is_own(site, own, one)]
    if not others:
        return Counter()
    subnets = site.aws.listed(
        "ec2:DescribeSubnets", "ec2", "describe_subnets", "Subnets", SubnetIds=sorted(set(others))
    )
    zones = {one["SubnetId"]: one["AvailabilityZone"] for one in subnets}
    return Counter(zones[one] for one in others if one in zones)


def _clusters(site: Site) -> Numbers:
    own = {one.inputs.get("name") for one in site.place.of(CLUSTER)}
    listed = site.aws.listed("eks:ListClusters", "eks", "list_clusters", "clusters")
    return Counter({"": sum(1 for name in listed if name not in own)})


_ADDRESS: Final = "aws:ec2/eip:Eip"
_NAT: Final = "aws:ec2/natGateway:NatGateway"
_GROUP: Final = "aws:ec2/securityGroup:SecurityGroup"
_VPC: Final = "aws:ec2/vpc:Vpc"
_GATEWAY: Final = "aws:ec2/internetGateway:InternetGateway"
_ENDPOINT: Final = "aws:ec2/vpcEndpoint:VpcEndpoint"
_RULES: Final = {
    "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule": "in",
    "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule": "out",
}


def _gateways(site: Site) -> Numbers:
    return Counter({"": _by_input(_ENDPOINT, "vpcId", vpcEndpointType="Gateway")(site).total()})


LIMITS: Final = (
    Limit(key="elastic-ip", planned=_of_region(_ADDRESS), others=_addresses, permission="ec2:DescribeAddresses"),
    Limit(
        key="vpc",
        planned=_of_region(_VPC),
        others=_found("ec2", "describe_vpcs", "Vpcs", "ec2:DescribeVpcs", _VPC),
        permission="ec2:DescribeVpcs",
    ),
    Limit(
        key="internet-gateway",
        planned=_of_region(_GATEWAY),
        others=_found(
            "ec2", "describe_internet_gateways", "InternetGateways", "ec2:DescribeInternetGateways", _GATEWAY
        ),
        permission="ec2:DescribeInternetGateways",
    ),
    Limit(key="nat-gateway", planned=_nat_zones, others=_nat_gateways, permission="ec2:DescribeNatGateways"),
    Limit(
        key="gateway-endpoint",
        planned=_gateways,
        others=_found(
            "ec2",
            "describe_vpc_endpoints",
            "VpcEndpoints",
            "ec2:DescribeVpcEndpoints",
            _ENDPOINT,
            Filters=[{"Name": "vpc-endpoint-type", "Values": ["Gateway"]}],
        ),
        permission="ec2:DescribeVpcEndpoints",
    ),
    Limit(
        key="security-group",
        planned=_of_region(_GROUP),
        others=_found("ec2", "describe_security_groups", "SecurityGroups", "ec2:DescribeSecurityGroups", _GROUP),
        permission="ec2:DescribeSecurityGroups",
    ),
    Limit(key="eks-cluster", planned=_of_region(CLUSTER), others=_clusters, permission="eks:ListClusters"),
    Limit(key="interface-endpoint", planned=_by_input(_ENDPOINT, "vpcId", vpcEndpointType="Interface")),
    Limit(key="subnet", planned=_by_input(SUBNET, "vpcId")),
    Limit(key="route-table", planned=_by_input("aws:ec2/routeTable:RouteTable", "vpcId")),
    Limit(key="route", planned=_by_input("aws:ec2/route:Route", "routeTableId")),
    Limit(key="security-group-rule", planned=_rules),
    Limit(key="interface-security-group", planned=_interface_groups),
    Limit(key="eks-node-group", planned=_by_input(NODE_GROUP, "clusterName")),
    Limit(key="eks-node", planned=_nodes),
)

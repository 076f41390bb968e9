"""A network in which nodes have no way in, and as much of a way out as they are given."""

from collections.abc import Sequence
from dataclasses import dataclass

import pulumi
import pulumi_aws as aws

from gpufleet.facts import regions

from ..arguments import typed
from ..ordering import after
from . import cidrs, endpoint_policies, endpoint_services, flow_log, nat, tier

EGRESS = ("nat-per-zone", "single-nat", "none")
ENDPOINT_GROUP_DESCRIPTION = "HTTPS from the VPC to its endpoints"
"""Frozen: EC2 cannot edit a group's description, so a change of wording would replace the group."""
INTERNAL_LOAD_BALANCERS = {"kubernetes.io/role/internal-elb": "1"}
"""https://docs.aws.amazon.com/eks/latest/userguide/network-load-balancing.html"""


@dataclass(frozen=True, kw_only=True)
class PrivateNetworkArgs:
    """What a `PrivateNetwork` is made from."""

    account_id: str
    """The account, twelve digits: what passes the endpoints is limited to its principals."""
    region: str
    """The region of the provider that makes it."""
    cidr: str
    """The VPC's block, /16 to /20, from a private range; see `cidrs` for how it is divided."""
    zones: Sequence[str]
    """Availability zones by name, at least two, which EKS asks for."""
    egress: str = "nat-per-zone"
    """`nat-per-zone`; `single-nat`, cheaper, and lost with its zone; `none`, then endpoints carry everything."""
    endpoints: Sequence[str] = ()
    """Services reached by interface endpoints, by short name: `ecr.api`. S3 has its gateway endpoint always."""
    flow_log_key_arn: pulumi.Input[str]
    """The KMS key of the flow log; its policy must let CloudWatch Logs use it."""
    flow_log_retention_days: int = 90
    """Days, one of the periods CloudWatch Logs knows."""

    def __post_init__(self) -> None:
        if self.egress not in EGRESS:
            raise ValueError(f"egress: {self.egress!r} is not known; allowed are {', '.join(EGRESS)}")
        if regions.find(self.region) is None:
            raise ValueError(f"region: {self.region!r} is not an AWS region; write one like us-east-1")
        if strangers := [zone for zone in self.zones if cidrs.region_of(zone) != self.region]:
            raise ValueError(f"zones: {', '.join(strangers)} not in {self.region}; name zones of that region")
        if len(set(self.zones)) < 2:
            raise ValueError(
                f"zones: {list(self.zones)} is too few; EKS needs subnets in two zones, so name a second one"
            )
        cidrs.plan(self.cidr, self.zones)
        if "s3" in self.endpoints:
            raise ValueError(
                "endpoints: s3 is reached by the gateway endpoint, which is always there and free; leave it out"
            )
        if missing := endpoint_services.missing(self.egress, self.endpoints):
            raise ValueError(
                f"endpoints: with egress none, nodes cannot join without {', '.join(missing)}; "
                f"add them (nodes need {', '.join(endpoint_services.CLOSED_NETWORK)}) or choose an egress with NAT"
            )


class PrivateNetwork(pulumi.ComponentResource):
    """A VPC with, in each zone, a private subnet (nodes) and an intra subnet (control plane, endpoints; no way out).

    Creates: VPC with DNS; subnets, and a private route table a zone; NAT gateways as asked, with public subnets and
    an internet gateway only where there is NAT; the S3 gateway endpoint on every private and intra route table;
    interface endpoints; the default security group, emptied; a flow log of all traffic. Deliberately not: anything
    reachable from the internet, subnets that give out public addresses, network ACLs.
    """

    vpc_id: pulumi.Output[str]
    private_subnet_ids: pulumi.Output[dict[str, str]]
    """By zone; whoever takes them waits for routes and endpoints."""
    intra_subnet_ids: pulumi.Output[dict[str, str]]
    """By zone; whoever takes them waits for routes and endpoints."""
    private_route_table_ids: pulumi.Output[dict[str, str]]
    """By zone."""
    endpoint_security_group_id: pulumi.Output[str]
    s3_prefix_list_id: pulumi.Output[str]
    """The addresses of S3 in the region, for security group rules: they lie outside the VPC's block."""

    def __init__(self, name: str, args: PrivateNetworkArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("gpufleet:index:PrivateNetwork", name, None, opts)
        args = typed(args, PrivateNetworkArgs)
        child = pulumi.ResourceOptions(parent=self)
        blocks = cidrs.plan(args.cidr, args.zones)

        vpc = aws.ec2.Vpc(
            name,
            cidr_block=args.cidr,
            enable_dns_support=True,
            enable_dns_hostnames=True,
            tags={"Name": name},
            opts=child,
        )
        aws.ec2.DefaultSecurityGroup(f"{name}-default", vpc_id=vpc.id, tags={"Name": f"{name}-closed"}, opts=child)
        flow_log.build(name, vpc.id, _flow_log_destination(args), child)

        private = tier.build(
            f"{name}-private", vpc.id, blocks.private, child, table_per_zone=True, tags=INTERNAL_LOAD_BALANCERS
        )
        intra = tier.build(f"{name}-intra", vpc.id, blocks.intra, child)
        nat_zones = {"nat-per-zone": list(blocks.public), "single-nat": list(blocks.public)[:1], "none": []}[
            args.egress
        ]
        public_blocks = {zone: blocks.public[zone] for zone in nat_zones}
        ways_out = nat.build(name, vpc.id, public_blocks, private.tables, child) if public_blocks else []

        s3 = aws.ec2.VpcEndpoint(
            f"{name}-s3",
            vpc_id=vpc.id,
            service_name=f"com.amazonaws.{args.region}.s3",
            vpc_endpoint_type="Gateway",
            route_table_ids=[table.id for table in (*private.tables.values(), next(iter(intra.tables.values())))],
            policy=endpoint_policies.s3_policy(
                args.account_id, args.region, _partition(args.region), registries_reachable=args.egress != "none"
            ),
            tags={"Name": f"{name}-s3"},
            opts=child,
        )
        group, admission = _endpoint_group(name, vpc.id, args.cidr, child)
        services = [
            aws.ec2.VpcEndpoint(
                f"{name}-{service}",
                vpc_id=vpc.id,
                service_name=endpoint_services.service_name(service, args.region),
                vpc_endpoint_type="Interface",
                private_dns_enabled=True,
                subnet_ids=[subnet.id for subnet in intra.subnets.values()],
                security_group_ids=[group.id],
                policy=endpoint_policies.interface_policy(args.account_id),
                tags={"Name": f"{name}-{service}"},
                opts=child,
            )
            for service in sorted(set(args.endpoints))
        ]

        ready = [*private.associations, *intra.associations, *ways_out, s3, admission, *services]
        self.vpc_id = vpc.id
        self.private_subnet_ids = after(private.subnet_ids, *ready)
        self.intra_subnet_ids = after(intra.subnet_ids, *ready)
        self.private_route_table_ids = private.table_ids
        self.endpoint_security_group_id = group.id
        self.s3_prefix_list_id = s3.prefix_list_id
        self.register_outputs(
            {
                "vpcId": self.vpc_id,
                "privateSubnetIds": self.private_subnet_ids,
                "intraSubnetIds": self.intra_subnet_ids,
                "privateRouteTableIds": self.private_route_table_ids,
                "endpointSecurityGroupId": self.endpoint_security_group_id,
                "s3PrefixListId": self.s3_prefix_list_id,
            }
        )


def _partition(region: str) -> str:
    found = regions.find(region)
    return found.partition if found else "aws"


def _flow_log_destination(args: PrivateNetworkArgs) -> flow_log.FlowLogDestination:
    return flow_log.FlowLogDestination(
        account_id=args.account_id,
        region=args.region,
        partition=_partition(args.region),
        key_arn=args.flow_log_key_arn,
        retention_days=args.flow_log_retention_days,
    )


def _endpoint_group(
    name: str, vpc_id: pulumi.Input[str], cidr: str, child: pulumi.ResourceOptions
) -> tuple[aws.ec2.SecurityGroup, aws.vpc.SecurityGroupIngressRule]:
    """The group of the interface endpoints, and its one rule. It opens no connection itself, so it has no egress."""
    group = aws.ec2.SecurityGroup(
        f"{name}-endpoints",
        vpc_id=vpc_id,
        description=ENDPOINT_GROUP_DESCRIPTION,
        tags={"Name": f"{name}-endpoints"},
        opts=child,
    )
    rule = aws.vpc.SecurityGroupIngressRule(
        f"{name}-endpoints-https-from-vpc",
        security_group_id=group.id,
        ip_protocol="tcp",
        from_port=443,
        to_port=443,
        cidr_ipv4=cidr,
        description="HTTPS from the VPC",
        opts=child,
    )
    return group, rule

"""A network in which nodes have no way in, and as much of a way out as they are given."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pulumi
import pulumi_aws as aws

from gpufleet.facts import regions

from ..arguments import typed
from ..ordering import after
from . import cidrs, endpoint_policies, endpoint_services, endpoints, flow_log, nat, tier

EGRESS = ("nat-per-zone", "single-nat", "none")
INTERNAL_LOAD_BALANCERS = {"kubernetes.io/role/internal-elb": "1"}
"""https://docs.aws.amazon.com/eks/latest/userguide/network-load-balancing.html"""
POD_SUBNETS = {"kubernetes.io/role/cni": "1"}
"""By this the network plugin finds them: an interface that it adds to a node goes where most addresses are free.
https://docs.aws.amazon.com/eks/latest/userguide/cni-subnet-selection.html"""


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
    pod_cidr: str | None = None
    """A second block for pods, /16 to /18 inside 100.64.0.0/10; left out, pods take addresses of the nodes' subnets."""
    endpoints: Sequence[str] = ()
    """Services reached by endpoints, by short name: `ecr.api`. S3 has its gateway endpoint always."""
    s3_readable_buckets: Sequence[str] = ()
    """Buckets of other accounts in the region that may be read, by name or by the beginning of one and `*`; `*` alone
    for any. Without it, those of ECR, Amazon Linux and (with NAT) the public registries."""
    flow_log_key_arn: pulumi.Input[str]
    """The KMS key of the flow log; its policy must let CloudWatch Logs use it."""
    flow_log_retention_days: int = 90
    """Days, one of the periods CloudWatch Logs knows."""
    permissions_boundary_arn: pulumi.Input[str] | None = None
    """The policy that bounds the flow log's role, where the organisation asks for one."""

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
        cidrs.plan(self.cidr, self.zones, self.pod_cidr)
        endpoint_policies.check_readable(self.s3_readable_buckets)
        if "s3" in self.endpoints:
            raise ValueError(
                "endpoints: s3 is reached by the gateway endpoint, which is always there and free; leave it out"
            )
        if unknown := endpoint_services.unknown(self.endpoints):
            raise ValueError(
                "endpoints: no VPC has one for "
                + "; ".join(f"{service!r} ({instead})" for service, instead in unknown.items())
            )
        if missing := endpoint_services.missing(self.egress, self.endpoints):
            raise ValueError(
                f"endpoints: with egress none, nodes cannot join without {', '.join(missing)}; "
                f"add them (nodes need {', '.join(endpoint_services.CLOSED_NETWORK)}) or choose an egress with NAT"
            )


class PrivateNetwork(pulumi.ComponentResource):
    """A VPC with, in each zone, a private subnet (nodes) and an intra subnet (control plane, endpoints; no way out).

    Creates: VPC with DNS; subnets, and a private route table a zone; NAT gateways as asked, with public subnets and
    an internet gateway only where there is NAT; pod subnets as asked, which go out the way the nodes do; the S3 gateway
    endpoint on every private and intra route table; other endpoints; the default security group, emptied; a flow log of
    all traffic. Deliberately not: anything reachable from the internet, subnets that give out public addresses, network
    ACLs.
    """

    vpc_id: pulumi.Output[str]
    private_subnet_ids: pulumi.Output[dict[str, str]]
    """By zone; whoever takes them waits for routes and endpoints."""
    intra_subnet_ids: pulumi.Output[dict[str, str]]
    """By zone; whoever takes them waits for routes and endpoints."""
    pod_subnet_ids: pulumi.Output[dict[str, str]]
    """By zone; empty without `pod_cidr`."""
    private_route_table_ids: pulumi.Output[dict[str, str]]
    """By zone."""
    endpoint_security_group_id: pulumi.Output[str]
    s3_prefix_list_id: pulumi.Output[str]
    """The addresses of S3 in the region, for security group rules: they lie outside the VPC's block."""
    gateway_prefix_list_ids: pulumi.Output[dict[str, str]]
    """The same for every service with a gateway, by short name: `s3`, and `s3express` where asked for."""

    def __init__(self, name: str, args: PrivateNetworkArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("gpufleet:index:PrivateNetwork", name, None, opts)
        args = typed(args, PrivateNetworkArgs)
        child = pulumi.ResourceOptions(parent=self)
        blocks = cidrs.plan(args.cidr, args.zones, args.pod_cidr)

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
        pod = (
            _pod_tier(name, vpc.id, args.pod_cidr, blocks.pod, private.tables, child)
            if args.pod_cidr is not None
            else tier.NONE
        )
        nat_zones = {"nat-per-zone": list(blocks.public), "single-nat": list(blocks.public)[:1], "none": []}[
            args.egress
        ]
        public_blocks = {zone: blocks.public[zone] for zone in nat_zones}
        ways_out = nat.build(name, vpc.id, public_blocks, private.tables, child) if public_blocks else []

        made = endpoints.build(
            name,
            vpc.id,
            _endpoints(args),
            [*private.tables.values(), next(iter(intra.tables.values()))],
            list(intra.subnets.values()),
            child,
        )

        ready = [*private.associations, *intra.associations, *pod.associations, *ways_out, *made.ready]
        self.vpc_id = vpc.id
        self.private_subnet_ids = after(private.subnet_ids, *ready)
        self.intra_subnet_ids = after(intra.subnet_ids, *ready)
        self.pod_subnet_ids = after(pod.subnet_ids, *ready)
        self.private_route_table_ids = private.table_ids
        self.endpoint_security_group_id = made.group.id
        self.s3_prefix_list_id = made.gateways["s3"].prefix_list_id
        self.gateway_prefix_list_ids = pulumi.Output.all(
            **{service: gateway.prefix_list_id for service, gateway in made.gateways.items()}
        )
        self.register_outputs(
            {
                "vpcId": self.vpc_id,
                "privateSubnetIds": self.private_subnet_ids,
                "intraSubnetIds": self.intra_subnet_ids,
                "podSubnetIds": self.pod_subnet_ids,
                "privateRouteTableIds": self.private_route_table_ids,
                "endpointSecurityGroupId": self.endpoint_security_group_id,
                "s3PrefixListId": self.s3_prefix_list_id,
                "gatewayPrefixListIds": self.gateway_prefix_list_ids,
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
        permissions_boundary_arn=args.permissions_boundary_arn,
    )


def _endpoints(args: PrivateNetworkArgs) -> endpoints.Endpoints:
    return endpoints.Endpoints(
        account_id=args.account_id,
        region=args.region,
        partition=_partition(args.region),
        services=args.endpoints,
        clients={"vpc": args.cidr, **({"pods": args.pod_cidr} if args.pod_cidr is not None else {})},
        registries_reachable=args.egress != "none",
        readable_buckets=args.s3_readable_buckets,
    )


def _pod_tier(
    name: str,
    vpc_id: pulumi.Input[str],
    pod_cidr: str,
    blocks: Mapping[str, str],
    tables: Mapping[str, aws.ec2.RouteTable],
    child: pulumi.ResourceOptions,
) -> tier.Tier:
    """The VPC's second block, and in it a subnet a zone that goes out the way the zone's nodes do."""
    block = aws.ec2.VpcIpv4CidrBlockAssociation(f"{name}-pods", vpc_id=vpc_id, cidr_block=pod_cidr, opts=child)
    # EC2 refuses a subnet outside the blocks that the VPC already has.
    waiting = pulumi.ResourceOptions.merge(child, pulumi.ResourceOptions(depends_on=[block]))
    return tier.build(f"{name}-pod", vpc_id, blocks, waiting, tables=tables, tags=POD_SUBNETS)

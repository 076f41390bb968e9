"""The way out: NAT gateways, the public subnets that hold nothing else, and the default routes to them."""

from collections.abc import Mapping

import pulumi
import pulumi_aws as aws

from . import tier

_ANYWHERE = "0.0.0.0/0"


def build(
    name: str,
    vpc_id: pulumi.Input[str],
    public_blocks: Mapping[str, str],
    private_tables: Mapping[str, aws.ec2.RouteTable],
    child: pulumi.ResourceOptions,
) -> list[aws.ec2.Route]:
    """A NAT gateway in each zone of `public_blocks`; each private table goes out by its own zone's, else by the first.

    Returns the private default routes, for others to wait for.
    """
    gateway = aws.ec2.InternetGateway(name, vpc_id=vpc_id, tags={"Name": name}, opts=child)
    public = tier.build(f"{name}-public", vpc_id, public_blocks, child)
    way_in = aws.ec2.Route(
        f"{name}-public",
        route_table_id=next(iter(public.tables.values())).id,
        destination_cidr_block=_ANYWHERE,
        gateway_id=gateway.id,
        opts=child,
    )
    nats = {zone: _gateway(f"{name}-nat-{zone}", subnet, way_in, child) for zone, subnet in public.subnets.items()}
    shared = next(iter(nats.values()))
    return [
        aws.ec2.Route(
            f"{name}-private-{zone}",
            route_table_id=table.id,
            destination_cidr_block=_ANYWHERE,
            nat_gateway_id=nats.get(zone, shared).id,
            opts=child,
        )
        for zone, table in private_tables.items()
    ]


def _gateway(
    name: str, subnet: aws.ec2.Subnet, way_in: aws.ec2.Route, child: pulumi.ResourceOptions
) -> aws.ec2.NatGateway:
    address = aws.ec2.Eip(name, domain="vpc", tags={"Name": name}, opts=child)
    return aws.ec2.NatGateway(
        name,
        subnet_id=subnet.id,
        allocation_id=address.allocation_id,
        tags={"Name": name},
        # EC2 refuses to attach the address before the internet gateway and its route are there.
        opts=pulumi.ResourceOptions.merge(child, pulumi.ResourceOptions(depends_on=[way_in])),
    )

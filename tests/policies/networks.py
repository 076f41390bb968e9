"""A small VPC for the rules that follow references through it."""

from dataclasses import dataclass

import pulumi
import pulumi_aws as aws


@dataclass(frozen=True)
class Network:
    """A VPC with one public and one private subnet."""

    vpc: aws.ec2.Vpc
    public: aws.ec2.Subnet
    private: aws.ec2.Subnet
    private_table: aws.ec2.RouteTable


def network(*, inline_routes: bool = False) -> Network:
    """Build it; the public subnet's route is inline or a resource of its own."""
    vpc = aws.ec2.Vpc("vpc", cidr_block="10.0.0.0/16")
    gateway = aws.ec2.InternetGateway("gateway", vpc_id=vpc.id)
    to_internet = [aws.ec2.RouteTableRouteArgs(cidr_block="0.0.0.0/0", gateway_id=gateway.id)]
    public_table = aws.ec2.RouteTable("public", vpc_id=vpc.id, routes=to_internet if inline_routes else None)
    if not inline_routes:
        aws.ec2.Route("out", route_table_id=public_table.id, destination_cidr_block="0.0.0.0/0", gateway_id=gateway.id)
    private_table = aws.ec2.RouteTable("private", vpc_id=vpc.id)
    public = _subnet("public", vpc, "10.0.0.0/24", public_table.id)
    private = _subnet("private", vpc, "10.0.1.0/24", private_table.id)
    return Network(vpc, public, private, private_table)


def _subnet(name: str, vpc: aws.ec2.Vpc, cidr: str, table: pulumi.Output[str]) -> aws.ec2.Subnet:
    subnet = aws.ec2.Subnet(name, vpc_id=vpc.id, cidr_block=cidr)
    aws.ec2.RouteTableAssociation(name, subnet_id=subnet.id, route_table_id=table)
    return subnet

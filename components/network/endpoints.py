"""The endpoints of a VPC: gateways on its route tables, interfaces in its intra subnets behind a group of their own."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pulumi
import pulumi_aws as aws

from gpufleet.facts import endpoints

from . import endpoint_policies

GROUP_DESCRIPTION = "HTTPS from the VPC to its endpoints"
"""Frozen: EC2 cannot edit a group's description, so a change of wording would replace the group."""


@dataclass(frozen=True, kw_only=True)
class Endpoints:
    """What is to be reached, by whom."""

    account_id: str
    region: str
    partition: str
    services: Sequence[str]
    """By short name; S3's gateway is there without being named."""
    clients: Mapping[str, str]
    """The VPC's blocks, by a word for what lies in them; the first is the VPC's own."""
    registries_reachable: bool
    readable_buckets: Sequence[str]


@dataclass(frozen=True)
class Made:
    """The endpoints, and what stands when they do."""

    group: aws.ec2.SecurityGroup
    gateways: Mapping[str, aws.ec2.VpcEndpoint]
    """By short service name, `s3` among them."""
    ready: tuple[pulumi.Resource, ...]


def build(
    name: str,
    vpc_id: pulumi.Input[str],
    to: Endpoints,
    tables: Sequence[aws.ec2.RouteTable],
    subnets: Sequence[aws.ec2.Subnet],
    child: pulumi.ResourceOptions,
) -> Made:
    """Each endpoint `{name}-{service}`; gateways on all of `tables`, interfaces in all of `subnets`."""
    gateways = {
        service: aws.ec2.VpcEndpoint(
            f"{name}-{service}",
            vpc_id=vpc_id,
            service_name=endpoints.service_name(service, to.region),
            vpc_endpoint_type="Gateway",
            route_table_ids=[table.id for table in tables],
            policy=_gateway_policy(service, to),
            tags={"Name": f"{name}-{service}"},
            opts=child,
        )
        for service in sorted({"s3", *(s for s in to.services if endpoints.kind(s) == "Gateway")})
    }
    group, admissions = _group(name, vpc_id, to.clients, child)
    interfaces = [
        aws.ec2.VpcEndpoint(
            f"{name}-{service}",
            vpc_id=vpc_id,
            service_name=endpoints.service_name(service, to.region),
            vpc_endpoint_type="Interface",
            private_dns_enabled=True,
            subnet_ids=[subnet.id for subnet in subnets],
            security_group_ids=[group.id],
            policy=endpoint_policies.interface_policy(to.account_id),
            tags={"Name": f"{name}-{service}"},
            opts=child,
        )
        for service in sorted(set(to.services) - set(gateways))
    ]
    return Made(group, gateways, (*gateways.values(), *admissions, *interfaces))


def _gateway_policy(service: str, to: Endpoints) -> pulumi.Output[str]:
    if service != "s3":
        return endpoint_policies.storage_policy(to.account_id)
    return endpoint_policies.s3_policy(
        to.account_id,
        to.region,
        to.partition,
        registries_reachable=to.registries_reachable,
        readable=to.readable_buckets,
    )


def _group(
    name: str, vpc_id: pulumi.Input[str], clients: Mapping[str, str], child: pulumi.ResourceOptions
) -> tuple[aws.ec2.SecurityGroup, list[aws.vpc.SecurityGroupIngressRule]]:
    """The group of the interfaces, and a rule for each block of clients. It opens no connection itself, so it has no
    egress."""
    group = aws.ec2.SecurityGroup(
        f"{name}-endpoints",
        vpc_id=vpc_id,
        description=GROUP_DESCRIPTION,
        tags={"Name": f"{name}-endpoints"},
        opts=child,
    )
    rules = [
        aws.vpc.SecurityGroupIngressRule(
            f"{name}-endpoints-https-from-{who}",
            security_group_id=group.id,
            ip_protocol="tcp",
            from_port=443,
            to_port=443,
            cidr_ipv4=cidr,
            description=f"HTTPS from {'the VPC' if who == 'vpc' else who}",
            opts=child,
        )
        for who, cidr in clients.items()
    ]
    return group, rules

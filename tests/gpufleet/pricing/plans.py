"""Builds resources of a plan document by hand, in wire form, for the pricing tests."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from gpufleet.pricing import Cost, price

TODAY = date(2026, 11, 30)

PROVIDER = "urn:pulumi:dev::shop::pulumi:providers:aws::us-east-1"
STACK = "urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev"

CLUSTER = "aws:eks/cluster:Cluster"
NODE_GROUP = "aws:eks/nodeGroup:NodeGroup"
TEMPLATE = "aws:ec2/launchTemplate:LaunchTemplate"
GROUP = "aws:autoscaling/group:Group"
INSTANCE = "aws:ec2/instance:Instance"
NAT = "aws:ec2/natGateway:NatGateway"
ENDPOINT = "aws:ec2/vpcEndpoint:VpcEndpoint"
KEY = "aws:kms/key:Key"
VOLUME = "aws:ebs/volume:Volume"
LUSTRE = "aws:fsx/lustreFileSystem:LustreFileSystem"


def urn(type_: str, name: str) -> str:
    return f"urn:pulumi:dev::shop::{type_}::{name}"


def provider(region: object = "us-east-1") -> dict[str, Any]:
    return {
        "urn": PROVIDER,
        "type": "pulumi:providers:aws",
        "name": "us-east-1",
        "parent": STACK,
        "provider": "",
        "inputs": {"region": region},
        "id": "provider-id",
        "outputs": {},
    }


def component(name: str, parent: str = STACK) -> dict[str, Any]:
    type_ = "gpufleet:index:Thing"
    return {"urn": urn(type_, name), "type": type_, "name": name, "parent": parent, "inputs": {}, "id": None}


def resource(
    type_: str, name: str, inputs: Mapping[str, Any] | None = None, *, id_: str = "", parent: str = STACK
) -> dict[str, Any]:
    return {
        "urn": urn(type_, name),
        "type": type_,
        "name": name,
        "parent": parent,
        "provider": f"{PROVIDER}::provider-id",
        "inputs": dict(inputs or {}),
        "id": id_ or f"{name}-id",
        "outputs": {},
    }


def pool(name: str, types: list[Any], minimum: Any, maximum: Any, **inputs: Any) -> dict[str, Any]:
    """A managed node group whose launch template is `lt`."""
    return resource(
        NODE_GROUP,
        name,
        {
            "instanceTypes": types,
            "scalingConfig": {"minSize": minimum, "maxSize": maximum, "desiredSize": minimum},
            "launchTemplate": {"id": "lt-id", "version": "1"},
            **inputs,
        },
    )


def template(name: str = "lt", *, gib: int = 200, **inputs: Any) -> dict[str, Any]:
    mapping = {"deviceName": "/dev/xvda", "ebs": {"volumeSize": gib, "volumeType": "gp3", "encrypted": "true"}}
    return resource(TEMPLATE, name, {"blockDeviceMappings": [mapping], **inputs})


def bill(*resources: Mapping[str, Any], today: date = TODAY) -> Cost:
    """Prices the resources, with a provider of us-east-1 beside them."""
    return price([provider(), *resources], today=today)


def hourly(cost: Cost) -> tuple[float, float]:
    """Floor and ceiling in USD per hour."""
    return float(cost.hourly_minimum), float(cost.hourly_maximum)


def reasons(cost: Cost) -> list[str]:
    return [gap.reason for gap in cost.unpriced]

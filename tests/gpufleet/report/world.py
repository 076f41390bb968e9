"""Small Pulumi programs, and the plan and the estate that come of them."""

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import pulumi
import pulumi_aws as aws

from gpufleet import pricing
from gpufleet.plan.planning import Plan, as_document
from gpufleet.plan.police import Violation
from gpufleet.plan.project import Project
from gpufleet.report.estate import Estate, entries
from tests.harness import record

TODAY = date(2026, 11, 30)
NASTY = "<script>alert(1)</script>"


def plan_of(build: Callable[[], object], violations: Sequence[Violation] = (), rules: int = 3) -> Plan:
    before, after = (record(build, preview=preview).run for preview in (True, False))
    project = Project(
        directory=Path(), name="project", main="", stack="stack", config={}, secret_keys=(), source="here"
    )
    return Plan(
        project=project,
        preview=before,
        update=after,
        violations=tuple(violations),
        rules=rules,
        cost=pricing.price([as_document(resource, None) for resource in after.resources], today=TODAY),
        seconds={},
    )


def estate_of(build: Callable[[], object]) -> Estate:
    return Estate(entries(record(build).resources))


def policy(*statements: Mapping[str, object]) -> str:
    return json.dumps({"Version": "2012-10-17", "Statement": list(statements)})


class Box(pulumi.ComponentResource):
    """A component to put things in."""

    def __init__(self, name: str) -> None:
        super().__init__("test:index:Box", name)
        self.register_outputs({})


def network() -> None:
    """One zone with a NAT gateway, one without; a GPU group over both, a control plane in a closed subnet."""
    vpc = aws.ec2.Vpc("net", cidr_block="10.0.0.0/16", region="eu-west-1")
    gateway = aws.ec2.InternetGateway("door", vpc_id=vpc.id)
    outside = aws.ec2.RouteTable("outside", vpc_id=vpc.id)
    aws.ec2.Route("outside", route_table_id=outside.id, destination_cidr_block="0.0.0.0/0", gateway_id=gateway.id)
    public = _subnet("public-a", vpc, "eu-west-1a", "10.0.0.0/24", outside)
    nat = aws.ec2.NatGateway("nat", subnet_id=public.id, allocation_id=aws.ec2.Eip("nat", domain="vpc").id)
    inside = aws.ec2.RouteTable("inside", vpc_id=vpc.id, routes=[{"cidr_block": "0.0.0.0/0", "nat_gateway_id": nat.id}])
    workers = [
        _subnet(f"private-{zone[-1]}", vpc, zone, f"10.0.{number}.0/24", inside)
        for number, zone in enumerate(("eu-west-1a", "eu-west-1b"), start=1)
    ]
    closed = aws.ec2.Subnet("closed-a", vpc_id=vpc.id, availability_zone="eu-west-1a", cidr_block="10.0.9.0/24")
    cluster = aws.eks.Cluster(
        "brain",
        name="brain",
        role_arn="arn:aws:iam::111122223333:role/brain",
        version="1.35",
        vpc_config={"subnet_ids": [closed.id], "endpoint_public_access": False, "endpoint_private_access": True},
    )
    aws.eks.NodeGroup(
        "muscle",
        cluster_name=cluster.name,
        node_role_arn="arn:aws:iam::111122223333:role/muscle",
        subnet_ids=[subnet.id for subnet in workers],
        instance_types=["g6.2xlarge"],
        capacity_type="SPOT",
        scaling_config={"min_size": 0, "max_size": 4, "desired_size": 0},
        region="eu-west-1",
    )
    aws.s3.Bucket("data", region="eu-west-1")


def _subnet(name: str, vpc: aws.ec2.Vpc, zone: str, cidr: str, table: aws.ec2.RouteTable) -> aws.ec2.Subnet:
    subnet = aws.ec2.Subnet(name, vpc_id=vpc.id, availability_zone=zone, cidr_block=cidr)
    aws.ec2.RouteTableAssociation(name, subnet_id=subnet.id, route_table_id=table.id)
    return subnet


def node_pool(zones: list[str], name: str = "train") -> dict[str, Any]:
    """One of Karpenter's, as a plan's document has it."""
    requirements = [
        {"key": "topology.kubernetes.io/zone", "operator": "In", "values": zones},
        {"key": "node.kubernetes.io/instance-type", "operator": "In", "values": ["p5.48xlarge"]},
        {"key": "karpenter.sh/capacity-type", "operator": "In", "values": ["spot", "on-demand"]},
    ]
    spec = {"limits": {"nvidia.com/gpu": "32"}, "template": {"spec": {"requirements": requirements}}}
    return {
        "urn": f"urn:pulumi:s::p::kubernetes:karpenter.sh/v1:NodePool::{name}",
        "type": "kubernetes:karpenter.sh/v1:NodePool",
        "name": name,
        "parent": "",
        "provider": "",
        "protect": False,
        "inputs": {"metadata": {"name": name}, "spec": spec},
        "id": name,
        "outputs": {},
    }

"""What may talk to the nodes of a cluster, and to whom they may talk."""

from dataclasses import dataclass

import pulumi
import pulumi_aws as aws

NODE_GROUP_DESCRIPTION = "Nodes of the cluster"
"""Frozen: EC2 cannot edit a group's description, so a change of wording would replace the group under live nodes."""

_ANY = "-1"


@dataclass(frozen=True, kw_only=True)
class Reach:
    """The groups and addresses that the rules are about."""

    nodes: pulumi.Input[str]
    """Security group of the nodes."""
    cluster: pulumi.Input[str]
    """Security group that EKS makes for the control plane."""
    vpc_cidr: str
    internet: bool
    """Whether nodes may open HTTPS connections to anywhere; where they go is then the route table's business."""
    s3_prefix_list_id: pulumi.Input[str] | None
    """S3's addresses, which a gateway endpoint reaches although they lie outside the VPC; needed where internet is
    false."""


@dataclass(frozen=True, kw_only=True)
class _Rule:
    group: pulumi.Input[str]
    description: str
    protocol: str = "tcp"
    port: int | None = None
    peer: pulumi.Input[str] | None = None
    cidr: str | None = None
    prefix_list: pulumi.Input[str] | None = None


def ingress(reach: Reach) -> dict[str, _Rule]:
    """Rules by a name made from what they admit: putting one in between leaves the others where they are."""
    rules = {
        "nodes-from-nodes-all": _Rule(
            group=reach.nodes,
            peer=reach.nodes,
            protocol=_ANY,
            description="Nodes and pods among themselves, EFA included",
        ),
        "nodes-from-cluster-10250": _Rule(
            group=reach.nodes, peer=reach.cluster, port=10250, description="Control plane to the kubelets"
        ),
        "cluster-from-nodes-443": _Rule(
            group=reach.cluster, peer=reach.nodes, port=443, description="Nodes to the API"
        ),
    }
    for port in (443, 8443, 9443):
        rules[f"nodes-from-cluster-{port}"] = _Rule(
            group=reach.nodes, peer=reach.cluster, port=port, description="Control plane to webhooks and API extensions"
        )
    return rules


def egress(reach: Reach) -> dict[str, _Rule]:
    """As `ingress`. EFA needs the rule between nodes in this direction as well; an open rule to addresses does not
    do."""
    rules = {
        "nodes-to-nodes-all": _Rule(
            group=reach.nodes,
            peer=reach.nodes,
            protocol=_ANY,
            description="Nodes and pods among themselves, EFA included",
        ),
        "nodes-to-cluster-443": _Rule(group=reach.nodes, peer=reach.cluster, port=443, description="Nodes to the API"),
        "nodes-to-vpc-443": _Rule(
            group=reach.nodes, cidr=reach.vpc_cidr, port=443, description="Nodes to VPC endpoints"
        ),
    }
    for protocol in ("tcp", "udp"):
        rules[f"nodes-to-vpc-dns-{protocol}"] = _Rule(
            group=reach.nodes, cidr=reach.vpc_cidr, port=53, protocol=protocol, description="Nodes to DNS"
        )
    if reach.internet:
        rules["nodes-to-anywhere-443"] = _Rule(
            group=reach.nodes, cidr="0.0.0.0/0", port=443, description="Nodes to registries and services, by HTTPS only"
        )
    elif reach.s3_prefix_list_id is not None:
        rules["nodes-to-s3-443"] = _Rule(
            group=reach.nodes, prefix_list=reach.s3_prefix_list_id, port=443, description="Nodes to S3 by its endpoint"
        )
    return rules


def build(name: str, reach: Reach, child: pulumi.ResourceOptions) -> list[pulumi.Resource]:
    """Every rule as a resource of its own, named `{name}-{rule}`: inline rules would undo those that others add."""
    made: list[pulumi.Resource] = []
    for role, rule in ingress(reach).items():
        made.append(
            aws.vpc.SecurityGroupIngressRule(
                f"{name}-{role}",
                security_group_id=rule.group,
                ip_protocol=rule.protocol,
                from_port=rule.port,
                to_port=rule.port,
                referenced_security_group_id=rule.peer,
                description=rule.description,
                opts=child,
            )
        )
    for role, rule in egress(reach).items():
        made.append(
            aws.vpc.SecurityGroupEgressRule(
                f"{name}-{role}",
                security_group_id=rule.group,
                ip_protocol=rule.protocol,
                from_port=rule.port,
                to_port=rule.port,
                referenced_security_group_id=rule.peer,
                cidr_ipv4=rule.cidr,
                prefix_list_id=rule.prefix_list,
                description=rule.description,
                opts=child,
            )
        )
    return made

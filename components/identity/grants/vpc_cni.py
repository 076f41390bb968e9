"""For the VPC CNI, scoped down to the interfaces of its own cluster and VPC.

The plugin tags each interface with the cluster's name, the first one of a node too; EKS gives its add-on the name.
IPv4 only. https://github.com/aws/amazon-vpc-cni-k8s/blob/master/docs/iam-policy.md
"""

import pulumi

from ..statements import Statement, joined
from .place import Place

_TAG = "cluster.k8s.amazonaws.com/name"
_ANY = "interfaces come and go with nodes and pods"


def statements(place: Place, cluster_name: str, vpc_id: pulumi.Input[str]) -> list[Statement]:
    """Make, fill and remove the interfaces of nodes, whose addresses the pods get."""
    interfaces = place.arn("ec2", "network-interface/*")
    groups = place.arn("ec2", "security-group/*")
    in_vpc = {"ArnEquals": {"ec2:Vpc": joined(place.arn("ec2", "vpc/"), vpc_id)}}
    return [
        Statement(
            sid="DescribeNetwork",
            actions=[
                "ec2:DescribeInstanceTypes",
                "ec2:DescribeInstances",
                "ec2:DescribeNetworkInterfaces",
                "ec2:DescribeSecurityGroups",
                "ec2:DescribeSubnets",
                "ec2:DescribeTags",
            ],
            resources=["*"],
            because="describing takes no resource",
        ),
        Statement(
            sid="CreateAndTagOwnInterfaces",
            actions=["ec2:CreateNetworkInterface", "ec2:CreateTags"],
            resources=[interfaces],
            conditions={"StringEquals": {f"aws:RequestTag/{_TAG}": cluster_name}},
            because=_ANY,
        ),
        Statement(
            sid="CreateInterfacesInOwnVpc",
            actions=["ec2:CreateNetworkInterface"],
            resources=[groups, place.arn("ec2", "subnet/*")],
            conditions=in_vpc,
            because="all groups and subnets of the VPC, which the condition names",
        ),
        Statement(
            sid="ManageOwnInterfaces",
            actions=[
                "ec2:AssignPrivateIpAddresses",
                "ec2:AttachNetworkInterface",
                "ec2:CreateTags",
                "ec2:DeleteNetworkInterface",
                "ec2:DetachNetworkInterface",
                "ec2:ModifyNetworkInterfaceAttribute",
                "ec2:UnassignPrivateIpAddresses",
            ],
            resources=[interfaces],
            conditions={"StringEquals": {f"aws:ResourceTag/{_TAG}": cluster_name}},
            because=_ANY,
        ),
        Statement(
            sid="AttachToOwnNodes",
            actions=["ec2:AttachNetworkInterface", "ec2:DetachNetworkInterface", "ec2:ModifyNetworkInterfaceAttribute"],
            resources=[place.arn("ec2", "instance/*")],
            conditions={"StringEquals": {f"aws:ResourceTag/kubernetes.io/cluster/{cluster_name}": "owned"}},
            because="nodes come and go; the tag of the cluster limits them",
        ),
        Statement(
            sid="GiveGroupsOfOwnVpc",
            actions=["ec2:ModifyNetworkInterfaceAttribute"],
            resources=[groups],
            conditions=in_vpc,
            because="all groups of the VPC, which the condition names",
        ),
    ]

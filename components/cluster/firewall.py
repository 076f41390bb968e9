"""What may talk to the nodes and the control plane of a cluster, and to whom they may talk."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import pulumi
import pulumi_aws as aws

from ..network import rules
from ..network.rules import ANY_PROTOCOL, Rule

NODE_GROUP_DESCRIPTION = "Nodes of the cluster"
"""Frozen: EC2 cannot edit a group's description, so a change of wording would replace the group under live nodes."""
CONTROL_PLANE_GROUP_DESCRIPTION = "Control plane of the cluster"
"""Frozen as well."""

_KUBELET = 10250
_EXTENSIONS = (443, 8443, 9443)
"""On these, webhooks and API extensions listen as their charts come."""


@dataclass(frozen=True, kw_only=True)
class Reach:
    """The groups and addresses that the rules are about."""

    nodes: pulumi.Input[str]
    """Security group of the nodes."""
    control_plane: pulumi.Input[str]
    """Our own group for the interfaces of the control plane (`control_plane_group`), which they carry beside the one
    that EKS makes; the rules are about this group, and EKS's is left alone."""
    vpc_cidr: str
    internet: bool
    """Whether nodes may open HTTPS connections to anywhere; where they go is then the route table's business."""
    s3_prefix_list_id: pulumi.Input[str] | None
    """S3's addresses, which a gateway endpoint reaches although they lie outside the VPC; needed where internet is
    false."""
    gateway_prefix_list_ids: Mapping[str, pulumi.Input[str]] = field(default_factory=dict[str, pulumi.Input[str]])
    """The same for the other services that have a gateway, by short name: `s3express`."""


def ingress(reach: Reach) -> dict[str, Rule]:
    """Rules by a name made from what they admit: putting one in between leaves the others where they are."""
    cluster = reach.control_plane
    found = {
        "nodes-from-nodes-all": Rule(
            group=reach.nodes,
            peer=reach.nodes,
            protocol=ANY_PROTOCOL,
            description="Nodes and pods among themselves, EFA included",
        ),
        f"nodes-from-cluster-{_KUBELET}": Rule(
            group=reach.nodes, peer=cluster, port=_KUBELET, description="Control plane to the kubelets"
        ),
        "cluster-from-nodes-443": Rule(group=cluster, peer=reach.nodes, port=443, description="Nodes to the API"),
    }
    for port in _EXTENSIONS:
        found[f"nodes-from-cluster-{port}"] = Rule(
            group=reach.nodes, peer=cluster, port=port, description="Control plane to webhooks and API extensions"
        )
    return found


def egress(reach: Reach) -> dict[str, Rule]:
    """As `ingress`. EFA needs the rule between nodes in this direction as well; an open rule to addresses does not
    do."""
    found = {
        "nodes-to-nodes-all": Rule(
            group=reach.nodes,
            peer=reach.nodes,
            protocol=ANY_PROTOCOL,
            description="Nodes and pods among themselves, EFA included",
        ),
        "nodes-to-cluster-443": Rule(
            group=reach.nodes, peer=reach.control_plane, port=443, description="Nodes to the API"
        ),
        "nodes-to-vpc-443": Rule(
            group=reach.nodes, cidr=reach.vpc_cidr, port=443, description="Nodes to VPC endpoints"
        ),
    }
    for protocol in ("tcp", "udp"):
        found[f"nodes-to-vpc-dns-{protocol}"] = Rule(
            group=reach.nodes, cidr=reach.vpc_cidr, port=53, protocol=protocol, description="Nodes to DNS"
        )
    return found | _beyond_the_vpc(reach) | _control_plane_egress(reach)


def control_plane_group(name: str, vpc_id: pulumi.Input[str], child: pulumi.ResourceOptions) -> aws.ec2.SecurityGroup:
    """The group `{name}-control-plane`, for the cluster's `security_group_ids`; `build` gives it its rules.

    It has no cluster tag: the load balancer controller wants exactly one tagged group on a node, and this is none of a
    node's.
    """
    return aws.ec2.SecurityGroup(
        f"{name}-control-plane",
        vpc_id=vpc_id,
        description=CONTROL_PLANE_GROUP_DESCRIPTION,
        tags={"Name": f"{name}-control-plane"},
        opts=child,
    )


def build(name: str, reach: Reach, child: pulumi.ResourceOptions) -> list[pulumi.Resource]:
    """Every rule as a resource of its own, named `{name}-{rule}`."""
    return [*rules.ingress(name, ingress(reach), child), *rules.egress(name, egress(reach), child)]


def _beyond_the_vpc(reach: Reach) -> dict[str, Rule]:
    """Nothing unless it is asked for: HTTPS to anywhere, else the services that have a gateway."""
    if reach.internet:
        return {
            "nodes-to-anywhere-443": Rule(
                group=reach.nodes,
                cidr="0.0.0.0/0",
                port=443,
                description="Nodes to registries and services, by HTTPS only",
            )
        }
    s3 = {} if reach.s3_prefix_list_id is None else {"s3": reach.s3_prefix_list_id}
    return {
        f"nodes-to-{service}-443": Rule(
            group=reach.nodes,
            prefix_list=prefix_list,
            port=443,
            description=f"Nodes to {'S3' if service == 's3' else service} by its endpoint",
        )
        for service, prefix_list in {**reach.gateway_prefix_list_ids, **s3}.items()
    }


def _control_plane_egress(reach: Reach) -> dict[str, Rule]:
    return {
        f"cluster-to-nodes-{port}": Rule(
            group=reach.control_plane,
            peer=reach.nodes,
            port=port,
            description="To the kubelets" if port == _KUBELET else "To webhooks and API extensions",
        )
        for port in (_KUBELET, *_EXTENSIONS)
    }

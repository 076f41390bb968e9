"""The parts of an EKS control plane: its log group, its role, and what it is set to."""

from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import IPv4Network

import pulumi
import pulumi_aws as aws

from ..identity.statements import trust

LOG_TYPES = ("api", "audit", "authenticator", "controllerManager", "scheduler")
"""All there are. https://docs.aws.amazon.com/eks/latest/userguide/control-plane-logs.html"""

SERVICE_CIDRS = ("172.20.0.0/16", "10.100.0.0/16")
"""What EKS itself chooses from. https://docs.aws.amazon.com/eks/latest/APIReference/API_KubernetesNetworkConfigRequest.html"""
_TEN = IPv4Network("10.0.0.0/8")


def service_cidr(vpc_cidr: str) -> str:
    """The block for Services that EKS would choose beside the VPC; chosen here, so that nodes can be told."""
    beside_ten, other = SERVICE_CIDRS
    return beside_ten if IPv4Network(vpc_cidr).overlaps(_TEN) else other


@dataclass(frozen=True, kw_only=True)
class ControlPlane:
    """What a control plane is set to; the fields mean what they mean in `GpuClusterArgs`."""

    cluster_name: str
    account_id: str
    region: str
    partition: str
    kubernetes_version: str
    subnet_ids: pulumi.Input[Sequence[pulumi.Input[str]]]
    service_cidr: str
    """Of the addresses of Services; decided for good."""
    security_group_id: pulumi.Input[str]
    """Of the control plane's interfaces, beside the one that EKS makes."""
    api_public_cidrs: Sequence[str]
    secrets_key_arn: pulumi.Input[str]
    log_key_arn: pulumi.Input[str]
    log_retention_days: int
    deletion_protected: bool
    permissions_boundary_arn: pulumi.Input[str] | None


def build(name: str, plane: ControlPlane, child: pulumi.ResourceOptions) -> aws.eks.Cluster:
    """The cluster, after its log group (else EKS makes one, unencrypted and kept for ever) and its role's policy."""
    logs = aws.cloudwatch.LogGroup(
        f"{name}-logs",
        name=f"/aws/eks/{plane.cluster_name}/cluster",
        retention_in_days=plane.log_retention_days,
        kms_key_id=plane.log_key_arn,
        opts=child,
    )
    role = aws.iam.Role(
        f"{name}-control-plane",
        assume_role_policy=trust(
            "eks.amazonaws.com",
            conditions={
                "StringEquals": {"aws:SourceAccount": plane.account_id},
                "ArnLike": {"aws:SourceArn": f"arn:{plane.partition}:eks:{plane.region}:{plane.account_id}:cluster/*"},
            },
        ),
        permissions_boundary=plane.permissions_boundary_arn,
        opts=child,
    )
    attachment = aws.iam.RolePolicyAttachment(
        f"{name}-control-plane",
        role=role.name,
        policy_arn=f"arn:{plane.partition}:iam::aws:policy/AmazonEKSClusterPolicy",
        opts=child,
    )
    return aws.eks.Cluster(
        name,
        settings(plane, role.arn),
        pulumi.ResourceOptions.merge(child, pulumi.ResourceOptions(depends_on=[logs, attachment])),
    )


def settings(plane: ControlPlane, role_arn: pulumi.Input[str]) -> aws.eks.ClusterArgs:
    """Everything that EKS would otherwise set to its own, more open, default."""
    return aws.eks.ClusterArgs(
        name=plane.cluster_name,
        version=plane.kubernetes_version,
        role_arn=role_arn,
        vpc_config=aws.eks.ClusterVpcConfigArgs(
            subnet_ids=plane.subnet_ids,
            security_group_ids=[plane.security_group_id],
            # Always on: nodes would otherwise reach the API through NAT, whose address no list of offices holds.
            endpoint_private_access=True,
            endpoint_public_access=bool(plane.api_public_cidrs),
            public_access_cidrs=sorted(set(plane.api_public_cidrs)) or None,
        ),
        kubernetes_network_config=aws.eks.ClusterKubernetesNetworkConfigArgs(service_ipv4_cidr=plane.service_cidr),
        access_config=aws.eks.ClusterAccessConfigArgs(
            authentication_mode="API", bootstrap_cluster_creator_admin_permissions=False
        ),
        encryption_config=aws.eks.ClusterEncryptionConfigArgs(
            provider=aws.eks.ClusterEncryptionConfigProviderArgs(key_arn=plane.secrets_key_arn), resources=["secrets"]
        ),
        enabled_cluster_log_types=list(LOG_TYPES),
        upgrade_policy=aws.eks.ClusterUpgradePolicyArgs(support_type="STANDARD"),
        zonal_shift_config=aws.eks.ClusterZonalShiftConfigArgs(enabled=True),
        deletion_protection=plane.deletion_protected,
        bootstrap_self_managed_addons=False,
    )

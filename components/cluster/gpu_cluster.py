"""The control plane of a private EKS cluster, ready for nodes."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from ipaddress import IPv4Network

import pulumi
import pulumi_aws as aws

from ..arguments import typed
from ..ordering import after
from . import access, addons, control_plane, firewall

_NAME = re.compile(r"[0-9A-Za-z][0-9A-Za-z_-]{0,99}")
"""https://docs.aws.amazon.com/eks/latest/APIReference/API_CreateCluster.html"""


@dataclass(frozen=True, kw_only=True)
class GpuClusterArgs:
    """What a `GpuCluster` is made from."""

    cluster_name: str
    """Fixed, since its log group, its tags and every kubeconfig name it; at most 100 characters."""
    account_id: str
    region: str
    partition: str
    kubernetes_version: str
    """Minor version, `1.35`."""
    vpc_id: pulumi.Input[str]
    vpc_cidr: str
    subnet_ids: pulumi.Input[Sequence[pulumi.Input[str]]]
    """For the interfaces of the control plane, in at least two zones."""
    secrets_key_arn: pulumi.Input[str]
    """Cannot be taken away again: EKS never goes back to its own key."""
    log_key_arn: pulumi.Input[str]
    api_public_cidrs: Sequence[str] = ()
    """Who reaches the API over the internet; empty, nobody. From inside the VPC it is always reached."""
    admin_principal_arns: Sequence[str] = ()
    """Roles and users with every right in the cluster; whoever creates it has none by that."""
    log_retention_days: int = 365
    deletion_protected: bool = True
    """Whether EKS refuses to delete it; take that off in an update of its own before a destroy."""
    internet_egress: bool = True
    """Whether nodes may open HTTPS connections beyond the VPC."""
    s3_prefix_list_id: pulumi.Input[str] | None = None
    """From the network; needed where `internet_egress` is false, or no image layer arrives."""
    gateway_prefix_list_ids: Mapping[str, pulumi.Input[str]] = field(default_factory=dict[str, pulumi.Input[str]])
    """The same for other services with a gateway, by short name: `s3express`."""
    permissions_boundary_arn: pulumi.Input[str] | None = None

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.cluster_name):
            raise ValueError(
                f"cluster_name: {self.cluster_name!r} is not allowed; 1 to 100 letters, digits, - and _, "
                "beginning with a letter or digit"
            )
        _check_cidr("vpc_cidr", self.vpc_cidr)
        for cidr in self.api_public_cidrs:
            _check_cidr("api_public_cidrs", cidr)
        access.principal_names(self.admin_principal_arns)
        if not self.internet_egress and self.s3_prefix_list_id is None:
            raise ValueError(
                "s3_prefix_list_id: needed where internet_egress is false, since image layers come from S3; "
                "pass the network's s3_prefix_list_id"
            )


class GpuCluster(pulumi.ComponentResource):
    """An EKS control plane whose API is private unless told otherwise.

    Creates: the log group first, so that EKS does not make one that is unencrypted and kept for ever; the cluster's
    role; the cluster (all logs, secrets under the given key, access entries only, standard support, zonal shift);
    administrators' entries; the security group of nodes and its rules; the add-ons that nodes need to become ready.
    Deliberately not: nodes, CoreDNS (see `ClusterDns`), anything inside Kubernetes.
    """

    cluster_name: pulumi.Output[str]
    """Whoever takes it waits until nodes can join and administrators can enter."""
    cluster_arn: pulumi.Output[str]
    endpoint: pulumi.Output[str]
    certificate_authority: pulumi.Output[str]
    """Base64 PEM."""
    oidc_issuer: pulumi.Output[str]
    service_cidr: pulumi.Output[str]
    """The addresses of Services."""
    cluster_security_group_id: pulumi.Output[str]
    """Made by EKS; it stands open, carries no rule of ours, and no node has it."""
    node_security_group_id: pulumi.Output[str]
    """For every node, and the only group of theirs tagged for the cluster."""

    def __init__(self, name: str, args: GpuClusterArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("gpufleet:index:GpuCluster", name, None, opts)
        args = typed(args, GpuClusterArgs)
        child = pulumi.ResourceOptions(parent=self)
        cluster_arn = f"arn:{args.partition}:eks:{args.region}:{args.account_id}:cluster/{args.cluster_name}"

        control_plane_group = firewall.control_plane_group(name, args.vpc_id, child)
        cluster = control_plane.build(name, _plane(args, control_plane_group.id), child)
        cluster_group_id = cluster.vpc_config.apply(lambda config: config.cluster_security_group_id or "")
        nodes = aws.ec2.SecurityGroup(
            f"{name}-nodes",
            vpc_id=args.vpc_id,
            description=firewall.NODE_GROUP_DESCRIPTION,
            tags={"Name": f"{name}-nodes", f"kubernetes.io/cluster/{args.cluster_name}": "owned"},
            opts=child,
        )
        reach = firewall.Reach(
            nodes=nodes.id,
            control_plane=control_plane_group.id,
            vpc_cidr=args.vpc_cidr,
            internet=args.internet_egress,
            s3_prefix_list_id=args.s3_prefix_list_id,
            gateway_prefix_list_ids=args.gateway_prefix_list_ids,
        )
        rules = firewall.build(name, reach, child)
        admins = access.admit_administrators(name, cluster.name, args.admin_principal_arns, args.partition, child)
        node_addons = addons.build(
            name, cluster, cluster_arn, args.account_id, args.partition, args.permissions_boundary_arn, child
        )

        self.cluster_name = after(cluster.name, *rules, *admins, *node_addons)
        self.cluster_arn = cluster.arn
        self.endpoint = cluster.endpoint
        self.certificate_authority = cluster.certificate_authority.apply(lambda authority: authority.data or "")
        self.oidc_issuer = cluster.identities.apply(_issuer)
        self.service_cidr = pulumi.Output.from_input(control_plane.service_cidr(args.vpc_cidr))
        self.cluster_security_group_id = cluster_group_id
        self.node_security_group_id = after(nodes.id, *rules)
        self.register_outputs(
            {
                "clusterName": self.cluster_name,
                "clusterArn": self.cluster_arn,
                "endpoint": self.endpoint,
                "certificateAuthority": self.certificate_authority,
                "oidcIssuer": self.oidc_issuer,
                "serviceCidr": self.service_cidr,
                "clusterSecurityGroupId": self.cluster_security_group_id,
                "nodeSecurityGroupId": self.node_security_group_id,
            }
        )


def _plane(args: GpuClusterArgs, security_group_id: pulumi.Input[str]) -> control_plane.ControlPlane:
    return control_plane.ControlPlane(
        cluster_name=args.cluster_name,
        account_id=args.account_id,
        region=args.region,
        partition=args.partition,
        kubernetes_version=args.kubernetes_version,
        subnet_ids=args.subnet_ids,
        service_cidr=control_plane.service_cidr(args.vpc_cidr),
        security_group_id=security_group_id,
        api_public_cidrs=args.api_public_cidrs,
        secrets_key_arn=args.secrets_key_arn,
        log_key_arn=args.log_key_arn,
        log_retention_days=args.log_retention_days,
        deletion_protected=args.deletion_protected,
        permissions_boundary_arn=args.permissions_boundary_arn,
    )


def _issuer(identities: Sequence[aws.eks.outputs.ClusterIdentity]) -> str:
    return (identities[0].oidcs or [])[0].issuer or ""


def _check_cidr(field: str, cidr: str) -> None:
    try:
        IPv4Network(cidr)
    except ValueError as error:
        raise ValueError(f"{field}: {cidr!r} is not an IPv4 network ({error}); write one like 203.0.113.0/24") from None

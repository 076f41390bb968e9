"""The add-ons without which a node does not become ready, in place before there is one."""

import pulumi
import pulumi_aws as aws

from ..identity.statements import pod_identity_trust

CNI_POLICY = "AmazonEKS_CNI_Policy"
"""https://docs.aws.amazon.com/eks/latest/userguide/cni-iam-role.html"""
CNI_SERVICE_ACCOUNT = "aws-node"


def build(
    name: str,
    cluster: aws.eks.Cluster,
    cluster_arn: str,
    account_id: str,
    partition: str,
    permissions_boundary_arn: pulumi.Input[str] | None,
    child: pulumi.ResourceOptions,
) -> list[pulumi.Resource]:
    """Network plugin (under a role of its own, by Pod Identity), service proxy and the agent of Pod Identity.

    CoreDNS is not here: it is healthy only on a node, see `ClusterDns`.
    """
    role = aws.iam.Role(
        f"{name}-cni",
        assume_role_policy=pod_identity_trust(account_id, cluster_arn),
        permissions_boundary=permissions_boundary_arn,
        opts=child,
    )
    attachment = aws.iam.RolePolicyAttachment(
        f"{name}-cni", role=role.name, policy_arn=f"arn:{partition}:iam::aws:policy/{CNI_POLICY}", opts=child
    )
    agent = addon(f"{name}-pod-identity", cluster.name, "eks-pod-identity-agent", child)
    proxy = addon(f"{name}-kube-proxy", cluster.name, "kube-proxy", child)
    cni = addon(
        f"{name}-cni",
        cluster.name,
        "vpc-cni",
        pulumi.ResourceOptions.merge(child, pulumi.ResourceOptions(depends_on=[attachment, agent])),
        [aws.eks.AddonPodIdentityAssociationArgs(role_arn=role.arn, service_account=CNI_SERVICE_ACCOUNT)],
    )
    return [agent, proxy, cni]


def addon(
    name: str,
    cluster_name: pulumi.Input[str],
    addon_name: str,
    opts: pulumi.ResourceOptions,
    pod_identities: list[aws.eks.AddonPodIdentityAssociationArgs] | None = None,
) -> aws.eks.Addon:
    """An EKS add-on in the version that EKS holds right for the cluster's; nothing but the program configures it."""
    return aws.eks.Addon(
        name,
        cluster_name=cluster_name,
        addon_name=addon_name,
        resolve_conflicts_on_create="OVERWRITE",
        resolve_conflicts_on_update="OVERWRITE",
        pod_identity_associations=pod_identities,
        opts=opts,
    )

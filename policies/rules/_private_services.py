"""Which AWS APIs are called from inside a cluster's network, and by what.

Source: EKS user guide, "Deploy private clusters with limited internet access", and the installation guides of the
add-ons and charts; read 2026-11-30.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from pulumi_policy import PolicyResource

from ._reading import differs, elements, read, shown
from ._regions import region_of
from ._registries import chart
from ._routes import SUBNETS
from ._stack import Stack

CLUSTER: Final = "aws:eks/cluster:Cluster"
RELEASE: Final = "kubernetes:helm.sh/v3:Release"
_SSM: Final = ("ssm", "ssmmessages", "ec2messages")

NODES: Final = ("ec2", "ecr.api", "ecr.dkr", "eks", "sts")
"""Without these a node neither joins nor pulls an image."""

ADDONS: Final[Mapping[str, tuple[str, ...]]] = {
    "amazon-cloudwatch-observability": ("logs", "monitoring"),
    "aws-efs-csi-driver": ("elasticfilesystem",),
    "aws-fsx-csi-driver": ("fsx",),
    "aws-guardduty-agent": ("guardduty-data",),
    "aws-secrets-store-csi-driver-provider": ("secretsmanager",),
    "eks-pod-identity-agent": ("eks-auth",),
}

CHARTS: Final[Mapping[str, tuple[str, ...]]] = {
    "aws-cloudwatch-metrics": ("logs", "monitoring"),
    "aws-efs-csi-driver": ("elasticfilesystem",),
    "aws-for-fluent-bit": ("logs",),
    "aws-fsx-csi-driver": ("fsx",),
    "aws-load-balancer-controller": ("elasticloadbalancing",),
    "cluster-autoscaler": ("autoscaling",),
    "external-secrets": ("secretsmanager",),
    "karpenter": ("sqs", "ssm"),
}
"""Charts by name, and what they call beside `NODES`."""


def called(stack: Stack, groups: list[PolicyResource], vpc: PolicyResource) -> Iterator[tuple[str, str]]:
    """Yield (service, who calls it) for the node groups of one VPC and all that certainly runs on them."""
    yield from ((service, "its nodes") for service in NODES)
    clusters = {_cluster(stack, group) for group in groups} - {None}
    for addon in stack.of("aws:eks/addon:Addon"):
        if _cluster(stack, addon) in clusters:
            name = str(read(addon.props, "addonName"))
            yield from ((service, f"add-on {name}") for service in ADDONS.get(name, ()))
            if elements(read(addon.props, "podIdentityAssociations")):
                yield "eks-auth", f"Pod Identity of add-on {name}"
    for association in stack.of("aws:eks/podIdentityAssociation:PodIdentityAssociation"):
        if _cluster(stack, association) in clusters:
            yield "eks-auth", f"Pod Identity association {association.name}"
    if _by_session_manager(stack, groups):
        yield from ((service, "Session Manager on its nodes") for service in _SSM)
    for system in stack.of("aws:fsx/lustreFileSystem:LustreFileSystem"):
        subnets = stack.links(system, "subnetIds", read(system.props, "subnetIds"), *SUBNETS).certain
        if any(stack.links(s, "vpcId", read(s.props, "vpcId"), vpc.resource_type).certain == (vpc,) for s in subnets):
            yield "fsx", f"file system {system.name}"
    for workspace in stack.of("aws:amp/workspace:Workspace"):
        if region_of(workspace) == region_of(vpc):
            yield "aps-workspaces", f"whoever writes metrics to workspace {workspace.name}"


def called_by_chart(release: PolicyResource) -> Iterator[tuple[str, str]]:
    """The same for what a chart installs."""
    name = chart(release.props)
    yield from ((service, f"chart {name}") for service in CHARTS.get(name, ()))


def out_of_reach(resource: PolicyResource) -> Iterator[str]:
    """Yield what a Kubernetes object makes Karpenter call although no VPC has an endpoint for it.

    https://karpenter.sh/docs/getting-started/getting-started-with-karpenter/#private-clusters
    """
    if resource.resource_type == RELEASE and chart(resource.props) == "karpenter":
        isolated = read(resource.props, "values", "settings", "isolatedVPC")
        if differs(isolated, True, absent=False):
            yield (
                f"values.settings.isolatedVPC is {shown(isolated)}, so Karpenter asks the price list, for which the "
                "VPC can have no endpoint; it must be true."
            )
    if resource.resource_type.endswith(":EC2NodeClass") and read(resource.props, "spec", "role") is not None:
        yield (
            "spec.role makes Karpenter call IAM, for which the VPC can have no endpoint; it must be an instanceProfile."
        )


def _cluster(stack: Stack, resource: PolicyResource) -> str | None:
    """The cluster by its URN where it is of this stack, else by its name."""
    value = read(resource.props, "clusterName")
    found = stack.links(resource, "clusterName", value, CLUSTER).certain
    return found[0].urn if found else value if isinstance(value, str) else None


def _by_session_manager(stack: Stack, groups: list[PolicyResource]) -> bool:
    role = "aws:iam/role:Role"
    node_roles = {
        found.urn
        for group in groups
        for found in stack.links(group, "nodeRoleArn", read(group.props, "nodeRoleArn"), role).certain
    }
    return any(
        str(read(attachment.props, "policyArn")).endswith("/AmazonSSMManagedInstanceCore")
        and any(
            r.urn in node_roles for r in stack.links(attachment, "role", read(attachment.props, "role"), role).certain
        )
        for attachment in stack.of("aws:iam/rolePolicyAttachment:RolePolicyAttachment")
    )

"""A region with Karpenter, as a stack puts it together."""

from dataclasses import dataclass
from typing import Any

import pulumi
import pulumi_aws as aws
import pulumi_kubernetes as k8s

from components import (
    ClusterDns,
    ClusterDnsArgs,
    EfaGroup,
    EfaGroupArgs,
    GpuCluster,
    NodeRole,
    NodeRoleArgs,
    PrivateNetwork,
    SpendBudget,
    SpendBudgetArgs,
    SystemNodes,
    SystemNodesArgs,
)
from components.network import endpoint_services
from components.ordering import after
from components.scheduling.karpenter import Karpenter, KarpenterArgs
from components.scheduling.karpenter_access import KarpenterAccess
from components.scheduling.karpenter_pool import KarpenterPool
from tests.components.builds import ACCOUNT, KEY, Build, cluster_args, network_args
from tests.components.scheduling import builds

TAGS = {"owner": "ml-platform", "cost-center": "research", "expires": "2027-03-31"}
REGISTRY = f"{ACCOUNT}.dkr.ecr.us-east-1.amazonaws.com/demo"


@dataclass(frozen=True)
class Base:
    """What stands before Karpenter."""

    network: PrivateNetwork
    cluster: GpuCluster
    system: SystemNodes
    dns: ClusterDns
    opts: pulumi.ResourceOptions


def region(*kinds: str, closed: bool = False) -> Build:
    """A network, a cluster, its system nodes, Karpenter, and a pool of each of the kinds of `builds.POOLS`."""

    def build() -> None:
        base = _base(closed)
        role = NodeRole("karpenter-node", NodeRoleArgs(partition="aws"), base.opts)
        access = KarpenterAccess(
            "karpenter",
            builds.access_args(
                cluster=base.cluster.cluster_name,
                node_role_arn=role.role_arn,
                node_role_name=role.role_name,
                isolated=closed,
            ),
            base.opts,
        )
        inside = pulumi.ResourceOptions.merge(
            base.opts,
            pulumi.ResourceOptions(
                providers=[k8s.Provider("cluster", kubeconfig=kubeconfig(base.cluster), opts=base.opts)]
            ),
        )
        controller = Karpenter(
            "karpenter",
            KarpenterArgs(
                cluster_name=after(base.system.cluster_name, base.dns),
                queue_name=access.queue_name,
                service_account=access.controller_service_account,
                isolated=closed,
                image_registry=REGISTRY if closed else None,
            ),
            inside,
        )
        efa = EfaGroup("efa", EfaGroupArgs(vpc_id=base.network.vpc_id), base.opts)
        for kind in kinds:
            _pool(kind, base, access, controller, efa, inside, closed=closed)

    return build


def _base(closed: bool) -> Base:
    provider = aws.Provider("aws", region="us-east-1", allowed_account_ids=[ACCOUNT], default_tags={"tags": TAGS})
    opts = pulumi.ResourceOptions(providers=[provider])
    SpendBudget(
        "budget",
        SpendBudgetArgs(
            budget_name="demo",
            monthly_usd=1_000_000,
            max_hourly_usd=10_000,
            alert_emails=["gpu-costs@example.com"],
            tag_key="owner",
            tag_value=TAGS["owner"],
        ),
        opts,
    )
    network = PrivateNetwork(
        "net",
        network_args(
            egress="none" if closed else "nat-per-zone",
            endpoints=endpoint_services.needed((*endpoint_services.NODES, "karpenter")) if closed else (),
        ),
        opts,
    )
    cluster = GpuCluster(
        "cluster",
        cluster_args(
            vpc_id=network.vpc_id,
            subnet_ids=network.intra_subnet_ids.apply(lambda ids: list(ids.values())),
            internet_egress=not closed,
            s3_prefix_list_id=network.s3_prefix_list_id,
        ),
        opts,
    )
    role = NodeRole("system-node", NodeRoleArgs(partition="aws"), opts)
    system = SystemNodes(
        "system",
        SystemNodesArgs(
            cluster_name=cluster.cluster_name,
            kubernetes_version="1.35",
            node_role_arn=role.role_arn,
            subnet_ids=network.private_subnet_ids.apply(lambda ids: list(ids.values())),
            security_group_ids=[cluster.node_security_group_id],
            volume_key_arn=KEY,
            tags=TAGS,
        ),
        opts,
    )
    dns = ClusterDns("dns", ClusterDnsArgs(cluster_name=system.cluster_name), opts)
    return Base(network, cluster, system, dns, opts)


def _pool(
    kind: str,
    base: Base,
    access: KarpenterAccess,
    controller: Karpenter,
    efa: EfaGroup,
    opts: pulumi.ResourceOptions,
    *,
    closed: bool,
) -> None:
    name = kind.replace(" ", "-")
    identity: dict[str, Any] = (
        {"node_role_name": None, "instance_profile_name": access.instance_profile_name}
        if closed
        else {"node_role_name": access.node_role_name}
    )
    hung: dict[str, Any] = {
        "pool_name": name,
        "cluster_name": controller.cluster_name,
        "subnet_ids": base.network.private_subnet_ids,
        "security_group_ids": [base.cluster.node_security_group_id],
        "efa_security_group_id": efa.security_group_id,
        "closed": closed,
        "tags": {**TAGS, "gpufleet-pool": name},
        **identity,
    }
    KarpenterPool(f"pool-{name}", builds.pool_args(**(builds.POOLS[kind] | hung)), opts)


def kubeconfig(cluster: GpuCluster) -> pulumi.Output[str]:
    """How to reach the cluster, with a token that the AWS CLI gives out."""
    token = {
        "apiVersion": "client.authentication.k8s.io/v1beta1",
        "command": "aws",
        "args": ["eks", "get-token", "--cluster-name", cluster.cluster_name, "--region", "us-east-1"],
    }
    server = {"server": cluster.endpoint, "certificate-authority-data": cluster.certificate_authority}
    return pulumi.Output.json_dumps(
        {
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [{"name": "eks", "cluster": server}],
            "users": [{"name": "aws", "user": {"exec": token}}],
            "contexts": [{"name": "aws", "context": {"cluster": "eks", "user": "aws"}}],
            "current-context": "aws",
        }
    )

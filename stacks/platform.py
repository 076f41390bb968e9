"""What the settings become: providers, network, keys, cluster, pools, data and budget, wired through typed outputs.

Components meet only here. There is no raw AWS resource in this file and no branch on a stack's name.
"""

from collections.abc import Mapping
from typing import Any

import pulumi
import pulumi_aws as aws

from components import (
    ClusterDns,
    ClusterDnsArgs,
    EncryptedBucket,
    EncryptedBucketArgs,
    EncryptionKey,
    EncryptionKeyArgs,
    GpuCluster,
    GpuClusterArgs,
    GpuPool,
    GpuPoolArgs,
    NodeRole,
    NodeRoleArgs,
    PrivateNetwork,
    PrivateNetworkArgs,
    SpendBudget,
    SpendBudgetArgs,
    SystemNodes,
    SystemNodesArgs,
)
from components.network import endpoint_services
from gpufleet.facts import regions
from stacks.settings import Region, Settings

STACK_TAG = "gpufleet-stack"
"""On everything of a stack; the budget counts by it (once it is activated as a cost allocation tag)."""

_HOME = {"aws": "us-east-1", "aws-cn": "cn-northwest-1", "aws-us-gov": "us-gov-west-1"}
"""The region of each partition that answers for what belongs to the account as a whole."""


def deploy(settings: Settings) -> Mapping[str, Any]:
    """Create everything that the settings describe and return the stack's outputs."""
    partition = _partition(next(iter(settings.regions)))
    tags = {**settings.tags, STACK_TAG: _stack_tag(), "managed-by": "pulumi"}

    account = _provider("aws-account", _HOME.get(partition, next(iter(settings.regions))), settings.account_id, tags)
    SpendBudget(
        "budget",
        SpendBudgetArgs(
            budget_name=f"gpufleet-{pulumi.get_stack()}",
            monthly_usd=settings.budget.monthly_usd,
            max_hourly_usd=settings.budget.max_hourly_usd,
            alert_emails=settings.budget.alert_emails,
            tag_key=STACK_TAG,
            tag_value=_stack_tag(),
        ),
        pulumi.ResourceOptions(providers=[account]),
    )

    outputs = {name: _region(name, region, settings, tags) for name, region in sorted(settings.regions.items())}
    return {"regions": outputs}


def _region(name: str, region: Region, settings: Settings, tags: Mapping[str, str]) -> Mapping[str, Any]:
    partition = _partition(name)
    opts = pulumi.ResourceOptions(providers=[_provider(f"aws-{name}", name, settings.account_id, tags)])

    keys = {
        purpose: EncryptionKey(
            f"{name}-{purpose}-key",
            EncryptionKeyArgs(
                purpose=purpose,
                alias=f"gpufleet/{pulumi.get_stack()}/{purpose}",
                account_id=settings.account_id,
                region=name,
                partition=partition,
                service_principals=("logs",) if purpose == "logs" else (),
                for_node_volumes=purpose == "volumes",
            ),
            opts,
        )
        for purpose in ("secrets", "volumes", "data", "logs")
    }

    network = PrivateNetwork(
        f"{name}-network",
        PrivateNetworkArgs(
            account_id=settings.account_id,
            region=name,
            cidr=region.network.cidr,
            zones=region.network.zones,
            egress=region.network.egress,
            endpoints=endpoint_services.wanted(region.network.egress, region.network.endpoints),
            flow_log_key_arn=keys["logs"].key_arn,
            flow_log_retention_days=region.network.flow_log_days,
        ),
        opts,
    )

    cluster = GpuCluster(
        f"{name}-cluster",
        GpuClusterArgs(
            cluster_name=f"{pulumi.get_project()}-{pulumi.get_stack()}-{name}",
            account_id=settings.account_id,
            region=name,
            partition=partition,
            kubernetes_version=region.cluster.kubernetes,
            vpc_id=network.vpc_id,
            vpc_cidr=region.network.cidr,
            subnet_ids=network.intra_subnet_ids.apply(lambda ids: list(ids.values())),
            secrets_key_arn=keys["secrets"].key_arn,
            log_key_arn=keys["logs"].key_arn,
            log_retention_days=region.cluster.log_days,
            api_public_cidrs=region.cluster.api.public_cidrs if region.cluster.api else (),
            admin_principal_arns=[_principal(admin, partition, settings.account_id) for admin in region.cluster.admins],
            deletion_protected=region.cluster.deletion_protected,
            internet_egress=region.network.egress != "none",
            s3_prefix_list_id=network.s3_prefix_list_id,
            permissions_boundary_arn=settings.permissions_boundary_arn,
        ),
        opts,
    )

    node_role = NodeRole(
        f"{name}-node",
        NodeRoleArgs(partition=partition, permissions_boundary_arn=settings.permissions_boundary_arn),
        opts,
    )

    system = SystemNodes(
        f"{name}-system",
        SystemNodesArgs(
            cluster_name=cluster.cluster_name,
            kubernetes_version=region.cluster.kubernetes,
            node_role_arn=node_role.role_arn,
            subnet_ids=network.private_subnet_ids.apply(lambda ids: list(ids.values())),
            security_group_ids=[cluster.node_security_group_id],
            volume_key_arn=keys["volumes"].key_arn,
            instance_types=region.cluster.system.instance_types,
            min_nodes=region.cluster.system.nodes.min,
            max_nodes=region.cluster.system.nodes.max,
            tags=tags,
        ),
        opts,
    )
    ClusterDns(f"{name}-dns", ClusterDnsArgs(cluster_name=system.cluster_name), opts)

    pools = {
        pool.name: GpuPool(
            f"{name}-pool-{pool.name}",
            GpuPoolArgs(
                pool_name=pool.name,
                cluster_name=cluster.cluster_name,
                kubernetes_version=region.cluster.kubernetes,
                node_role_arn=node_role.role_arn,
                subnet_ids=network.private_subnet_ids.apply(
                    lambda ids, zones=pool.zones or region.network.zones: [ids[zone] for zone in sorted(zones)]
                ),
                security_group_ids=[cluster.node_security_group_id],
                volume_key_arn=keys["volumes"].key_arn,
                instance_types=pool.instance_types,
                purchase=pool.purchase,
                min_nodes=pool.nodes.min,
                max_nodes=pool.nodes.max,
                volume_gib=pool.volume_gib,
                tags={**tags, "gpufleet-pool": pool.name},
                labels={"gpufleet.io/use": pool.use},
            ),
            opts,
        )
        for pool in region.pools
    }

    buckets = {
        purpose: EncryptedBucket(
            f"{name}-{purpose}",
            EncryptedBucketArgs(
                purpose=purpose,
                key_arn=keys["data"].key_arn,
                partition=partition,
                keep_days=bucket.keep_days,
            ),
            opts,
        )
        for purpose, bucket in sorted(region.storage.buckets.items())
    }

    return {
        "cluster": cluster.cluster_name,
        "endpoint": cluster.endpoint,
        "vpc": network.vpc_id,
        "pools": {pool: group.node_group_name for pool, group in sorted(pools.items())},
        "buckets": {purpose: bucket.bucket_name for purpose, bucket in buckets.items()},
    }


def _provider(name: str, region: str, account_id: str, tags: Mapping[str, str]) -> aws.Provider:
    return aws.Provider(
        name,
        region=region,
        allowed_account_ids=[account_id],
        default_tags=aws.ProviderDefaultTagsArgs(tags=tags),
    )


def _partition(region: str) -> str:
    found = regions.find(region)
    if found is None:
        raise LookupError(f"{region} is no region of the catalogue; the settings refuse it before it comes here")
    return found.partition


def _principal(admin: str, partition: str, account_id: str) -> str:
    return admin if admin.startswith("arn:") else f"arn:{partition}:iam::{account_id}:{admin}"


def _stack_tag() -> str:
    return f"{pulumi.get_project()}-{pulumi.get_stack()}"

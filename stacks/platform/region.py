"""One region: network, keys, cluster, nodes, data, people."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pulumi

from components import (
    AccountGuardRails,
    AccountGuardRailsArgs,
    ClusterDns,
    ClusterDnsArgs,
    EncryptionKey,
    GpuCluster,
    GpuClusterArgs,
    NodeRole,
    NodeRoleArgs,
    PrivateNetwork,
    PrivateNetworkArgs,
    SystemNodes,
    SystemNodesArgs,
)
from components.network import endpoint_services
from stacks.platform import data, inside, keys, people, pools
from stacks.platform.place import Place
from stacks.settings import Region, Settings, designs


@dataclass(frozen=True, kw_only=True)
class Built:
    """What the other regions and the stack's outputs need of a region."""

    outputs: Mapping[str, Any]
    data: data.Built


def build(place: Place, settings: Settings) -> Built:
    """Create the region."""
    region = settings.regions[place.region]
    first = place.region == min(settings.regions)

    region_keys = keys.build(place, region, settings, first=first)
    if settings.account.guard_rails:
        AccountGuardRails(
            place.named("guard-rails"),
            AccountGuardRailsArgs(
                account_id=place.account_id, ebs_key_arn=region_keys["volumes"].key_arn, guards_s3=first
            ),
            place.opts,
        )
    decided = pools.decided(place, region, settings)
    network = _network(place, region, region_keys, designs.features(region, decided))
    cluster = _cluster(place, region, network, region_keys)
    role = NodeRole(
        place.named("node"),
        NodeRoleArgs(
            partition=place.partition,
            permissions_boundary_arn=place.boundary_arn,
            policies=data.pull_policies(place, region),
        ),
        place.opts,
    )
    system = SystemNodes(
        place.named("system"),
        SystemNodesArgs(
            cluster_name=cluster.cluster_name,
            kubernetes_version=region.cluster.kubernetes,
            node_role_arn=role.role_arn,
            subnet_ids=network.private_subnet_ids.apply(lambda ids: list(ids.values())),
            security_group_ids=[cluster.node_security_group_id],
            volume_key_arn=region_keys["volumes"].key_arn,
            instance_types=region.cluster.system.instance_types,
            min_nodes=region.cluster.system.nodes.min,
            max_nodes=region.cluster.system.nodes.max,
            tags=place.tags,
        ),
        place.opts,
    )
    dns = ClusterDns(place.named("dns"), ClusterDnsArgs(cluster_name=system.cluster_name), place.opts)
    efa = pools.efa_group(place, region, settings, network)
    groups = pools.build(place, region, settings, network, cluster, role, region_keys["volumes"], efa)
    stores = data.build(place, region, settings, network, cluster, system, efa, region_keys)
    elastic = inside.build(
        place,
        region,
        settings,
        inside.Surroundings(
            network=network,
            cluster=cluster,
            dns=dns,
            volumes=region_keys["volumes"],
            efa=efa,
            image_cache=stores.image_cache,
            pushed_images=stores.repositories,
        ),
    )
    people.admit(place, region, settings, cluster, stores, region_keys["data"])

    return Built(
        outputs={
            "cluster": cluster.cluster_name,
            "endpoint": cluster.endpoint,
            "vpc": network.vpc_id,
            "pools": {
                **{name: group.node_group_name for name, group in groups.items()},
                **{name: pool.node_pool_name for name, pool in elastic.items()},
            },
            **stores.outputs,
        },
        data=stores,
    )


def _network(
    place: Place, region: Region, region_keys: Mapping[str, EncryptionKey], features: Sequence[str]
) -> PrivateNetwork:
    return PrivateNetwork(
        place.named("network"),
        PrivateNetworkArgs(
            account_id=place.account_id,
            region=place.region,
            cidr=region.network.cidr,
            pod_cidr=region.network.pod_cidr,
            zones=region.network.zones,
            egress=region.network.egress,
            endpoints=endpoint_services.wanted(region.network.egress, region.network.endpoints, features),
            s3_readable_buckets=region.network.s3_readable_buckets,
            flow_log_key_arn=region_keys["logs"].key_arn,
            flow_log_retention_days=region.network.flow_log_days,
            permissions_boundary_arn=place.boundary_arn,
        ),
        place.opts,
    )


def _cluster(
    place: Place, region: Region, network: PrivateNetwork, region_keys: Mapping[str, EncryptionKey]
) -> GpuCluster:
    gateways: dict[str, pulumi.Input[str]] = {}
    if region.storage.express is not None:
        gateways["s3express"] = network.gateway_prefix_list_ids["s3express"]
    return GpuCluster(
        place.named("cluster"),
        GpuClusterArgs(
            cluster_name=place.cluster_name,
            account_id=place.account_id,
            region=place.region,
            partition=place.partition,
            kubernetes_version=region.cluster.kubernetes,
            vpc_id=network.vpc_id,
            vpc_cidr=region.network.cidr,
            subnet_ids=network.intra_subnet_ids.apply(lambda ids: list(ids.values())),
            secrets_key_arn=region_keys["secrets"].key_arn,
            log_key_arn=region_keys["logs"].key_arn,
            log_retention_days=region.cluster.log_days,
            api_public_cidrs=region.cluster.api.public_cidrs if region.cluster.api else (),
            admin_principal_arns=[place.principal(admin) for admin in region.cluster.admins],
            deletion_protected=region.cluster.deletion_protected,
            internet_egress=region.network.egress != "none",
            s3_prefix_list_id=network.s3_prefix_list_id,
            gateway_prefix_list_ids=gateways,
            permissions_boundary_arn=place.boundary_arn,
        ),
        place.opts,
    )

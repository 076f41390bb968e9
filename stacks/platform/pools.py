"""The GPU pools of a region."""

from collections.abc import Mapping

import pulumi

from components import EfaGroup, EfaGroupArgs, EncryptionKey, GpuCluster, GpuPool, GpuPoolArgs, NodeRole, PrivateNetwork
from gpufleet.facts import instances
from stacks.platform.place import Place
from stacks.settings import Pool, Region


def build(
    place: Place,
    region: Region,
    network: PrivateNetwork,
    cluster: GpuCluster,
    role: NodeRole,
    volumes: EncryptionKey,
    efa: EfaGroup | None,
) -> Mapping[str, GpuPool]:
    """The pools by name. Nodes of types with EFA carry its group beside that of all nodes."""

    def groups(pool: Pool) -> list[pulumi.Input[str]]:
        beside = [efa.security_group_id] if efa is not None and has_efa(pool) else []
        return [cluster.node_security_group_id, *beside]

    return {
        pool.name: GpuPool(
            place.named(f"pool-{pool.name}"),
            GpuPoolArgs(
                pool_name=pool.name,
                cluster_name=cluster.cluster_name,
                kubernetes_version=region.cluster.kubernetes,
                node_role_arn=role.role_arn,
                subnet_ids=network.private_subnet_ids.apply(
                    lambda ids, zones=pool.zones or region.network.zones: [ids[zone] for zone in sorted(zones)]
                ),
                security_group_ids=groups(pool),
                volume_key_arn=volumes.key_arn,
                instance_types=pool.instance_types,
                purchase=pool.purchase,
                min_nodes=pool.nodes.min,
                max_nodes=pool.nodes.max,
                volume_gib=pool.volume_gib,
                tags={**place.tags, "gpufleet-pool": pool.name},
                labels={"gpufleet.io/use": pool.use},
            ),
            place.opts,
        )
        for pool in sorted(region.pools, key=lambda pool: pool.name)
    }


def efa_group(place: Place, region: Region, network: PrivateNetwork) -> EfaGroup | None:
    """The group of EFA interfaces, where a pool has such or the file system does."""
    of_cache = region.storage.lustre is not None and region.storage.lustre.efa
    if not of_cache and not any(has_efa(pool) for pool in region.pools):
        return None
    return EfaGroup(place.named("efa"), EfaGroupArgs(vpc_id=network.vpc_id), place.opts)


def has_efa(pool: Pool) -> bool:
    """Whether every type of the pool has EFA."""
    return all(instances.get(name).efa_interfaces > 0 for name in pool.instance_types)

"""The pools of a region: what each asks for, and the component that its design calls for."""

from collections.abc import Mapping
from typing import Any

from components import EfaGroup, EfaGroupArgs, EncryptionKey, GpuCluster, GpuPool, GpuPoolArgs, NodeRole, PrivateNetwork
from components.compute.design.shapes import Design
from stacks.platform.place import Place
from stacks.settings import Pool, Region, Settings, designs

POOL_TAG = "gpufleet-pool"


def decided(place: Place, region: Region, settings: Settings) -> Mapping[str, Design]:
    """What becomes of each pool, by name, in the order of the names."""
    return {
        pool.name: designs.design_of(place.region, region, pool, protected=settings.protected)
        for pool in sorted(region.pools, key=lambda pool: pool.name)
    }


def wish(place: Place, region: Region, settings: Settings, pool: Pool) -> Mapping[str, Any]:
    """What every kind of pool is told: the wish itself, its tags and labels."""
    return {
        **designs.wish(place.region, region, pool, protected=settings.protected),
        "tags": {**place.tags, POOL_TAG: pool.name},
    }


def build(
    place: Place,
    region: Region,
    settings: Settings,
    network: PrivateNetwork,
    cluster: GpuCluster,
    role: NodeRole,
    volumes: EncryptionKey,
    efa: EfaGroup | None,
) -> Mapping[str, GpuPool]:
    """The pools that are managed node groups, by name."""
    found = decided(place, region, settings)
    return {
        pool.name: GpuPool(
            place.named(f"pool-{pool.name}"),
            GpuPoolArgs(
                **wish(place, region, settings, pool),
                cluster_name=cluster.cluster_name,
                cluster_endpoint=cluster.endpoint,
                cluster_certificate_authority=cluster.certificate_authority,
                cluster_service_cidr=cluster.service_cidr,
                node_role_arn=role.role_arn,
                subnet_ids=network.private_subnet_ids,
                security_group_ids=[cluster.node_security_group_id],
                efa_security_group_id=efa.security_group_id if efa is not None else None,
                volume_key_arn=volumes.key_arn,
            ),
            place.opts,
        )
        for pool in sorted(region.pools, key=lambda pool: pool.name)
        if found[pool.name].scaler == "node-group"
    }


def efa_group(place: Place, region: Region, settings: Settings, network: PrivateNetwork) -> EfaGroup | None:
    """The group of EFA interfaces, where a pool has such or the file system does."""
    of_cache = region.storage.lustre is not None and region.storage.lustre.efa
    if not of_cache and not any(design.efa for design in decided(place, region, settings).values()):
        return None
    return EfaGroup(place.named("efa"), EfaGroupArgs(vpc_id=network.vpc_id), place.opts)

"""The data of a region: buckets, what lies next to the GPUs, images; and copies in other regions."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pulumi

from components import (
    AccessLogBucket,
    AccessLogBucketArgs,
    BucketReplication,
    BucketReplicationArgs,
    EfaGroup,
    EncryptedBucket,
    EncryptedBucketArgs,
    EncryptionKey,
    ExpressBucket,
    ExpressBucketArgs,
    FileSystemGroup,
    FileSystemGroupArgs,
    GpuCluster,
    ImageRegistry,
    ImageRegistryArgs,
    LustreCache,
    LustreCacheArgs,
    MountpointDriver,
    MountpointDriverArgs,
    PrivateNetwork,
    PullThroughCache,
    PullThroughCacheArgs,
    SystemNodes,
)
from components.identity.statements import document
from components.storage import pull_through_cache
from stacks.platform import keys
from stacks.platform.place import Place, fitted
from stacks.settings import Lustre, Region, Settings


@dataclass(frozen=True, kw_only=True)
class Built:
    """What people, other regions and the stack's outputs need of a region's data."""

    buckets: Mapping[str, EncryptedBucket]
    """By purpose."""
    workspaces: Mapping[str, tuple[EncryptedBucket, EncryptionKey]]
    """By workspace: its bucket, and the key that ends it."""
    data_key: EncryptionKey
    image_cache: pulumi.Output[str] | None
    """Where nodes find public images, as HOST/PREFIX."""
    repositories: Mapping[str, pulumi.Output[str]]
    """The stack's own, by name: their URLs."""
    outputs: Mapping[str, Any]


def build(
    place: Place,
    region: Region,
    settings: Settings,
    network: PrivateNetwork,
    cluster: GpuCluster,
    system: SystemNodes,
    efa: EfaGroup | None,
    region_keys: Mapping[str, EncryptionKey],
) -> Built:
    """Create the buckets, the caches and the registry."""
    log_bucket = _log_bucket(place, region, settings)
    buckets = {
        purpose: EncryptedBucket(
            place.named(purpose),
            EncryptedBucketArgs(
                purpose=purpose,
                key_arn=region_keys["data"].key_arn,
                partition=place.partition,
                keep_days=bucket.keep_days,
                protection=bucket.protection,
                access_log_bucket=log_bucket,
            ),
            place.opts,
        )
        for purpose, bucket in sorted(region.storage.buckets.items())
    }
    workspaces = {
        workspace.name: _workspace(place, workspace.name, workspace.data.keep_days, log_bucket)
        for workspace in settings.workspaces
        if workspace.data is not None
    }
    outputs: dict[str, Any] = {"buckets": {purpose: bucket.bucket_name for purpose, bucket in buckets.items()}}
    if workspaces:
        outputs["workspace_buckets"] = {name: bucket.bucket_name for name, (bucket, _) in workspaces.items()}
    if region.storage.lustre is not None:
        cache = _lustre(place, region, region.storage.lustre, network, cluster, efa, buckets, region_keys)
        outputs["lustre"] = {"dns_name": cache.dns_name, "mount_name": cache.mount_name}
    if (express := region.storage.express) is not None:
        outputs["express_bucket"] = ExpressBucket(
            place.named("express"),
            ExpressBucketArgs(
                base_name=_express_name(place, express.zone_id),
                zone_id=express.zone_id,
                key_arn=region_keys["data"].key_arn,
                keep_days=express.keep_days,
            ),
            place.opts,
        ).bucket_name
    if region.storage.mountpoint:
        MountpointDriver(place.named("mountpoint"), MountpointDriverArgs(cluster_name=system.cluster_name), place.opts)
    outputs.update(_images(place, region, region_keys["data"]))
    return Built(
        buckets=buckets,
        workspaces=workspaces,
        data_key=region_keys["data"],
        image_cache=outputs.get("image_cache"),
        repositories=_urls(region, outputs.get("repositories")),
        outputs=outputs,
    )


def _log_bucket(place: Place, region: Region, settings: Settings) -> pulumi.Input[str] | None:
    buckets = [*region.storage.buckets, *(workspace for workspace in settings.workspaces if workspace.data)]
    if not buckets or not region.storage.access_logs:
        return None
    args = AccessLogBucketArgs(account_id=place.account_id, partition=place.partition)
    return AccessLogBucket(place.named("access-logs"), args, place.opts).bucket_name


def _workspace(
    place: Place, name: str, keep_days: int | None, log_bucket: pulumi.Input[str] | None
) -> tuple[EncryptedBucket, EncryptionKey]:
    key = keys.of_workspace(place, name)
    bucket = EncryptedBucket(
        place.named(f"workspace-{name}"),
        EncryptedBucketArgs(
            purpose="artifacts",
            workspace=name,
            key_arn=key.key_arn,
            partition=place.partition,
            keep_days=keep_days,
            access_log_bucket=log_bucket,
        ),
        place.opts,
    )
    return bucket, key


def _lustre(
    place: Place,
    region: Region,
    wanted: Lustre,
    network: PrivateNetwork,
    cluster: GpuCluster,
    efa: EfaGroup | None,
    buckets: Mapping[str, EncryptedBucket],
    region_keys: Mapping[str, EncryptionKey],
) -> LustreCache:
    group = FileSystemGroup(
        place.named("lustre"),
        FileSystemGroupArgs(
            vpc_id=network.vpc_id,
            node_security_group_id=cluster.node_security_group_id,
            efa_security_group_id=efa.security_group_id if efa is not None and wanted.efa else None,
        ),
        place.opts,
    )
    return LustreCache(
        place.named("lustre-cache"),
        LustreCacheArgs(
            cache_name=f"{place.stack_name}-{wanted.source}",
            region=place.region,
            zone=wanted.zone,
            subnet_id=network.private_subnet_ids[wanted.zone],
            security_group_ids=[group.security_group_id],
            key_arn=region_keys["data"].key_arn,
            log_key_arn=region_keys["logs"].key_arn,
            log_retention_days=region.cluster.log_days,
            bucket_name=buckets[wanted.source].bucket_name,
            path=wanted.path,
            exports=wanted.source == "checkpoints",
            size_gib=wanted.size_gib,
            throughput=wanted.throughput,
            efa=wanted.efa,
        ),
        place.opts,
    )


def _express_name(place: Place, zone_id: str) -> str:
    """Unique in the zone, also among other accounts."""
    account = f"-{place.account_id}"
    most = 63 - len(f"{account}--{zone_id}--x-s3")
    return fitted(f"{place.stack_name}-express", most) + account


def _images(place: Place, region: Region, key: EncryptionKey) -> Mapping[str, Any]:
    outputs: dict[str, Any] = {}
    if (registry := region.registry) is not None:
        outputs["repositories"] = ImageRegistry(
            place.named("registry"),
            ImageRegistryArgs(
                prefix=fitted(place.stack_name, 100),
                repositories=registry.repositories,
                key_arn=key.key_arn,
                keep_images=registry.keep_images,
                scans_continuously=registry.scans_continuously,
            ),
            place.opts,
        ).repository_urls
    if (cache := region.image_cache) is not None:
        made = PullThroughCache(
            place.named("image-cache"),
            PullThroughCacheArgs(
                prefix=_cache_prefix(place),
                registries=cache.registries,
                credential_arns=cache.credentials,
                account_id=place.account_id,
                region=place.region,
                partition=place.partition,
                key_arn=key.key_arn,
                permissions_boundary_arn=place.boundary_arn,
            ),
            place.opts,
        )
        outputs["image_cache"] = pulumi.Output.concat(made.registry_host, "/", made.prefix)
    return outputs


def _urls(region: Region, urls: pulumi.Output[dict[str, str]] | None) -> Mapping[str, pulumi.Output[str]]:
    if region.registry is None or urls is None:
        return {}
    return {name: urls.apply(lambda known, name=name: known[name]) for name in region.registry.repositories}


def _cache_prefix(place: Place) -> str:
    """ECR leaves a prefix few characters: the stack's name without the project's."""
    return fitted(place.stack_name.split("-", 1)[1], 14)


def pull_policies(place: Place, region: Region) -> Mapping[str, pulumi.Input[str]]:
    """What the nodes' role needs beside the right to pull."""
    if region.image_cache is None:
        return {}
    granted = pull_through_cache.pull_statements(_cache_prefix(place), place.account_id, place.region, place.partition)
    return {"image-cache": document(*granted)}


def replicate(places: Mapping[str, Place], settings: Settings, built: Mapping[str, Built]) -> None:
    """Copy the buckets that ask for it to the other regions; both sides are there by now."""
    for name, place in places.items():
        for purpose, bucket in sorted(settings.regions[name].storage.buckets.items()):
            if not bucket.replicate_to:
                continue
            source = built[name].buckets[purpose]
            BucketReplication(
                place.named(f"{purpose}-copies"),
                BucketReplicationArgs(
                    region=name,
                    partition=place.partition,
                    bucket_name=source.bucket_name,
                    bucket_arn=source.bucket_arn,
                    key_arn=built[name].data_key.key_arn,
                    destination_bucket_arns={
                        other: built[other].buckets[purpose].bucket_arn for other in bucket.replicate_to
                    },
                    destination_key_arns={other: built[other].data_key.key_arn for other in bucket.replicate_to},
                    permissions_boundary_arn=place.boundary_arn,
                ),
                place.opts,
            )

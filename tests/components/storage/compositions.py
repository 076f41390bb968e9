"""Components of storage with the least they need, and all of them together as a region would have them."""

from collections.abc import Callable
from typing import Any

import pulumi
import pulumi_aws as aws

from components.identity.encryption_key import EncryptionKey, EncryptionKeyArgs
from components.storage.access_log_bucket import AccessLogBucket, AccessLogBucketArgs
from components.storage.encrypted_bucket import EncryptedBucket, EncryptedBucketArgs
from components.storage.express_bucket import ExpressBucket, ExpressBucketArgs
from components.storage.lustre_cache import LustreCache, LustreCacheArgs
from components.storage.mountpoint_driver import MountpointDriver, MountpointDriverArgs
from components.storage.pull_through_cache import PullThroughCache, PullThroughCacheArgs
from components.storage.registry import ImageRegistry, ImageRegistryArgs
from components.storage.replication import BucketReplication, BucketReplicationArgs
from tests.components.builds import ACCOUNT, KEY, REGION, Build

SECRET = f"arn:aws:secretsmanager:us-east-1:{ACCOUNT}:secret:ecr-pullthroughcache/hub-AbCdEf"
THERE = "us-west-2"


def access_logs(**changes: Any) -> Build:
    defaults: dict[str, Any] = {"account_id": ACCOUNT, "partition": "aws"}
    return lambda: AccessLogBucket("logs", AccessLogBucketArgs(**(defaults | changes)))


def replication_args(**changes: Any) -> BucketReplicationArgs:
    defaults: dict[str, Any] = {
        "region": "us-east-1",
        "partition": "aws",
        "bucket_name": "source",
        "bucket_arn": "arn:aws:s3:::source",
        "key_arn": KEY,
        "destination_bucket_arns": {THERE: "arn:aws:s3:::copy"},
        "destination_key_arns": {THERE: f"arn:aws:kms:{THERE}:{ACCOUNT}:key/there"},
    }
    return BucketReplicationArgs(**(defaults | changes))


def replication(**changes: Any) -> Build:
    return lambda: BucketReplication("copies", replication_args(**changes))


def lustre_args(**changes: Any) -> LustreCacheArgs:
    defaults: dict[str, Any] = {
        "cache_name": "gpufleet-dev-datasets",
        "region": "us-east-1",
        "zone": "us-east-1a",
        "subnet_id": "subnet-a",
        "security_group_ids": ["sg-lustre"],
        "key_arn": KEY,
        "log_key_arn": KEY,
        "bucket_name": "datasets-bucket",
        "size_gib": 4800,
    }
    return LustreCacheArgs(**(defaults | changes))


def lustre(**changes: Any) -> Build:
    return lambda: LustreCache("cache", lustre_args(**changes))


def express_args(**changes: Any) -> ExpressBucketArgs:
    defaults: dict[str, Any] = {"base_name": "gpufleet-dev", "zone_id": "use1-az4", "key_arn": KEY}
    return ExpressBucketArgs(**(defaults | changes))


def express(**changes: Any) -> Build:
    return lambda: ExpressBucket("fast", express_args(**changes))


def registry_args(**changes: Any) -> ImageRegistryArgs:
    defaults: dict[str, Any] = {"prefix": "gpufleet-dev", "repositories": ["trainer"], "key_arn": KEY}
    return ImageRegistryArgs(**(defaults | changes))


def registry(**changes: Any) -> Build:
    return lambda: ImageRegistry("images", registry_args(**changes))


def pull_through_args(**changes: Any) -> PullThroughCacheArgs:
    defaults: dict[str, Any] = {**REGION, "prefix": "gpufleet-dev", "registries": ["quay.io"], "key_arn": KEY}
    return PullThroughCacheArgs(**(defaults | changes))


def pull_through(**changes: Any) -> Build:
    return lambda: PullThroughCache("public", pull_through_args(**changes))


def mountpoint_driver(**changes: Any) -> Build:
    return lambda: MountpointDriver("mountpoint", MountpointDriverArgs(**({"cluster_name": "demo"} | changes)))


BUILDS: dict[str, Callable[..., Build]] = {
    "AccessLogBucket": access_logs,
    "BucketReplication": replication,
    "ExpressBucket": express,
    "ImageRegistry": registry,
    "LustreCache": lustre,
    "MountpointDriver": mountpoint_driver,
    "PullThroughCache": pull_through,
}

TAGS = {"owner": "ml-platform", "cost-center": "research", "expires": "2027-01-31"}


def everything(partition: str = "aws", here: str = "us-east-1", there: str = THERE) -> None:
    """Storage of one region with all that is offered, and the copy of its data sets in another."""
    opts = {
        region: pulumi.ResourceOptions(
            providers=[
                aws.Provider(
                    f"aws-{region}",
                    region=region,
                    allowed_account_ids=[ACCOUNT],
                    default_tags=aws.ProviderDefaultTagsArgs(tags=TAGS),
                )
            ]
        )
        for region in (here, there)
    }
    place: dict[str, Any] = {"account_id": ACCOUNT, "partition": partition}
    keys = {
        region: EncryptionKey(
            f"{region}-key",
            EncryptionKeyArgs(
                **place,
                region=region,
                purpose="data",
                alias="data",
                service_principals=["logs", "cloudwatch", "sns", "sqs", "events"],
                for_lustre_buckets=True,
            ),
            opts[region],
        ).key_arn
        for region in (here, there)
    }
    logs = AccessLogBucket("logs", AccessLogBucketArgs(**place), opts[here])
    buckets = {
        purpose: EncryptedBucket(
            purpose,
            EncryptedBucketArgs(
                purpose=purpose, key_arn=keys[here], partition=partition, access_log_bucket=logs.bucket_name
            ),
            opts[here],
        )
        for purpose in ("datasets", "checkpoints", "artifacts", "scratch")
    }
    copy = EncryptedBucket(
        "copy", EncryptedBucketArgs(purpose="datasets", key_arn=keys[there], partition=partition), opts[there]
    )
    BucketReplication(
        "copies",
        BucketReplicationArgs(
            partition=partition,
            region=here,
            bucket_name=buckets["datasets"].bucket_name,
            bucket_arn=buckets["datasets"].bucket_arn,
            key_arn=keys[here],
            destination_bucket_arns={there: copy.bucket_arn},
            destination_key_arns={there: keys[there]},
        ),
        opts[here],
    )
    LustreCache(
        "cache",
        lustre_args(
            region=here,
            zone=f"{here}a",
            efa=True,
            throughput=1000,
            key_arn=keys[here],
            log_key_arn=keys[here],
            bucket_name=buckets["datasets"].bucket_name,
        ),
        opts[here],
    )
    ExpressBucket("fast", express_args(key_arn=keys[here]), opts[here])
    ImageRegistry("images", registry_args(key_arn=keys[here], scans_continuously=True), opts[here])
    PullThroughCache(
        "public",
        pull_through_args(
            **place,
            region=here,
            registries=["public.ecr.aws", "registry.k8s.io", "quay.io", "docker.io", "ghcr.io"],
            credential_arns={
                name: SECRET.replace("arn:aws:", f"arn:{partition}:").replace("us-east-1", here)
                for name in ("docker.io", "ghcr.io")
            },
            key_arn=keys[here],
        ),
        opts[here],
    )
    MountpointDriver("mountpoint", MountpointDriverArgs(cluster_name="demo"), opts[here])

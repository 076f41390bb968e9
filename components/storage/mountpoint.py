"""Buckets as folders in pods, by Mountpoint for Amazon S3: the driver, and what Kubernetes is told of a volume.

Good for reading data sets. Not a file system: files are written once, from begin to end, and not renamed or appended
to, so most code that writes checkpoints needs the S3 API or a real file system.
"""

import re
from dataclasses import dataclass
from typing import Any

ADDON = "aws-mountpoint-s3-csi-driver"
DRIVER = "s3.csi.aws.com"
NAMESPACE, SERVICE_ACCOUNT = "kube-system", "s3-csi-driver-sa"
"""Who mounts, where a volume's `authentication` is `driver`; bind its role to this account by EKS Pod Identity."""
DRIVER_VALUES = {"node": {"tolerateAllTaints": True}}
"""The add-on's configuration: its daemon has to run where the GPUs are, whatever taint keeps others away."""
IGNORED_SIZE = "1Gi"
"""Kubernetes wants a size and a bucket has none; the driver ignores it."""
_DNS = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")
_SIZE = re.compile(r"[1-9][0-9]*(Mi|Gi|Ti)")


@dataclass(frozen=True, kw_only=True)
class BucketVolume:
    """A bucket, or the part of it below a prefix, that pods of one namespace mount.

    https://github.com/awslabs/mountpoint-s3-csi-driver/blob/main/docs/CONFIGURATION.md
    """

    name: str
    """Of the claim; the volume is called `{namespace}-{name}`."""
    namespace: str
    bucket_name: str
    region: str
    prefix: str = ""
    """Ends with `/`; what the role may read has to begin with it too."""
    read_only: bool = True
    """Right for data sets. Otherwise files can be added; to replace or delete them needs `allow_overwrite` and
    `allow_delete`."""
    allow_overwrite: bool = False
    allow_delete: bool = False
    authentication: str = "pod"
    """`pod`: as the pod's own service account, so that one team's role does not read for another; `driver`: one role
    for the whole cluster."""
    cache_size: str | None = None
    """`200Gi` for example: keeps what was read on the node's disk; give it where files are read more than once and the
    node has NVMe."""
    cache_storage_class: str | None = None
    """Keeps the cache on a volume of this class, made for the mount and gone with it, instead of on the node's disk;
    for nodes without NVMe."""
    express_cache_bucket: str | None = None
    """An S3 Express bucket as a cache that all nodes of its zone share."""
    metadata_ttl_seconds: int | None = None
    """For how long names and sizes are believed without asking; long for data sets that do not change. Left out, the
    driver decides (a minute with a cache, else hardly)."""

    def __post_init__(self) -> None:
        for field in ("name", "namespace"):
            if not _DNS.fullmatch(getattr(self, field)):
                raise ValueError(f"{field}: {getattr(self, field)!r} must be a DNS label: lower case, digits, inner -")
        if self.prefix and (not self.prefix.endswith("/") or self.prefix.startswith("/")):
            raise ValueError(f"prefix: {self.prefix!r} must end with / and not begin with it, such as imagenet/")
        if self.authentication not in ("pod", "driver"):
            raise ValueError(f"authentication: {self.authentication!r} is not known; allowed are pod, driver")
        if self.read_only and (self.allow_overwrite or self.allow_delete):
            raise ValueError("read_only: nothing can be overwritten or deleted in it; set it false or drop the others")
        if self.cache_size is not None and not _SIZE.fullmatch(self.cache_size):
            raise ValueError(f"cache_size: {self.cache_size!r} must be a size such as 200Gi")
        if self.cache_storage_class is not None and self.cache_size is None:
            raise ValueError("cache_size: a cache on a volume needs a size, such as 200Gi")
        if self.metadata_ttl_seconds is not None and self.metadata_ttl_seconds < 0:
            raise ValueError(f"metadata_ttl_seconds: {self.metadata_ttl_seconds} must not be negative")


def manifests(volume: BucketVolume) -> list[dict[str, Any]]:
    """The volume and the claim on it, as Kubernetes takes them.

    Provisioned by hand, as the driver wants: no storage class, and each names the other, so that nobody else's claim
    gets the bucket. Deleting the claim never deletes the bucket.
    """
    volume_name = f"{volume.namespace}-{volume.name}"
    modes = ["ReadOnlyMany" if volume.read_only else "ReadWriteMany"]
    return [
        {
            "apiVersion": "v1",
            "kind": "PersistentVolume",
            "metadata": {"name": volume_name},
            "spec": {
                "capacity": {"storage": IGNORED_SIZE},
                "accessModes": modes,
                "storageClassName": "",
                "persistentVolumeReclaimPolicy": "Retain",
                "claimRef": {
                    "apiVersion": "v1",
                    "kind": "PersistentVolumeClaim",
                    "namespace": volume.namespace,
                    "name": volume.name,
                },
                "mountOptions": _mount_options(volume),
                "csi": {"driver": DRIVER, "volumeHandle": volume_name, "volumeAttributes": _attributes(volume)},
            },
        },
        {
            "apiVersion": "v1",
            "kind": "PersistentVolumeClaim",
            "metadata": {"name": volume.name, "namespace": volume.namespace},
            "spec": {
                "accessModes": modes,
                "storageClassName": "",
                "volumeName": volume_name,
                "resources": {"requests": {"storage": IGNORED_SIZE}},
            },
        },
    ]


def _mount_options(volume: BucketVolume) -> list[str]:
    options = [f"region {volume.region}"]
    if volume.prefix:
        options.append(f"prefix {volume.prefix}")
    if volume.read_only:
        options.append("read-only")
    if volume.allow_overwrite:
        options.append("allow-overwrite")
    if volume.allow_delete:
        options.append("allow-delete")
    if volume.metadata_ttl_seconds is not None:
        options.append(f"metadata-ttl {volume.metadata_ttl_seconds}")
    if volume.express_cache_bucket is not None:
        options.append(f"cache-xz {volume.express_cache_bucket}")
    return options


def _attributes(volume: BucketVolume) -> dict[str, str]:
    return {"bucketName": volume.bucket_name, "authenticationSource": volume.authentication, **_cache(volume)}


def _cache(volume: BucketVolume) -> dict[str, str]:
    if volume.cache_size is None:
        return {}
    if volume.cache_storage_class is None:
        return {"cache": "emptyDir", "cacheEmptyDirSizeLimit": volume.cache_size}
    return {
        "cache": "ephemeral",
        "cacheEphemeralStorageClassName": volume.cache_storage_class,
        "cacheEphemeralStorageResourceRequest": volume.cache_size,
    }

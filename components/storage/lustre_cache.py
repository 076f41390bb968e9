"""A fast file system beside the GPUs that fills itself from a bucket."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import pulumi
import pulumi_aws as aws

from ..arguments import typed
from ..ordering import after
from . import locality, lustre_capacity, protection

LOG_PREFIX = "/aws/fsx/"
"""FSx writes to groups of such names only."""
LUSTRE_VERSION = "2.15"
"""What the clients in the kernels of current images mount."""
_SQUASH = re.compile(r"(?P<user>[0-9]{1,10}):(?P<group>[0-9]{1,10})")
_NAME = re.compile(r"[A-Za-z0-9._/#-]{1,100}")


@dataclass(frozen=True, kw_only=True)
class LustreCacheArgs:
    """What a `LustreCache` is made from."""

    cache_name: str
    """Unique in the account and region: names the log group, and the file system's Name tag."""
    region: str
    zone: str
    """The availability zone, by name; the zone of the pool that reads it (see `locality`)."""
    subnet_id: pulumi.Input[str]
    """A private subnet in that zone."""
    security_group_ids: Sequence[pulumi.Input[str]]
    """Groups that admit Lustre (TCP 988 and 1018 to 1023) from the nodes and from themselves; with EFA everything
    from and to themselves. Take them from an output that waits for the rules: FSx checks them when it creates."""
    key_arn: pulumi.Input[str]
    log_key_arn: pulumi.Input[str]
    """The key of the log; its policy must let CloudWatch Logs use it."""
    log_retention_days: int = 90
    bucket_name: pulumi.Input[str]
    """The bucket it fills from, in the same region. Its key's policy must let FSx use it: see `for_lustre_buckets` of
    `EncryptionKeyArgs`."""
    bucket_prefix: str = ""
    """Only keys that begin so, `imagenet/` for example; empty takes the whole bucket."""
    path: str = "/data"
    """Where the bucket shows in the file system."""
    exports: bool = False
    """Whether new, changed and deleted files go back to the bucket by themselves. Not for data sets: a job that can
    spoil its cache must not spoil the source."""
    size_gib: int
    """1200, 2400 or a multiple of 2400; with EFA a multiple of what `lustre_capacity.EFA_STEP_GIB` holds."""
    throughput: int = 250
    """MB/s for each TiB: 125, 250, 500 or 1000; with EFA it cannot be changed later."""
    efa: bool = False
    """Whether clients with EFA (and GPUDirect Storage) bypass the kernel; decided when it is created, for good."""
    metadata_iops: int | None = None
    """Creations and look-ups of files a second; left out, they scale with the size."""
    compression: str = "LZ4"
    """`LZ4`, which costs nothing, or `NONE` where files are compressed already."""
    protection: str | None = None
    """`protect`, `retain` or `none`, as in `EncryptedBucket`. Left out: `protect` for a cache that exports, which may
    hold what has not reached the bucket yet, else `none`."""
    root_squash: str = "65534:65534"
    """User and group that root on a client is taken for, `UID:GID`, neither of them 0: containers often run as root."""

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.cache_name):
            raise ValueError(
                f"cache_name: {self.cache_name!r} must be 1 to 100 letters, digits and . _ / # -; it names a log group"
            )
        locality.check_zone(self.zone, self.region, "the cache")
        lustre_capacity.check(self.size_gib, self.throughput, efa=self.efa, metadata_iops=self.metadata_iops)
        if not self.security_group_ids:
            raise ValueError("security_group_ids: is empty; FSx would take the default group, which is closed")
        if not self.path.startswith("/") or (self.path != "/" and self.path.endswith("/")):
            raise ValueError(f"path: {self.path!r} must begin with / and not end with it, such as /data")
        if self.bucket_prefix.startswith("/"):
            raise ValueError(f"bucket_prefix: {self.bucket_prefix!r} begins with /; S3 keys do not, leave it off")
        protection.kind(self.protection, "none")
        if self.compression not in ("LZ4", "NONE"):
            raise ValueError(f"compression: {self.compression!r} is not known; allowed are LZ4, NONE")
        squash = _SQUASH.fullmatch(self.root_squash)
        if squash is None or not int(squash["user"]) or not int(squash["group"]):
            raise ValueError(
                f"root_squash: {self.root_squash!r} must be UID:GID, neither of them 0, such as 65534:65534; "
                "with 0 any container that runs as root owns every file"
            )


class LustreCache(pulumi.ComponentResource):
    """An FSx for Lustre file system (PERSISTENT_2, SSD) linked to a bucket, in one zone.

    Creates: its log group; the file system, encrypted under the key, root squashed; the association with the bucket,
    which lists what is there and follows what comes and goes, and reads a file's bytes when it is first opened.
    Deliberately not: backups, which FSx does not make of linked file systems (the bucket is what lasts, so the cache
    may go at any time); the mount on the nodes; the security group.
    """

    file_system_id: pulumi.Output[str]
    """Whoever takes it waits for the bucket to be linked."""
    dns_name: pulumi.Output[str]
    mount_name: pulumi.Output[str]
    zone: pulumi.Output[str]
    """The only one in which reading it is local."""
    path: pulumi.Output[str]
    """Where the bucket shows, below the mount."""

    def __init__(self, name: str, args: LustreCacheArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("gpufleet:index:LustreCache", name, None, opts)
        args = typed(args, LustreCacheArgs)
        child = pulumi.ResourceOptions(parent=self)
        usual = "protect" if args.exports else "none"
        kept = pulumi.ResourceOptions.merge(child, protection.options(protection.kind(args.protection, usual)))

        log = aws.cloudwatch.LogGroup(
            f"{name}-log",
            name=f"{LOG_PREFIX}{args.cache_name}",
            retention_in_days=args.log_retention_days,
            kms_key_id=args.log_key_arn,
            opts=child,
        )
        system = aws.fsx.LustreFileSystem(
            name,
            deployment_type="PERSISTENT_2",
            storage_type="SSD",
            storage_capacity=args.size_gib,
            per_unit_storage_throughput=args.throughput,
            file_system_type_version=LUSTRE_VERSION,
            data_compression_type=args.compression,
            efa_enabled=True if args.efa else None,
            metadata_configuration=aws.fsx.LustreFileSystemMetadataConfigurationArgs(
                mode="AUTOMATIC" if args.metadata_iops is None else "USER_PROVISIONED", iops=args.metadata_iops
            ),
            subnet_ids=args.subnet_id,
            security_group_ids=args.security_group_ids,
            kms_key_id=args.key_arn,
            root_squash_configuration=aws.fsx.LustreFileSystemRootSquashConfigurationArgs(root_squash=args.root_squash),
            log_configuration=aws.fsx.LustreFileSystemLogConfigurationArgs(level="WARN_ERROR", destination=log.arn),
            automatic_backup_retention_days=0,
            skip_final_backup=True,
            tags={"Name": args.cache_name},
            opts=kept,
        )
        linked = aws.fsx.DataRepositoryAssociation(
            name,
            file_system_id=system.id,
            file_system_path=args.path,
            data_repository_path=pulumi.Output.concat("s3://", args.bucket_name, "/", args.bucket_prefix),
            batch_import_meta_data_on_create=True,
            # The bucket keeps the files; without this their copies would hold space that nothing refills.
            delete_data_in_filesystem=True,
            s3=aws.fsx.DataRepositoryAssociationS3Args(
                auto_import_policy=aws.fsx.DataRepositoryAssociationS3AutoImportPolicyArgs(events=_EVENTS),
                auto_export_policy=(
                    aws.fsx.DataRepositoryAssociationS3AutoExportPolicyArgs(events=_EVENTS) if args.exports else None
                ),
            ),
            opts=kept,
        )

        self.file_system_id = after(system.id, linked)
        self.dns_name = after(system.dns_name, linked)
        self.mount_name = after(system.mount_name, linked)
        self.zone = pulumi.Output.from_input(args.zone)
        self.path = pulumi.Output.from_input(args.path)
        self.register_outputs(
            {
                "fileSystemId": self.file_system_id,
                "dnsName": self.dns_name,
                "mountName": self.mount_name,
                "zone": self.zone,
                "path": self.path,
            }
        )


_EVENTS = ["NEW", "CHANGED", "DELETED"]

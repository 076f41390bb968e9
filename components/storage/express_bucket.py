"""A directory bucket: S3 in one zone, with answers in single-digit milliseconds."""

import re
from dataclasses import dataclass

import pulumi
import pulumi_aws as aws

from ..arguments import typed
from ..identity.statements import BUCKET_LIMIT, Statement, document
from ..ordering import after
from . import bucket_policy, lifecycle, protection

LIFECYCLE = "lifecycle.s3.amazonaws.com"
"""https://docs.aws.amazon.com/AmazonS3/latest/userguide/directory-buckets-objects-lifecycle.html"""
_ZONE_ID = re.compile(r"[a-z0-9]+-az[0-9]+")
_BASE = re.compile(r"[a-z0-9][a-z0-9-]*[a-z0-9]")
_LONGEST = 63


@dataclass(frozen=True, kw_only=True)
class ExpressBucketArgs:
    """What an `ExpressBucket` is made from."""

    base_name: str
    """Unique in the zone, also among other accounts; the zone and S3's suffix are put behind it."""
    zone_id: str
    """`use1-az4`, not `us-east-1a`: which name stands for which id differs from account to account
    (`aws ec2 describe-availability-zones`). Not every zone has the service."""
    key_arn: pulumi.Input[str]
    """For good: a directory bucket takes one key of one's own in its life."""
    keep_days: int = 14
    """Days after which objects expire: what lies in one zone is a copy, or soon will be."""
    protection: str = "none"
    """`protect`, `retain` or `none`, as in `EncryptedBucket`."""

    def __post_init__(self) -> None:
        if not _ZONE_ID.fullmatch(self.zone_id):
            raise ValueError(
                f"zone_id: {self.zone_id!r} is not a zone's id; write one like use1-az4, as "
                "`aws ec2 describe-availability-zones` tells for your account"
            )
        if not _BASE.fullmatch(self.base_name) or len(self.bucket_name) > _LONGEST:
            raise ValueError(
                f"base_name: {self.base_name!r} must be lower-case letters, digits and inner hyphens, at most "
                f"{_LONGEST - len(self.bucket_name) + len(self.base_name)} of them, so that {self.bucket_name} fits "
                f"{_LONGEST}"
            )
        if self.keep_days < 1:
            raise ValueError(f"keep_days: {self.keep_days} must be 1 or more")
        protection.kind(self.protection, "none")

    @property
    def bucket_name(self) -> str:
        """The name as S3 wants it, with the zone in it."""
        return f"{self.base_name}--{self.zone_id}--x-s3"


class ExpressBucket(pulumi.ComponentResource):
    """An S3 Express One Zone bucket under a key, closed, with objects that expire.

    Creates: the bucket; default encryption; lifecycle (expiry and abandoned uploads: a directory bucket has no tiers);
    a policy that refuses plain HTTP and old TLS, and lets S3's lifecycle open a session to delete. Public access is
    always blocked there, and ACLs do not exist. Deliberately not: versions, replication, access logs, which directory
    buckets lack: a checkpoint here needs its copy in an `EncryptedBucket`, or goes with its zone.
    """

    bucket_name: pulumi.Output[str]
    bucket_arn: pulumi.Output[str]

    def __init__(self, name: str, args: ExpressBucketArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("gpufleet:index:ExpressBucket", name, None, opts)
        args = typed(args, ExpressBucketArgs)
        child = pulumi.ResourceOptions.merge(pulumi.ResourceOptions(parent=self), protection.options(args.protection))

        bucket = aws.s3.DirectoryBucket(
            name,
            bucket=args.bucket_name,
            data_redundancy="SingleAvailabilityZone",
            location=aws.s3.DirectoryBucketLocationArgs(name=args.zone_id, type="AvailabilityZone"),
            opts=child,
        )
        encryption = aws.s3.BucketServerSideEncryptionConfiguration(
            name,
            bucket=bucket.bucket,
            rules=[
                aws.s3.BucketServerSideEncryptionConfigurationRuleArgs(
                    apply_server_side_encryption_by_default=aws.s3.BucketServerSideEncryptionConfigurationRuleApplyServerSideEncryptionByDefaultArgs(
                        sse_algorithm="aws:kms", kms_master_key_id=args.key_arn
                    ),
                    bucket_key_enabled=True,
                )
            ],
            opts=child,
        )
        policy = aws.s3.BucketPolicy(
            name, bucket=bucket.bucket, policy=document(*statements(bucket.arn), limit=BUCKET_LIMIT), opts=child
        )
        aws.s3.BucketLifecycleConfiguration(
            name,
            bucket=bucket.bucket,
            rules=[lifecycle.abort_abandoned_uploads(), lifecycle.expire_objects(args.keep_days)],
            opts=pulumi.ResourceOptions.merge(child, pulumi.ResourceOptions(depends_on=[policy])),
        )

        self.bucket_name = after(bucket.bucket, encryption, policy)
        self.bucket_arn = after(bucket.arn, encryption, policy)
        self.register_outputs({"bucketName": self.bucket_name, "bucketArn": self.bucket_arn})


def statements(bucket_arn: pulumi.Input[str]) -> list[Statement]:
    """The bucket's policy. A directory bucket is one resource to IAM: its objects are reached through a session.

    Only the owner can give a bucket its lifecycle, so S3's service acts here for nobody else; AWS documents no further
    condition for it."""
    because = "a refusal bites whatever is done and by whomever"
    return [
        Statement(
            sid="LifecycleDeletes",
            principals={"Service": LIFECYCLE},
            actions=["s3express:CreateSession"],
            resources=[bucket_arn],
            conditions={"StringEquals": {"s3express:SessionMode": "ReadWrite"}},
        ),
        Statement(
            sid="RefusePlainHttp",
            effect="Deny",
            principals={"AWS": "*"},
            actions=["s3express:*"],
            resources=[bucket_arn],
            conditions={"Bool": {"aws:SecureTransport": "false"}},
            because=because,
        ),
        Statement(
            sid="RefuseOldTls",
            effect="Deny",
            principals={"AWS": "*"},
            actions=["s3express:*"],
            resources=[bucket_arn],
            conditions={"NumericLessThan": {"s3express:TlsVersion": bucket_policy.MINIMUM_TLS}},
            because=because,
        ),
    ]

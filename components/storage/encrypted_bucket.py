"""A bucket for one purpose: encrypted under a given key, closed, versioned, and tidied by itself."""

from dataclasses import dataclass

import pulumi
import pulumi_aws as aws

from ..arguments import typed
from ..ordering import after
from . import bucket_policy, closed_bucket, lifecycle, protection

PURPOSES = ("datasets", "checkpoints", "artifacts", "scratch")


@dataclass(frozen=True, kw_only=True)
class EncryptedBucketArgs:
    """What an `EncryptedBucket` is made from."""

    purpose: str
    """`datasets`, `checkpoints`, `artifacts` or `scratch`; decides how long old versions, and scratch objects, are
    kept, and that data sets move to a cheaper tier when nobody reads them."""
    key_arn: pulumi.Input[str]
    partition: str
    keep_days: int | None = None
    """Days after which objects expire; left out, they stay (scratch: 14 days)."""
    access_log_bucket: pulumi.Input[str] | None = None
    """Name of the bucket that takes the access log, under this component's name (see `AccessLogBucket`); none is kept
    without it."""
    protection: str | None = None
    """`protect`: a destroy is refused; `retain`: it leaves the bucket in the account; `none`: it takes the bucket,
    which S3 allows only when that is empty. Left out: `none` for scratch, `protect` for what cannot be made again."""
    workspace: str | None = None
    """The team whose data alone lies here, if one's does; a tag, by which its clean-up finds the bucket."""

    def __post_init__(self) -> None:
        if self.purpose not in PURPOSES:
            raise ValueError(f"purpose: {self.purpose!r} is not known; allowed are {', '.join(PURPOSES)}")
        if self.keep_days is not None and self.keep_days < 1:
            raise ValueError(f"keep_days: {self.keep_days} must be 1 or more; leave it out to keep objects")
        protection.kind(self.protection, "none")


class EncryptedBucket(pulumi.ComponentResource):
    """An S3 bucket with everything that keeps it private.

    Creates: the bucket (its name made by the engine); default encryption under the key, with a bucket key to spare
    KMS calls; the block of public access; ownership without ACLs; versioning; lifecycle; a policy that refuses plain
    HTTP, old TLS and other keys; the access log, where there is a bucket for it. Deliberately not: grants to anybody,
    replication (see `BucketReplication`), deletion of a bucket that holds objects.
    """

    bucket_name: pulumi.Output[str]
    """Whoever takes it waits until the bucket is encrypted and closed."""
    bucket_arn: pulumi.Output[str]

    def __init__(self, name: str, args: EncryptedBucketArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("gpufleet:index:EncryptedBucket", name, None, opts)
        args = typed(args, EncryptedBucketArgs)
        child = pulumi.ResourceOptions(parent=self)
        usual = "none" if args.purpose == "scratch" else "protect"

        made = closed_bucket.build(
            name,
            args.purpose,
            lifecycle.rules(args.purpose, args.keep_days),
            lambda arn: bucket_policy.build(arn, args.key_arn),
            pulumi.ResourceOptions.merge(child, protection.options(protection.kind(args.protection, usual))),
            key_arn=args.key_arn,
            workspace=args.workspace,
        )
        if args.access_log_bucket is not None:
            aws.s3.BucketLogging(
                name, bucket=made.bucket.id, target_bucket=args.access_log_bucket, target_prefix=f"{name}/", opts=child
            )

        self.bucket_name = after(made.bucket.id, *made.ready)
        self.bucket_arn = after(made.bucket.arn, *made.ready)
        self.register_outputs({"bucketName": self.bucket_name, "bucketArn": self.bucket_arn})

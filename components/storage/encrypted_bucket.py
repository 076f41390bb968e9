"""A bucket for one purpose: encrypted under a given key, closed, versioned, and tidied by itself."""

from dataclasses import dataclass

import pulumi
import pulumi_aws as aws

from ..arguments import typed
from ..ordering import after
from . import bucket_policy

OLD_VERSION_DAYS = {"datasets": 30, "checkpoints": 7, "artifacts": 90, "scratch": 1}
"""Days for which an overwritten or deleted object can be brought back, by purpose. Old checkpoints are large and
replaced by the hour; artifacts are small and referred to for long."""
SCRATCH_KEEP_DAYS = 14
ABANDONED_UPLOAD_DAYS = 7
"""Parts of an upload that died are billed and shown in no listing."""


@dataclass(frozen=True, kw_only=True)
class EncryptedBucketArgs:
    """What an `EncryptedBucket` is made from."""

    purpose: str
    """`datasets`, `checkpoints`, `artifacts` or `scratch`; decides how long old versions, and scratch objects, are
    kept."""
    key_arn: pulumi.Input[str]
    partition: str
    keep_days: int | None = None
    """Days after which objects expire; left out, they stay (scratch: 14 days)."""
    access_log_bucket: pulumi.Input[str] | None = None
    """Name of the bucket that takes the access log, under this component's name; none is kept without it."""

    def __post_init__(self) -> None:
        if self.purpose not in OLD_VERSION_DAYS:
            raise ValueError(f"purpose: {self.purpose!r} is not known; allowed are {', '.join(OLD_VERSION_DAYS)}")
        if self.keep_days is not None and self.keep_days < 1:
            raise ValueError(f"keep_days: {self.keep_days} must be 1 or more; leave it out to keep objects")


class EncryptedBucket(pulumi.ComponentResource):
    """An S3 bucket with everything that keeps it private.

    Creates: the bucket (its name made by the engine); default encryption under the key, with a bucket key to spare
    KMS calls; the block of public access; ownership without ACLs; versioning; lifecycle; a policy that refuses plain
    HTTP, old TLS and other keys. Deliberately not: grants to anybody, replication, protection from deletion (give
    `opts` with `protect`).
    """

    bucket_name: pulumi.Output[str]
    """Whoever takes it waits until the bucket is encrypted and closed."""
    bucket_arn: pulumi.Output[str]

    def __init__(self, name: str, args: EncryptedBucketArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("gpufleet:index:EncryptedBucket", name, None, opts)
        args = typed(args, EncryptedBucketArgs)
        child = pulumi.ResourceOptions(parent=self)

        bucket = aws.s3.Bucket(name, tags={"purpose": args.purpose}, opts=child)
        encryption = aws.s3.BucketServerSideEncryptionConfiguration(
            name,
            bucket=bucket.id,
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
        closed = aws.s3.BucketPublicAccessBlock(
            name,
            bucket=bucket.id,
            block_public_acls=True,
            block_public_policy=True,
            ignore_public_acls=True,
            restrict_public_buckets=True,
            opts=child,
        )
        owned = aws.s3.BucketOwnershipControls(
            name,
            bucket=bucket.id,
            rule=aws.s3.BucketOwnershipControlsRuleArgs(object_ownership="BucketOwnerEnforced"),
            opts=child,
        )
        versioned = aws.s3.BucketVersioning(
            name,
            bucket=bucket.id,
            versioning_configuration=aws.s3.BucketVersioningVersioningConfigurationArgs(status="Enabled"),
            opts=child,
        )
        aws.s3.BucketLifecycleConfiguration(
            name,
            bucket=bucket.id,
            rules=lifecycle(args.purpose, args.keep_days),
            opts=pulumi.ResourceOptions.merge(child, pulumi.ResourceOptions(depends_on=[versioned])),
        )
        policy = aws.s3.BucketPolicy(
            name,
            bucket=bucket.id,
            policy=bucket_policy.build(bucket.arn, args.key_arn),
            # S3 refuses a policy while the block of public access is being changed.
            opts=pulumi.ResourceOptions.merge(child, pulumi.ResourceOptions(depends_on=[closed])),
        )
        if args.access_log_bucket is not None:
            aws.s3.BucketLogging(
                name, bucket=bucket.id, target_bucket=args.access_log_bucket, target_prefix=f"{name}/", opts=child
            )

        ready = [encryption, closed, owned, versioned, policy]
        self.bucket_name = after(bucket.id, *ready)
        self.bucket_arn = after(bucket.arn, *ready)
        self.register_outputs({"bucketName": self.bucket_name, "bucketArn": self.bucket_arn})


def lifecycle(purpose: str, keep_days: int | None) -> list[aws.s3.BucketLifecycleConfigurationRuleArgs]:
    """The lifecycle rules of a bucket for the purpose; all of them for every object."""
    rules = [
        _rule(
            "abort-abandoned-uploads",
            abort_incomplete_multipart_upload=aws.s3.BucketLifecycleConfigurationRuleAbortIncompleteMultipartUploadArgs(
                days_after_initiation=ABANDONED_UPLOAD_DAYS
            ),
        ),
        _rule(
            "expire-old-versions",
            noncurrent_version_expiration=aws.s3.BucketLifecycleConfigurationRuleNoncurrentVersionExpirationArgs(
                noncurrent_days=OLD_VERSION_DAYS[purpose]
            ),
        ),
        # A rule of its own: S3 does not take it together with an age.
        _rule(
            "remove-spent-delete-markers",
            expiration=aws.s3.BucketLifecycleConfigurationRuleExpirationArgs(expired_object_delete_marker=True),
        ),
    ]
    days = keep_days if keep_days is not None else SCRATCH_KEEP_DAYS if purpose == "scratch" else None
    if days is not None:
        rules.append(
            _rule("expire-objects", expiration=aws.s3.BucketLifecycleConfigurationRuleExpirationArgs(days=days))
        )
    return rules


def _rule(
    id: str,
    *,
    expiration: aws.s3.BucketLifecycleConfigurationRuleExpirationArgs | None = None,
    noncurrent_version_expiration: aws.s3.BucketLifecycleConfigurationRuleNoncurrentVersionExpirationArgs | None = None,
    abort_incomplete_multipart_upload: (
        aws.s3.BucketLifecycleConfigurationRuleAbortIncompleteMultipartUploadArgs | None
    ) = None,
) -> aws.s3.BucketLifecycleConfigurationRuleArgs:
    return aws.s3.BucketLifecycleConfigurationRuleArgs(
        id=id,
        status="Enabled",
        filter=aws.s3.BucketLifecycleConfigurationRuleFilterArgs(prefix=""),
        expiration=expiration,
        noncurrent_version_expiration=noncurrent_version_expiration,
        abort_incomplete_multipart_upload=abort_incomplete_multipart_upload,
    )

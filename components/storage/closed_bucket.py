"""A bucket and all that closes it, whatever it is for."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pulumi
import pulumi_aws as aws

from ..identity.encryption_key import WORKSPACE_TAG
from .lifecycle import Rule


@dataclass(frozen=True)
class ClosedBucket:
    """What was made."""

    bucket: aws.s3.Bucket
    ready: Sequence[pulumi.Resource]
    """What must stand before anybody uses the bucket."""


def build(
    name: str,
    purpose: str,
    rules: Sequence[Rule],
    policy: Callable[[pulumi.Output[str]], pulumi.Output[str]],
    kept: pulumi.ResourceOptions,
    *,
    key_arn: pulumi.Input[str] | None,
    workspace: str | None = None,
) -> ClosedBucket:
    """A bucket named by the engine: encrypted, owned without ACLs, versioned, tidied, closed.

    `policy` makes the bucket's policy from its ARN. Without `key_arn`, objects are under S3's own key.
    `workspace` tags it as one team's.
    """
    tags = {"purpose": purpose} if workspace is None else {"purpose": purpose, WORKSPACE_TAG: workspace}
    bucket = aws.s3.Bucket(name, tags=tags, opts=kept)
    encryption = aws.s3.BucketServerSideEncryptionConfiguration(
        name, bucket=bucket.id, rules=[_under_key(key_arn) if key_arn is not None else _under_s3s_key()], opts=kept
    )
    closed = aws.s3.BucketPublicAccessBlock(
        name,
        bucket=bucket.id,
        block_public_acls=True,
        block_public_policy=True,
        ignore_public_acls=True,
        restrict_public_buckets=True,
        opts=kept,
    )
    owned = aws.s3.BucketOwnershipControls(
        name,
        bucket=bucket.id,
        rule=aws.s3.BucketOwnershipControlsRuleArgs(object_ownership="BucketOwnerEnforced"),
        opts=kept,
    )
    versioned = aws.s3.BucketVersioning(
        name,
        bucket=bucket.id,
        versioning_configuration=aws.s3.BucketVersioningVersioningConfigurationArgs(status="Enabled"),
        opts=kept,
    )
    aws.s3.BucketLifecycleConfiguration(
        name,
        bucket=bucket.id,
        rules=rules,
        opts=pulumi.ResourceOptions.merge(kept, pulumi.ResourceOptions(depends_on=[versioned])),
    )
    refusals = aws.s3.BucketPolicy(
        name,
        bucket=bucket.id,
        policy=policy(bucket.arn),
        # S3 refuses a policy while the block of public access is being changed.
        opts=pulumi.ResourceOptions.merge(kept, pulumi.ResourceOptions(depends_on=[closed])),
    )
    return ClosedBucket(bucket, [encryption, closed, owned, versioned, refusals])


def _under_key(key_arn: pulumi.Input[str]) -> aws.s3.BucketServerSideEncryptionConfigurationRuleArgs:
    """The bucket key spares a KMS call an object."""
    return aws.s3.BucketServerSideEncryptionConfigurationRuleArgs(
        apply_server_side_encryption_by_default=aws.s3.BucketServerSideEncryptionConfigurationRuleApplyServerSideEncryptionByDefaultArgs(
            sse_algorithm="aws:kms", kms_master_key_id=key_arn
        ),
        bucket_key_enabled=True,
    )


def _under_s3s_key() -> aws.s3.BucketServerSideEncryptionConfigurationRuleArgs:
    return aws.s3.BucketServerSideEncryptionConfigurationRuleArgs(
        apply_server_side_encryption_by_default=aws.s3.BucketServerSideEncryptionConfigurationRuleApplyServerSideEncryptionByDefaultArgs(
            sse_algorithm="AES256"
        )
    )

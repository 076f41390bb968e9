"""What a bucket tidies by itself."""

from collections.abc import Sequence

import pulumi_aws as aws

OLD_VERSION_DAYS = {"datasets": 30, "checkpoints": 7, "artifacts": 90, "scratch": 1, "access-logs": 30}
"""Days for which an overwritten or deleted object can be brought back, by purpose. Old checkpoints are large and
replaced by the hour; artifacts are small and referred to for long."""
KEEP_DAYS = {"scratch": 14, "access-logs": 365}
"""Days after which an object expires where nobody said otherwise; the other purposes keep theirs."""
TIERED = frozenset({"datasets"})
"""Read in bursts, with months between them. Intelligent-Tiering charges nothing to read what it put in a cheaper tier,
which a data set read whole would make dear. It takes objects above 128 KiB; smaller ones stay as they are.
https://docs.aws.amazon.com/AmazonS3/latest/userguide/intelligent-tiering-overview.html"""
ABANDONED_UPLOAD_DAYS = 7
"""Parts of an upload that died are billed and shown in no listing."""

Rule = aws.s3.BucketLifecycleConfigurationRuleArgs


def rules(purpose: str, keep_days: int | None = None) -> list[Rule]:
    """The lifecycle rules of a bucket for the purpose; all of them for every object."""
    found = [
        abort_abandoned_uploads(),
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
    days = keep_days if keep_days is not None else KEEP_DAYS.get(purpose)
    if days is not None:
        found.append(expire_objects(days))
    if purpose in TIERED:
        found.append(
            _rule(
                "tier-by-use",
                transitions=[
                    aws.s3.BucketLifecycleConfigurationRuleTransitionArgs(days=0, storage_class="INTELLIGENT_TIERING")
                ],
            )
        )
    return found


def abort_abandoned_uploads() -> Rule:
    """Parts of uploads that were never finished go after a week."""
    return _rule(
        "abort-abandoned-uploads",
        abort_incomplete_multipart_upload=aws.s3.BucketLifecycleConfigurationRuleAbortIncompleteMultipartUploadArgs(
            days_after_initiation=ABANDONED_UPLOAD_DAYS
        ),
    )


def expire_objects(days: int) -> Rule:
    """Every object goes that many days after it was written."""
    return _rule("expire-objects", expiration=aws.s3.BucketLifecycleConfigurationRuleExpirationArgs(days=days))


def _rule(
    id: str,
    *,
    expiration: aws.s3.BucketLifecycleConfigurationRuleExpirationArgs | None = None,
    noncurrent_version_expiration: aws.s3.BucketLifecycleConfigurationRuleNoncurrentVersionExpirationArgs | None = None,
    abort_incomplete_multipart_upload: (
        aws.s3.BucketLifecycleConfigurationRuleAbortIncompleteMultipartUploadArgs | None
    ) = None,
    transitions: Sequence[aws.s3.BucketLifecycleConfigurationRuleTransitionArgs] | None = None,
) -> Rule:
    return Rule(
        id=id,
        status="Enabled",
        filter=aws.s3.BucketLifecycleConfigurationRuleFilterArgs(prefix=""),
        expiration=expiration,
        noncurrent_version_expiration=noncurrent_version_expiration,
        abort_incomplete_multipart_upload=abort_incomplete_multipart_upload,
        transitions=transitions,
    )

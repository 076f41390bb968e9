"""Where the other buckets of a region and account write down who asked them for what."""

from dataclasses import dataclass

import pulumi

from ..arguments import typed
from ..ordering import after
from . import bucket_policy, closed_bucket, lifecycle, protection

PURPOSE = "access-logs"


@dataclass(frozen=True, kw_only=True)
class AccessLogBucketArgs:
    """What an `AccessLogBucket` is made from."""

    account_id: str
    """Twelve digits; only buckets of this account may log here."""
    partition: str
    keep_days: int = lifecycle.KEEP_DAYS[PURPOSE]
    """Days for which an entry can be read."""
    protection: str = "protect"
    """`protect`, `retain` or `none`, as in `EncryptedBucket`: a log that goes with what it is about proves nothing."""

    def __post_init__(self) -> None:
        if self.keep_days < 1:
            raise ValueError(f"keep_days: {self.keep_days} must be 1 or more; 365 is usual for what auditors ask for")
        protection.kind(self.protection, "none")


class AccessLogBucket(pulumi.ComponentResource):
    """The S3 bucket for access logs of buckets in the same region and account.

    Closed, versioned and tidied like an `EncryptedBucket`, with one difference: its objects are under S3's own key
    (SSE-S3). S3's log delivery does not support a bucket whose default is a KMS key: with one, logs can fail to
    arrive and no error is raised (https://docs.aws.amazon.com/AmazonS3/latest/userguide/enable-server-access-logging.html).
    Deliberately not: an access log of its own, which would grow by being written.
    """

    bucket_name: pulumi.Output[str]
    """Whoever takes it waits until log delivery may write."""
    bucket_arn: pulumi.Output[str]

    def __init__(self, name: str, args: AccessLogBucketArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("gpufleet:index:AccessLogBucket", name, None, opts)
        args = typed(args, AccessLogBucketArgs)

        made = closed_bucket.build(
            name,
            PURPOSE,
            lifecycle.rules(PURPOSE, args.keep_days),
            lambda arn: bucket_policy.access_logs(arn, args.account_id, args.partition),
            pulumi.ResourceOptions.merge(pulumi.ResourceOptions(parent=self), protection.options(args.protection)),
            key_arn=None,
        )

        self.bucket_name = after(made.bucket.id, *made.ready)
        self.bucket_arn = after(made.bucket.arn, *made.ready)
        self.register_outputs({"bucketName": self.bucket_name, "bucketArn": self.bucket_arn})

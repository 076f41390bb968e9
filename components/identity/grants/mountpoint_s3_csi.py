"""For Mountpoint's CSI driver, or the pods that mount through it: a bucket as a file system.

https://github.com/awslabs/mountpoint-s3/blob/main/doc/CONFIGURATION.md#iam-permissions
"""

import pulumi

from ..exact_names import arn
from ..statements import Statement
from . import bucket_access, key_use
from .place import Place


def statements(
    place: Place,
    bucket_arn: pulumi.Input[str],
    key_arn: pulumi.Input[str],
    prefix: str = "",
    writes: bool = False,
) -> list[Statement]:
    """Read under the prefix; with `writes` also create and delete.

    Driver-level credentials serve every pod that mounts: give `writes` to pods' own roles only.
    """
    actions = ["s3:GetObject", *(["s3:AbortMultipartUpload", "s3:DeleteObject", "s3:PutObject"] if writes else [])]
    return [
        *bucket_access.listing(bucket_arn, prefix),
        bucket_access.objects("MountObjects", bucket_arn, prefix, actions),
        bucket_access.key(place, key_arn, bucket_access.UPLOAD_KEY if writes else bucket_access.READ_KEY),
    ]


def directory_bucket(
    place: Place, bucket_arn: pulumi.Input[str], key_arn: pulumi.Input[str] | None = None, writes: bool = False
) -> list[Statement]:
    """Sessions with one directory bucket (S3 Express), read-only without `writes`; the key only where it has its own.

    Such a bucket authorises the session, not the request: there are no prefixes to narrow it by.
    """
    session = Statement(
        sid="OpenExpressSession",
        actions=["s3express:CreateSession"],
        resources=[arn("bucket_arn", bucket_arn)],
        conditions={} if writes else {"StringEquals": {"s3express:SessionMode": "ReadOnly"}},
    )
    if key_arn is None:
        return [session]
    uses = bucket_access.UPLOAD_KEY if writes else bucket_access.READ_KEY
    return [session, key_use.through(place, "s3express", key_arn, *uses, sid="UseBucketKeyThroughS3Express")]

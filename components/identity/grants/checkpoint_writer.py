"""To save a training job's checkpoints and to start again from them."""

import pulumi

from ..statements import Statement
from . import bucket_access
from .place import Place


def statements(
    place: Place,
    bucket_arn: pulumi.Input[str],
    key_arn: pulumi.Input[str],
    prefix: str = bucket_access.OWN_NAMESPACE,
    prunes: bool = False,
) -> list[Statement]:
    """Upload, large checkpoints in parts, and read back under the prefix; delete old ones only if the job `prunes`.

    In a bucket with versions a deletion can be taken back, and the lifecycle ends it.
    """
    deletes = [bucket_access.objects("PruneCheckpoints", bucket_arn, prefix, ["s3:DeleteObject"])] if prunes else []
    return [
        *bucket_access.listing(bucket_arn, prefix),
        bucket_access.objects("SaveCheckpoints", bucket_arn, prefix, bucket_access.UPLOAD),
        bucket_access.objects("ResumeFromCheckpoints", bucket_arn, prefix, ["s3:GetObject"]),
        *deletes,
        bucket_access.key(place, key_arn, bucket_access.UPLOAD_KEY),
    ]

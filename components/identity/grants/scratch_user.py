"""To use scratch space: everything, within the pod's own namespace."""

import pulumi

from ..statements import Statement
from . import bucket_access
from .place import Place


def statements(
    place: Place,
    bucket_arn: pulumi.Input[str],
    key_arn: pulumi.Input[str],
    prefix: str = bucket_access.OWN_NAMESPACE,
) -> list[Statement]:
    """Upload, read and delete under the prefix; large objects in parts."""
    return [
        *bucket_access.listing(bucket_arn, prefix),
        bucket_access.objects(
            "UseScratch", bucket_arn, prefix, [*bucket_access.UPLOAD, "s3:DeleteObject", "s3:GetObject"]
        ),
        bucket_access.key(place, key_arn, bucket_access.UPLOAD_KEY),
    ]

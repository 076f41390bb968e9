"""To read data sets and nothing else."""

import pulumi

from ..statements import Statement
from . import bucket_access
from .place import Place


def statements(
    place: Place, bucket_arn: pulumi.Input[str], key_arn: pulumi.Input[str], prefix: str = ""
) -> list[Statement]:
    """List and read the objects under the prefix (all without one), and decrypt them."""
    return [
        *bucket_access.listing(bucket_arn, prefix),
        bucket_access.objects("ReadDatasets", bucket_arn, prefix, ["s3:GetObject"]),
        bucket_access.key(place, key_arn, bucket_access.READ_KEY),
    ]

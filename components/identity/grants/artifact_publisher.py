"""To publish artifacts: models, reports, packages."""

import pulumi

from ..statements import Statement, joined
from . import bucket_access
from .place import Place


def statements(
    place: Place,
    bucket_arn: pulumi.Input[str],
    key_arn: pulumi.Input[str],
    prefix: str = bucket_access.OWN_NAMESPACE,
    write_once: bool = False,
) -> list[Statement]:
    """Upload and read back under the prefix; never delete.

    With `write_once` an artifact is never overwritten either: each upload has to carry `If-None-Match: *`, which the
    client must be told to send. https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes-enforce.html
    """
    refusals = [_refuse_overwriting(bucket_arn, prefix)] if write_once else []
    return [
        *bucket_access.listing(bucket_arn, prefix),
        bucket_access.objects("PublishArtifacts", bucket_arn, prefix, bucket_access.UPLOAD),
        bucket_access.objects("ReadArtifacts", bucket_arn, prefix, ["s3:GetObject"]),
        *refusals,
        bucket_access.key(place, key_arn, bucket_access.UPLOAD_KEY),
    ]


def _refuse_overwriting(bucket_arn: pulumi.Input[str], prefix: str) -> Statement:
    return Statement(
        sid="RefuseOverwriting",
        effect="Deny",
        actions=["s3:PutObject"],
        resources=[joined(bucket_arn, f"/{prefix}*")],
        # Parts of an upload create no object and carry no such header; its completion does both.
        conditions={"Null": {"s3:if-none-match": "true"}, "Bool": {"s3:ObjectCreationOperation": "true"}},
        because="objects come and go; the prefix is what is refused",
    )

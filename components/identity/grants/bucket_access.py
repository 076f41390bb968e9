"""The statements that grants on buckets are made of."""

import re
from collections.abc import Sequence

import pulumi

from ..exact_names import arn
from ..statements import Statement, joined
from . import key_use
from .place import Place

OWN_NAMESPACE = "${aws:PrincipalTag/kubernetes-namespace}/"
"""The prefix of the pod's own namespace. EKS Pod Identity sets the tag on each session, so one policy serves every
workspace, and a session without the tag matches nothing.
https://docs.aws.amazon.com/eks/latest/userguide/pod-id-abac.html"""

UPLOAD = ("s3:AbortMultipartUpload", "s3:ListMultipartUploadParts", "s3:PutObject")
"""https://docs.aws.amazon.com/AmazonS3/latest/userguide/mpuoverview.html#mpuAndPermissions"""
READ_KEY = ("kms:Decrypt",)
UPLOAD_KEY = ("kms:Decrypt", "kms:GenerateDataKey")
"""Decrypt as well: to put the parts of a large upload together S3 has to read them, so without it small objects pass
and checkpoints fail."""

_PREFIX = re.compile(r"(?:(?:[\w.=-]|\$\{aws:PrincipalTag/[\w-]+\})+/)*")


def listing(bucket_arn: pulumi.Input[str], prefix: str) -> list[Statement]:
    """To find the bucket's region, and to list what lies under the prefix."""
    bucket = arn("bucket_arn", bucket_arn)
    _check(prefix)
    return [
        Statement(sid="LocateBucket", actions=["s3:GetBucketLocation"], resources=[bucket]),
        Statement(
            sid="ListPrefix",
            actions=["s3:ListBucket"],
            resources=[bucket],
            conditions={"StringLike": {"s3:prefix": f"{prefix}*"}} if prefix else {},
        ),
    ]


def objects(sid: str, bucket_arn: pulumi.Input[str], prefix: str, actions: Sequence[str]) -> Statement:
    """The actions on the objects under the prefix."""
    _check(prefix)
    return Statement(
        sid=sid,
        actions=actions,
        resources=[joined(arn("bucket_arn", bucket_arn), f"/{prefix}*")],
        because="objects come and go; the prefix is what is granted",
    )


def key(place: Place, key_arn: pulumi.Input[str], actions: Sequence[str]) -> Statement:
    """The use of the bucket's key by S3 on the caller's behalf."""
    return key_use.through(place, "s3", key_arn, *actions, sid="UseBucketKeyThroughS3")


def _check(prefix: str) -> None:
    if not _PREFIX.fullmatch(prefix):
        raise ValueError(
            f"prefix: {prefix!r} is not allowed; path parts of letters, digits and . _ = -, each followed by /, such "
            f"as team-a/, or {OWN_NAMESPACE} for the namespace of the pod"
        )

"""Use of a key through the service that encrypts with it, and never by itself."""

from collections.abc import Sequence

import pulumi

from ..exact_names import arn
from ..statements import Statement
from .place import Place

VOLUMES = ("kms:Decrypt", "kms:DescribeKey", "kms:GenerateDataKeyWithoutPlaintext", "kms:ReEncrypt*")
"""https://docs.aws.amazon.com/ebs/latest/userguide/ebs-encryption-requirements.html#ebs-encryption-permissions
(FSx needs the same: https://docs.aws.amazon.com/fsx/latest/LustreGuide/encryption-at-rest.html)"""


def through(place: Place, service: str, key_arn: pulumi.Input[str], *actions: str, sid: str) -> Statement:
    """The actions on exactly this key, when `service` calls KMS on the caller's behalf."""
    return Statement(
        sid=sid,
        actions=actions,
        resources=[arn("key_arn", key_arn)],
        conditions={"StringEquals": {"kms:ViaService": place.via(service)}},
    )


def for_volumes(place: Place, key_arns: Sequence[pulumi.Input[str]], service: str = "ec2") -> list[Statement]:
    """To make and attach storage that is encrypted under these keys: EBS volumes, or file systems of `fsx`.

    The service keeps a grant on the key for as long as the storage is used; the caller may give one to AWS alone.
    """
    keys = [arn("key_arns", key) for key in key_arns]
    if not keys:
        return []
    through_service = {"kms:ViaService": place.via(service)}
    return [
        Statement(
            sid="UseVolumeKeys",
            actions=VOLUMES,
            resources=keys,
            conditions={"StringEquals": through_service},
            because="ReEncrypt* is the pair ReEncryptFrom and ReEncryptTo",
        ),
        Statement(
            sid="GrantVolumeKeysToService",
            actions=["kms:CreateGrant"],
            resources=keys,
            conditions={"Bool": {"kms:GrantIsForAWSResource": "true"}, "StringEquals": through_service},
        ),
    ]


def to_decrypt(place: Place, services: Sequence[str], key_arns: Sequence[pulumi.Input[str]]) -> list[Statement]:
    """To decrypt under these keys through any of the services."""
    if not key_arns:
        return []
    return [
        Statement(
            sid="DecryptThroughServices",
            actions=["kms:Decrypt"],
            resources=[arn("key_arns", key) for key in key_arns],
            conditions={"StringEquals": {"kms:ViaService": [via for name in services for via in place.via(name)]}},
        )
    ]

"""What EC2 does in a region where nobody says otherwise: encrypt volumes, ask for tokens, share nothing.

Each is a setting of the account in the region, so it is always there: creating one sets it, deleting one sets it back.
"""

from gpufleet.rehearsal.aws.calls import Aws
from gpufleet.rehearsal.aws.table import FIXED, PLAIN, AwsType, Input, Properties, pick

_METADATA = ("httpEndpoint", "httpPutResponseHopLimit", "httpTokens", "instanceMetadataTags")
# EC2's words for "as if nobody had asked".
_NO_PREFERENCE = {**dict.fromkeys(_METADATA, "no-preference"), "httpPutResponseHopLimit": -1}
_UNBLOCKED = "unblocked"


def _encrypt(aws: Aws, inputs: Properties) -> str:
    operation = "EnableEbsEncryptionByDefault" if inputs["enabled"] else "DisableEbsEncryptionByDefault"
    aws.call("ec2", operation, {})
    return aws.region


def _read_encryption(aws: Aws, region: str, state: Properties) -> Properties:
    return {"enabled": aws.call("ec2", "GetEbsEncryptionByDefault", {})["EbsEncryptionByDefault"]}


def _update_encryption(aws: Aws, region: str, old: Properties, new: Properties) -> None:
    _encrypt(aws, new)


def _delete_encryption(aws: Aws, region: str, state: Properties) -> None:
    _encrypt(aws, {"enabled": False})


def _set_key(aws: Aws, inputs: Properties) -> str:
    return str(aws.call("ec2", "ModifyEbsDefaultKmsKeyId", {"KmsKeyId": inputs["keyArn"]})["KmsKeyId"])


def _delete_key(aws: Aws, key_arn: str, state: Properties) -> None:
    aws.call("ec2", "ResetEbsDefaultKmsKeyId", {})


def _as_declared(aws: Aws, resource_id: str, state: Properties) -> Properties:
    """Answer what the program said: moto changes these settings or records them, and answers no question about them."""
    return {}


def _block_snapshots(aws: Aws, inputs: Properties) -> str:
    if inputs["state"] == _UNBLOCKED:
        aws.call("ec2", "DisableSnapshotBlockPublicAccess", {})
    else:
        aws.call("ec2", "EnableSnapshotBlockPublicAccess", {"State": inputs["state"]})
    return aws.region


def _update_snapshots(aws: Aws, region: str, old: Properties, new: Properties) -> None:
    _block_snapshots(aws, new)


def _delete_snapshots(aws: Aws, region: str, state: Properties) -> None:
    aws.call("ec2", "DisableSnapshotBlockPublicAccess", {})


def _block_images(aws: Aws, inputs: Properties) -> str:
    if inputs["state"] == _UNBLOCKED:
        aws.call("ec2", "DisableImageBlockPublicAccess", {})
    else:
        aws.call("ec2", "EnableImageBlockPublicAccess", {"ImageBlockPublicAccessState": inputs["state"]})
    return aws.region


def _update_images(aws: Aws, region: str, old: Properties, new: Properties) -> None:
    _block_images(aws, new)


def _leave_images(aws: Aws, region: str, state: Properties) -> None:
    """Leave the block as it is, as the real provider does: to forget the resource opens nothing."""


def _set_metadata(aws: Aws, inputs: Properties) -> str:
    aws.call("ec2", "ModifyInstanceMetadataDefaults", pick(inputs, *_METADATA))
    return aws.region


def _update_metadata(aws: Aws, region: str, old: Properties, new: Properties) -> None:
    _set_metadata(aws, {**_NO_PREFERENCE, **pick(new, *_METADATA)})


def _delete_metadata(aws: Aws, region: str, state: Properties) -> None:
    _set_metadata(aws, _NO_PREFERENCE)


TYPES = (
    AwsType(
        name="aws:ebs/encryptionByDefault:EncryptionByDefault",
        inputs={"enabled": Input(default=True)},
        singular=True,
        create=_encrypt,
        read=_read_encryption,
        update=_update_encryption,
        delete=_delete_encryption,
    ),
    AwsType(
        name="aws:ebs/defaultKmsKey:DefaultKmsKey",
        inputs={"keyArn": FIXED},
        singular=True,
        create=_set_key,
        read=_as_declared,
        delete=_delete_key,
    ),
    AwsType(
        name="aws:ebs/snapshotBlockPublicAccess:SnapshotBlockPublicAccess",
        inputs={"state": PLAIN},
        singular=True,
        create=_block_snapshots,
        read=_as_declared,
        update=_update_snapshots,
        delete=_delete_snapshots,
    ),
    AwsType(
        name="aws:ec2/imageBlockPublicAccess:ImageBlockPublicAccess",
        inputs={"state": PLAIN},
        singular=True,
        create=_block_images,
        read=_as_declared,
        update=_update_images,
        delete=_leave_images,
    ),
    AwsType(
        name="aws:ec2/instanceMetadataDefaults:InstanceMetadataDefaults",
        inputs=dict.fromkeys(_METADATA, PLAIN),
        singular=True,
        create=_set_metadata,
        read=_as_declared,
        update=_update_metadata,
        delete=_delete_metadata,
    ),
)

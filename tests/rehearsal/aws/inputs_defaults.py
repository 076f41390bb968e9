"""Inputs for one resource of every type that sets what a region or an account does where nobody says otherwise."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.rehearsal.aws.stack import Stack


def ebs_encryption_by_default(stack: Stack) -> dict[str, Any]:
    return {"enabled": True}


def ebs_default_kms_key(stack: Stack) -> dict[str, Any]:
    return {"keyArn": stack.get("aws:kms/key:Key")["arn"]}


def ebs_snapshot_block_public_access(stack: Stack) -> dict[str, Any]:
    return {"state": "block-all-sharing"}


def ec2_image_block_public_access(stack: Stack) -> dict[str, Any]:
    return {"state": "block-new-sharing"}


def ec2_instance_metadata_defaults(stack: Stack) -> dict[str, Any]:
    return {"httpEndpoint": "enabled", "httpTokens": "required", "httpPutResponseHopLimit": 1}


def ecr_registry_scanning_configuration(stack: Stack) -> dict[str, Any]:
    everything = [{"filter": "*", "filterType": "WILDCARD"}]
    rule = {"scanFrequency": "CONTINUOUS_SCAN", "repositoryFilters": everything}
    return {"scanType": "ENHANCED", "rules": [rule]}


def s3_account_public_access_block(stack: Stack) -> dict[str, Any]:
    blocks = ("blockPublicAcls", "blockPublicPolicy", "ignorePublicAcls", "restrictPublicBuckets")
    return {"accountId": stack.program.account, **dict.fromkeys(blocks, True)}


INPUTS: dict[str, Callable[[Stack], dict[str, Any]]] = {
    "aws:ebs/defaultKmsKey:DefaultKmsKey": ebs_default_kms_key,
    "aws:ebs/encryptionByDefault:EncryptionByDefault": ebs_encryption_by_default,
    "aws:ebs/snapshotBlockPublicAccess:SnapshotBlockPublicAccess": ebs_snapshot_block_public_access,
    "aws:ec2/imageBlockPublicAccess:ImageBlockPublicAccess": ec2_image_block_public_access,
    "aws:ec2/instanceMetadataDefaults:InstanceMetadataDefaults": ec2_instance_metadata_defaults,
    "aws:ecr/registryScanningConfiguration:RegistryScanningConfiguration": ecr_registry_scanning_configuration,
    "aws:s3/accountPublicAccessBlock:AccountPublicAccessBlock": s3_account_public_access_block,
}

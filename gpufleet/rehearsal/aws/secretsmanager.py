"""Secrets of Secrets Manager, without their values."""

from typing import Any

from gpufleet.rehearsal.aws.calls import Aws
from gpufleet.rehearsal.aws.table import DOCUMENT, FIXED, FIXED_SET, PLAIN, AutoName, AwsType, Input, Properties, pick
from gpufleet.rehearsal.aws.tags import changes, mapped

_NONE = "ResourceNotFoundException"
_RECOVERY_DAYS = 30


def _create(aws: Aws, inputs: Properties) -> str:
    secret = {
        "Name": inputs["name"],
        **pick(inputs, "description", "kmsKeyId"),
        "AddReplicaRegions": inputs.get("replicas") or None,
        "ForceOverwriteReplicaSecret": inputs.get("forceOverwriteReplicaSecret") or None,
        "Tags": aws.tags(inputs) or None,
    }
    arn = str(aws.call("secretsmanager", "CreateSecret", secret)["ARN"])
    if inputs.get("policy"):
        aws.call("secretsmanager", "PutResourcePolicy", {"SecretId": arn, "ResourcePolicy": inputs["policy"]})
    return arn


def _read(aws: Aws, arn: str, state: Properties) -> Properties | None:
    found = aws.find("secretsmanager", "DescribeSecret", {"SecretId": arn}, _NONE)
    # Secrets Manager keeps what is deleted until its recovery window has passed.
    if found is None or found.get("DeletedDate"):
        return None
    return {
        "arn": arn,
        "description": found.get("Description", ""),
        "kmsKeyId": found.get("KmsKeyId"),
        "name": found["Name"],
        "tagsAll": mapped(found.get("Tags", [])),
    }


def _update(aws: Aws, arn: str, old: Properties, new: Properties) -> None:
    secret = {"SecretId": arn}
    described = ("description", "kmsKeyId")
    if pick(new, *described) != pick(old, *described):
        request: dict[str, Any] = {**secret, "description": new.get("description", ""), **pick(new, "kmsKeyId")}
        aws.call("secretsmanager", "UpdateSecret", request)
    if new.get("policy") != old.get("policy"):
        if new.get("policy"):
            aws.call("secretsmanager", "PutResourcePolicy", {**secret, "ResourcePolicy": new["policy"]})
        else:
            aws.call("secretsmanager", "DeleteResourcePolicy", secret)
    off, on = changes(aws, old, new)
    if off:
        aws.call("secretsmanager", "UntagResource", {**secret, "TagKeys": off})
    if on:
        aws.call("secretsmanager", "TagResource", {**secret, "Tags": on})


def _delete(aws: Aws, arn: str, state: Properties) -> None:
    if _read(aws, arn, state) is None:
        return
    days = state.get("recoveryWindowInDays", _RECOVERY_DAYS)
    how = {"RecoveryWindowInDays": days} if days else {"ForceDeleteWithoutRecovery": True}
    aws.drop("secretsmanager", "DeleteSecret", {"SecretId": arn, **how}, _NONE)


TYPES = (
    AwsType(
        name="aws:secretsmanager/secret:Secret",
        inputs={
            "description": PLAIN,
            "forceOverwriteReplicaSecret": Input(default=False),
            "kmsKeyId": PLAIN,
            "name": FIXED,
            "namePrefix": FIXED,
            "policy": DOCUMENT,
            "recoveryWindowInDays": Input(default=_RECOVERY_DAYS),
            "replicas": FIXED_SET,
            "tags": PLAIN,
        },
        outputs=("arn",),
        autoname=AutoName(limit=512),
        create=_create,
        read=_read,
        update=_update,
        delete=_delete,
    ),
)

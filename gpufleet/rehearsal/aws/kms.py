"""KMS keys and their aliases."""

from typing import Any

from gpufleet.rehearsal.aws.calls import Aws
from gpufleet.rehearsal.aws.table import FIXED, PLAIN, AutoName, AwsType, Input, Properties, pick
from gpufleet.rehearsal.aws.tags import changes, mapped


def _create_key(aws: Aws, inputs: Properties) -> str:
    made = pick(
        inputs,
        "policy",
        "description",
        "keyUsage",
        "customerMasterKeySpec",
        "bypassPolicyLockoutSafetyCheck",
        "multiRegion",
    )
    key_id = str(aws.call("kms", "CreateKey", {**made, "Tags": aws.tags(inputs) or None})["KeyMetadata"]["KeyId"])
    if inputs.get("enableKeyRotation"):
        aws.call("kms", "EnableKeyRotation", _rotation(key_id, inputs))
    if not inputs["isEnabled"]:
        aws.call("kms", "DisableKey", {"KeyId": key_id})
    return key_id


def _rotation(key_id: str, inputs: Properties) -> dict[str, Any]:
    return {"KeyId": key_id, **pick(inputs, "rotationPeriodInDays")}


def _read_key(aws: Aws, key_id: str, state: Properties) -> Properties | None:
    answer = aws.find("kms", "DescribeKey", {"KeyId": key_id}, "NotFoundException")
    if answer is None or answer["KeyMetadata"]["KeyState"] == "PendingDeletion":
        return None
    key = answer["KeyMetadata"]
    return {
        "arn": key["Arn"],
        "description": key["Description"],
        "enableKeyRotation": aws.call("kms", "GetKeyRotationStatus", {"KeyId": key_id})["KeyRotationEnabled"],
        "isEnabled": key["Enabled"],
        "keyId": key_id,
        "multiRegion": key.get("MultiRegion", False),
        "policy": aws.call("kms", "GetKeyPolicy", {"KeyId": key_id, "PolicyName": "default"})["Policy"],
        "tagsAll": mapped(aws.call("kms", "ListResourceTags", {"KeyId": key_id})["Tags"], "TagKey", "TagValue"),
    }


def _update_key(aws: Aws, key_id: str, old: Properties, new: Properties) -> None:
    key = {"KeyId": key_id}
    if new["isEnabled"] != old.get("isEnabled"):
        aws.call("kms", "EnableKey" if new["isEnabled"] else "DisableKey", key)
    if new.get("description") != old.get("description"):
        aws.call("kms", "UpdateKeyDescription", {**key, "Description": new.get("description", "")})
    if "policy" in new and new["policy"] != old.get("policy"):
        aws.call("kms", "PutKeyPolicy", {**key, "PolicyName": "default", "Policy": new["policy"]})
    if [new.get(name) for name in _ROTATION] != [old.get(name) for name in _ROTATION]:
        if new.get("enableKeyRotation"):
            aws.call("kms", "EnableKeyRotation", _rotation(key_id, new))
        else:
            aws.call("kms", "DisableKeyRotation", key)
    off, on = changes(aws, old, new)
    if off:
        aws.call("kms", "UntagResource", {**key, "TagKeys": off})
    if on:
        aws.call("kms", "TagResource", {**key, "Tags": on})


_ROTATION = ("enableKeyRotation", "rotationPeriodInDays")


def _delete_key(aws: Aws, key_id: str, state: Properties) -> None:
    # KMS never deletes at once: the key stays, pending deletion, for the whole window (7 to 30 days).
    window = {"PendingWindowInDays": state.get("deletionWindowInDays", 30)}
    aws.drop("kms", "ScheduleKeyDeletion", {"KeyId": key_id, **window}, "NotFoundException", "KMSInvalidStateException")


def _create_alias(aws: Aws, inputs: Properties) -> str:
    aws.call("kms", "CreateAlias", {"AliasName": inputs["name"], "TargetKeyId": inputs["targetKeyId"]})
    return str(inputs["name"])


def _read_alias(aws: Aws, name: str, state: Properties) -> Properties | None:
    aliases = aws.call("kms", "ListAliases", {})["Aliases"]
    alias = next((alias for alias in aliases if alias["AliasName"] == name), None)
    if alias is None:
        return None
    key = aws.call("kms", "DescribeKey", {"KeyId": alias["TargetKeyId"]})["KeyMetadata"]
    return {"arn": alias["AliasArn"], "name": name, "targetKeyArn": key["Arn"]}


def _update_alias(aws: Aws, name: str, old: Properties, new: Properties) -> None:
    aws.call("kms", "UpdateAlias", {"AliasName": name, "TargetKeyId": new["targetKeyId"]})


def _delete_alias(aws: Aws, name: str, state: Properties) -> None:
    aws.drop("kms", "DeleteAlias", {"AliasName": name}, "NotFoundException")


TYPES = (
    AwsType(
        name="aws:kms/key:Key",
        inputs={
            "bypassPolicyLockoutSafetyCheck": Input(default=False),
            "customerMasterKeySpec": Input(replaces=True, default="SYMMETRIC_DEFAULT"),
            "deletionWindowInDays": PLAIN,
            "description": PLAIN,
            "enableKeyRotation": Input(default=False),
            "isEnabled": Input(default=True),
            "keyUsage": Input(replaces=True, default="ENCRYPT_DECRYPT"),
            "multiRegion": FIXED,
            "policy": Input(document=True),
            "rotationPeriodInDays": PLAIN,
            "tags": PLAIN,
        },
        outputs=("arn", "description", "keyId", "multiRegion", "policy"),
        create=_create_key,
        read=_read_key,
        update=_update_key,
        delete=_delete_key,
    ),
    AwsType(
        name="aws:kms/alias:Alias",
        inputs={"name": FIXED, "namePrefix": FIXED, "targetKeyId": PLAIN},
        outputs=("arn", "targetKeyArn"),
        moving=("targetKeyArn",),
        autoname=AutoName(stem="alias/"),
        create=_create_alias,
        read=_read_alias,
        update=_update_alias,
        delete=_delete_alias,
    ),
)

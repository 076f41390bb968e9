"""CloudWatch log groups."""

from typing import Any

from gpufleet.rehearsal.aws.calls import Aws
from gpufleet.rehearsal.aws.errors import AwsError
from gpufleet.rehearsal.aws.table import FIXED, PLAIN, AutoName, AwsType, Input, Properties, pick
from gpufleet.rehearsal.aws.tags import changes

_NONE = "ResourceNotFoundException"


def _create(aws: Aws, inputs: Properties) -> str:
    given = pick(inputs, "kmsKeyId", "logGroupClass")
    protected = {"deletionProtectionEnabled": True} if inputs.get("deletionProtectionEnabled") else {}
    aws.call(
        "logs",
        "CreateLogGroup",
        {"logGroupName": inputs["name"], **given, **protected, "tags": aws.tags(inputs) or None},
    )
    _retain(aws, inputs["name"], {}, inputs)
    return str(inputs["name"])


def _retain(aws: Aws, name: str, old: Properties, new: Properties) -> None:
    """Set the days; 0, the provider's default, is for ever, which the API says by having no policy."""
    if new.get("retentionInDays"):
        aws.call("logs", "PutRetentionPolicy", {"logGroupName": name, "retentionInDays": new["retentionInDays"]})
    elif old.get("retentionInDays"):
        aws.call("logs", "DeleteRetentionPolicy", {"logGroupName": name})


def _find(aws: Aws, name: str) -> dict[str, Any] | None:
    groups = aws.call("logs", "DescribeLogGroups", {"logGroupNamePrefix": name})["logGroups"]
    return next((group for group in groups if group["logGroupName"] == name), None)


def _read(aws: Aws, name: str, state: Properties) -> Properties | None:
    group = _find(aws, name)
    if group is None:
        return None
    arn = aws.arn("logs", f"log-group:{name}")
    return {
        "arn": arn,
        "kmsKeyId": group.get("kmsKeyId"),
        "name": name,
        "retentionInDays": group.get("retentionInDays", 0),
        "tagsAll": aws.call("logs", "ListTagsForResource", {"resourceArn": arn})["tags"],
    }


def _update(aws: Aws, name: str, old: Properties, new: Properties) -> None:
    if new.get("retentionInDays") != old.get("retentionInDays"):
        _retain(aws, name, old, new)
    if new.get("kmsKeyId") != old.get("kmsKeyId"):
        operation = "AssociateKmsKey" if new.get("kmsKeyId") else "DisassociateKmsKey"
        aws.call("logs", operation, {"logGroupName": name, **pick(new, "kmsKeyId")})
    if bool(new.get("deletionProtectionEnabled")) != bool(old.get("deletionProtectionEnabled")):
        _protect(aws, name, on=bool(new.get("deletionProtectionEnabled")))
    off, on = changes(aws, old, new)
    arn = {"resourceArn": aws.arn("logs", f"log-group:{name}")}
    if off:
        aws.call("logs", "UntagResource", {**arn, "tagKeys": off})
    if on:
        aws.call("logs", "TagResource", {**arn, "tags": on})


def _protect(aws: Aws, name: str, *, on: bool) -> None:
    protection = {"logGroupIdentifier": name, "deletionProtectionEnabled": on}
    aws.call("logs", "PutLogGroupDeletionProtection", protection)


def _delete(aws: Aws, name: str, state: Properties) -> None:
    if state.get("skipDestroy"):
        return
    if state.get("deletionProtectionEnabled"):
        # CloudWatch Logs refuses, and moto forgets to.
        if not aws.clears_the_way:
            problem = f"Log group {name} has deletion protection; switch it off before the group is deleted"
            raise AwsError("logs", "DeleteLogGroup", "ValidationException", problem)
        _protect(aws, name, on=False)
    aws.drop("logs", "DeleteLogGroup", {"logGroupName": name}, _NONE)


TYPES = (
    AwsType(
        name="aws:cloudwatch/logGroup:LogGroup",
        inputs={
            "deletionProtectionEnabled": PLAIN,
            "kmsKeyId": PLAIN,
            "logGroupClass": FIXED,
            "name": FIXED,
            "namePrefix": FIXED,
            "retentionInDays": Input(default=0),
            "skipDestroy": Input(default=False),
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

"""S3 directory buckets (Express One Zone).

moto knows no such kind: the request is checked against AWS's model and recorded, and an ordinary bucket of the same
name stands for it, so that what is set on it (tags, encryption, policy, lifecycle) can be set and read back.
"""

import re
from typing import Any

from gpufleet.rehearsal.aws.calls import Aws
from gpufleet.rehearsal.aws.errors import AwsError
from gpufleet.rehearsal.aws.s3_buckets import create_plain, empty, tag
from gpufleet.rehearsal.aws.table import FIXED, PLAIN, AwsType, Properties
from gpufleet.rehearsal.aws.tags import changes, mapped

_NAME = re.compile(r"[a-z0-9](?:[a-z0-9-]*[a-z0-9])?--(?P<zone>[a-z0-9]+(?:-[a-z0-9]+)+)--x-s3")
_ZONE = "AvailabilityZone"
_REDUNDANCY = {_ZONE: "SingleAvailabilityZone", "LocalZone": "SingleLocalZone"}


def _create(aws: Aws, inputs: Properties) -> str:
    name, location = str(inputs["bucket"]), inputs["location"]
    kind = location.get("type") or _ZONE
    _check_name(name, str(location["name"]))
    redundancy = inputs.get("dataRedundancy") or _REDUNDANCY[kind]
    configuration = {
        "Bucket": {"Type": inputs.get("type") or "Directory", "DataRedundancy": redundancy},
        "Location": {"Type": kind, "Name": location["name"]},
        "Tags": aws.tags(inputs) or None,
    }
    request = {"Bucket": name, "CreateBucketConfiguration": configuration}
    aws.record("s3", "CreateBucket", request, "CreateBucketConfiguration")
    create_plain(aws, name)
    tag(aws, inputs)
    return name


def _check_name(name: str, zone: str) -> None:
    """Refuse what S3 refuses: a name that does not say its zone, or says another."""
    found = _NAME.fullmatch(name)
    if found is None or found["zone"] != zone:
        problem = f"{name} is not the name of a directory bucket in {zone}: it ends with --{zone}--x-s3"
        raise AwsError("s3", "CreateBucket", "InvalidBucketName", problem)


def _arn(aws: Aws, name: str) -> str:
    return aws.arn("s3express", f"bucket/{name}")


def _read(aws: Aws, name: str, state: Properties) -> Properties | None:
    if aws.find("s3", "HeadBucket", {"Bucket": name}, "404", "NoSuchBucket") is None:
        return None
    found = _NAME.fullmatch(name)
    # S3 answers neither kind nor zone, so an import takes the zone from the name, as the real provider does.
    location: dict[str, Any] = {"name": found["zone"], "type": _ZONE} if found else {}
    tags = aws.find("s3", "GetBucketTagging", {"Bucket": name}, "NoSuchTagSet")
    return {
        "arn": _arn(aws, name),
        "bucket": name,
        "location": state.get("location") or location,
        "tagsAll": mapped(tags["TagSet"]) if tags else {},
    }


def _update(aws: Aws, name: str, old: Properties, new: Properties) -> None:
    off, on = changes(aws, old, new)
    bucket = {"AccountId": aws.account_id, "ResourceArn": _arn(aws, name)}
    if off:
        aws.record("s3control", "UntagResource", {**bucket, "TagKeys": off})
    if on:
        aws.record("s3control", "TagResource", {**bucket, "Tags": on})
    tag(aws, new)


def _delete(aws: Aws, name: str, state: Properties) -> None:
    if state.get("forceDestroy") or aws.clears_the_way:
        empty(aws, name)
    aws.drop("s3", "DeleteBucket", {"Bucket": name}, "NoSuchBucket")


TYPES = (
    AwsType(
        name="aws:s3/directoryBucket:DirectoryBucket",
        inputs={
            "bucket": FIXED,
            "dataRedundancy": FIXED,
            "forceDestroy": PLAIN,
            "location": FIXED,
            "tags": PLAIN,
            "type": FIXED,
        },
        outputs=("arn",),
        singular=True,
        create=_create,
        read=_read,
        update=_update,
        delete=_delete,
    ),
)

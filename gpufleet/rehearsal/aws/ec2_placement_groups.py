"""Placement groups, for which the API in memory has no backend: recorded."""

from hashlib import sha256

from gpufleet.rehearsal.aws.calls import Aws
from gpufleet.rehearsal.aws.table import FIXED, PLAIN, AutoName, AwsType, Properties, pick


def _create(aws: Aws, inputs: Properties) -> str:
    tags = {"TagSpecifications": aws.tag_specifications("placement-group", inputs)}
    group = {"GroupName": inputs["name"], **pick(inputs, "strategy", "partitionCount", "spreadLevel"), **tags}
    aws.call("ec2", "CreatePlacementGroup", group)
    return str(inputs["name"])


def _read(aws: Aws, name: str, state: Properties) -> Properties:
    digits = sha256(f"{aws.account_id} {aws.region} {name}".encode()).hexdigest()[:17]
    return {"arn": aws.arn("ec2", f"placement-group/{name}"), "placementGroupId": f"pg-{digits}"}


def _update(aws: Aws, name: str, old: Properties, new: Properties) -> None:
    group = {
        "GroupName": name,
        **pick(new, "strategy"),
        "TagSpecifications": aws.tag_specifications("placement-group", new),
    }
    aws.call("ec2", "CreatePlacementGroup", group)


def _delete(aws: Aws, name: str, state: Properties) -> None:
    aws.call("ec2", "DeletePlacementGroup", {"GroupName": name})


TYPES = (
    AwsType(
        name="aws:ec2/placementGroup:PlacementGroup",
        inputs={
            "name": FIXED,
            "partitionCount": FIXED,
            "spreadLevel": FIXED,
            "strategy": FIXED,
            "tags": PLAIN,
        },
        outputs=("arn", "placementGroupId"),
        autoname=AutoName(prefix=None),
        create=_create,
        read=_read,
        update=_update,
        delete=_delete,
    ),
)

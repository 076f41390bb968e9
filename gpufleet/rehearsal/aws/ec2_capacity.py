"""Reserved capacity, for which the API in memory has no backend: recorded."""

from hashlib import sha256
from typing import Any

from gpufleet.rehearsal.aws.calls import Aws
from gpufleet.rehearsal.aws.table import FIXED, PLAIN, AwsType, Input, Properties, pick

_CREATED = (
    "availabilityZone",
    "ebsOptimized",
    "endDate",
    "endDateType",
    "ephemeralStorage",
    "instanceCount",
    "instanceMatchCriteria",
    "instancePlatform",
    "instanceType",
    "outpostArn",
    "placementGroupArn",
    "tenancy",
)
_CHANGED = ("endDate", "endDateType", "instanceCount", "instanceMatchCriteria")


def _made_up(aws: Aws, *parts: object) -> str:
    """An id as EC2 gives one, the same for the same request."""
    text = " ".join(str(part) for part in (aws.account_id, aws.region, *parts))
    return f"cr-{sha256(text.encode()).hexdigest()[:17]}"


def _create(aws: Aws, inputs: Properties) -> str:
    tags = {"TagSpecifications": aws.tag_specifications("capacity-reservation", inputs)}
    request: dict[str, Any] = {**pick(inputs, *_CREATED), **tags}
    aws.call("ec2", "CreateCapacityReservation", request)
    return _made_up(aws, *(inputs.get(name) for name in _CREATED), sorted(aws.tags(inputs).items()))


def _read(aws: Aws, reservation_id: str, state: Properties) -> Properties:
    arn = aws.arn("ec2", f"capacity-reservation/{reservation_id}")
    return {"arn": arn, "ownerId": aws.account_id}


def _update(aws: Aws, reservation_id: str, old: Properties, new: Properties) -> None:
    if changed := {name: new[name] for name in _CHANGED if name in new and new[name] != old.get(name)}:
        aws.call("ec2", "ModifyCapacityReservation", {"CapacityReservationId": reservation_id, **changed})


def _delete(aws: Aws, reservation_id: str, state: Properties) -> None:
    aws.call("ec2", "CancelCapacityReservation", {"CapacityReservationId": reservation_id})


def _purchase(aws: Aws, inputs: Properties) -> str:
    tags = {"TagSpecifications": aws.tag_specifications("capacity-reservation", inputs)}
    request = {**pick(inputs, "capacityBlockOfferingId", "instancePlatform"), **tags}
    aws.call("ec2", "PurchaseCapacityBlock", request)
    return _made_up(aws, inputs["capacityBlockOfferingId"])


def _keep(aws: Aws, reservation_id: str, state: Properties) -> None:
    """Nothing: a block is paid in advance and cannot be given back; the provider only forgets it."""


TYPES = (
    AwsType(
        name="aws:ec2/capacityReservation:CapacityReservation",
        inputs={
            "availabilityZone": FIXED,
            "ebsOptimized": Input(replaces=True, default=False),
            "endDate": PLAIN,
            "endDateType": Input(default="unlimited"),
            "ephemeralStorage": Input(replaces=True, default=False),
            "instanceCount": PLAIN,
            "instanceMatchCriteria": Input(replaces=True, default="open"),
            "instancePlatform": FIXED,
            "instanceType": FIXED,
            "outpostArn": FIXED,
            "placementGroupArn": FIXED,
            "tags": PLAIN,
            "tenancy": Input(replaces=True, default="default"),
        },
        outputs=("arn", "ownerId"),
        create=_create,
        read=_read,
        update=_update,
        delete=_delete,
    ),
    AwsType(
        name="aws:ec2/capacityBlockReservation:CapacityBlockReservation",
        inputs={"capacityBlockOfferingId": FIXED, "instancePlatform": FIXED, "tags": PLAIN},
        outputs=("arn",),
        create=_purchase,
        read=lambda aws, reservation_id, state: {
            "arn": aws.arn("ec2", f"capacity-reservation/{reservation_id}"),
        },
        update=lambda aws, reservation_id, old, new: None,
        delete=_keep,
    ),
)

"""Flow logs of a VPC, a subnet or a network interface."""

from typing import Any

from gpufleet.rehearsal.aws.calls import Aws
from gpufleet.rehearsal.aws.errors import AwsError
from gpufleet.rehearsal.aws.table import FIXED, PLAIN, AwsType, Input, Properties, pick
from gpufleet.rehearsal.aws.tags import mapped, retag_ec2

_WATCHED = {"vpcId": "VPC", "subnetId": "Subnet", "eniId": "NetworkInterface"}
_RENAMES = {"iamRoleArn": "DeliverLogsPermissionArn"}
_GIVEN = (
    "trafficType",
    "logDestination",
    "logDestinationType",
    "iamRoleArn",
    "maxAggregationInterval",
    "logFormat",
    "destinationOptions",
)


def _create(aws: Aws, inputs: Properties) -> str:
    watched = next(name for name in _WATCHED if inputs.get(name))
    what = {"ResourceIds": [inputs[watched]], "ResourceType": _WATCHED[watched]}
    tags = {"TagSpecifications": aws.tag_specifications("vpc-flow-log", inputs)}
    answer = aws.call("ec2", "CreateFlowLogs", {**what, **pick(inputs, *_GIVEN), **tags}, _RENAMES)
    for failure in answer.get("Unsuccessful", []):
        raise AwsError("ec2", "CreateFlowLogs", failure["Error"]["Code"], failure["Error"]["Message"])
    return str(answer["FlowLogIds"][0])


def _find(aws: Aws, flow_log_id: str) -> dict[str, Any] | None:
    return aws.first("ec2", "DescribeFlowLogs", {"FlowLogIds": [flow_log_id]}, "FlowLogs")


def _read(aws: Aws, flow_log_id: str, state: Properties) -> Properties | None:
    found = _find(aws, flow_log_id)
    if found is None:
        return None
    return {"arn": aws.arn("ec2", f"vpc-flow-log/{flow_log_id}"), "tagsAll": mapped(found.get("Tags", []))}


def _delete(aws: Aws, flow_log_id: str, state: Properties) -> None:
    if _find(aws, flow_log_id):
        aws.call("ec2", "DeleteFlowLogs", {"FlowLogIds": [flow_log_id]})


TYPES = (
    AwsType(
        name="aws:ec2/flowLog:FlowLog",
        inputs={
            "destinationOptions": FIXED,
            "eniId": FIXED,
            "iamRoleArn": FIXED,
            "logDestination": FIXED,
            "logDestinationType": Input(replaces=True, default="cloud-watch-logs"),
            "logFormat": FIXED,
            "maxAggregationInterval": Input(replaces=True, default=600),
            "subnetId": FIXED,
            "tags": PLAIN,
            "trafficType": FIXED,
            "vpcId": FIXED,
        },
        outputs=("arn",),
        create=_create,
        read=_read,
        update=retag_ec2,
        delete=_delete,
    ),
)

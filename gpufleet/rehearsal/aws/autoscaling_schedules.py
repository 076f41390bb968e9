"""Scheduled actions of Auto Scaling groups."""

from gpufleet.rehearsal.aws.calls import Aws
from gpufleet.rehearsal.aws.table import FIXED, PLAIN, AwsType, Properties, pick

_NAMES = {"autoscalingGroupName": "AutoScalingGroupName"}
_SIZES = ("desiredCapacity", "maxSize", "minSize")
_UNCHANGED = -1
"""What the provider takes for "leave that size alone"."""


def _put(aws: Aws, inputs: Properties) -> str:
    sizes = {name: inputs[name] for name in _SIZES if inputs.get(name, _UNCHANGED) != _UNCHANGED}
    times = pick(inputs, "startTime", "endTime", "recurrence", "timeZone")
    request = {**pick(inputs, "autoscalingGroupName", "scheduledActionName"), **sizes, **times}
    aws.call("autoscaling", "PutScheduledUpdateGroupAction", request, _NAMES)
    return str(inputs["scheduledActionName"])


def _read(aws: Aws, name: str, state: Properties) -> Properties | None:
    asked = {"AutoScalingGroupName": state["autoscalingGroupName"], "ScheduledActionNames": [name]}
    found = aws.first("autoscaling", "DescribeScheduledActions", asked, "ScheduledUpdateGroupActions")
    if found is None:
        return None
    # The API in memory gives actions no ARN.
    group = state["autoscalingGroupName"]
    return {
        "arn": aws.arn(
            "autoscaling", f"scheduledUpdateGroupAction:*:autoScalingGroupName/{group}:scheduledActionName/{name}"
        )
    }


def _update(aws: Aws, name: str, old: Properties, new: Properties) -> None:
    _put(aws, new)


def _delete(aws: Aws, name: str, state: Properties) -> None:
    request = {"AutoScalingGroupName": state["autoscalingGroupName"], "ScheduledActionName": name}
    aws.drop("autoscaling", "DeleteScheduledAction", request, "ValidationError")


TYPES = (
    AwsType(
        name="aws:autoscaling/schedule:Schedule",
        inputs={
            "autoscalingGroupName": FIXED,
            "desiredCapacity": PLAIN,
            "endTime": PLAIN,
            "maxSize": PLAIN,
            "minSize": PLAIN,
            "recurrence": PLAIN,
            "scheduledActionName": FIXED,
            "startTime": PLAIN,
            "timeZone": PLAIN,
        },
        outputs=("arn",),
        create=_put,
        read=_read,
        update=_update,
        delete=_delete,
    ),
)

"""Inputs for EventBridge."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.rehearsal.aws.stack import Stack


def event_rule(stack: Stack) -> dict[str, Any]:
    pattern = {"source": ["aws.ec2"], "detail-type": ["EC2 Spot Instance Interruption Warning"]}
    return {"description": "spot", "eventPattern": json.dumps(pattern), "tags": {"Name": "spot"}}


def event_target(stack: Stack) -> dict[str, Any]:
    return {
        "rule": stack.id("aws:cloudwatch/eventRule:EventRule"),
        "arn": stack.get("aws:sqs/queue:Queue")["arn"],
        "targetId": "queue",
    }


INPUTS: dict[str, Callable[[Stack], dict[str, Any]]] = {
    "aws:cloudwatch/eventRule:EventRule": event_rule,
    "aws:cloudwatch/eventTarget:EventTarget": event_target,
}

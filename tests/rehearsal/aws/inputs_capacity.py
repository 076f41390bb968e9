"""Inputs for reserved capacity and its schedules."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.rehearsal.aws.stack import Stack


def ec2_capacity_reservation(stack: Stack) -> dict[str, Any]:
    return {
        "availabilityZone": "us-east-1a",
        "endDate": "2027-01-31T18:00:00Z",
        "endDateType": "limited",
        "instanceCount": 2,
        "instanceMatchCriteria": "targeted",
        "instancePlatform": "Linux/UNIX",
        "instanceType": "g6e.12xlarge",
        "tags": {"Name": "train"},
    }


def ec2_capacity_block_reservation(stack: Stack) -> dict[str, Any]:
    return {"capacityBlockOfferingId": "cbo-0123456789abcdef0", "instancePlatform": "Linux/UNIX"}


def autoscaling_schedule(stack: Stack) -> dict[str, Any]:
    group = stack.get("aws:eks/nodeGroup:NodeGroup").state["resources"][0]["autoscalingGroups"][0]["name"]
    return {
        "autoscalingGroupName": group,
        "desiredCapacity": 0,
        "maxSize": -1,
        "minSize": -1,
        "scheduledActionName": "train-ends",
        "startTime": "2027-01-31T17:20:00Z",
    }


INPUTS: dict[str, Callable[[Stack], dict[str, Any]]] = {
    "aws:autoscaling/schedule:Schedule": autoscaling_schedule,
    "aws:ec2/capacityBlockReservation:CapacityBlockReservation": ec2_capacity_block_reservation,
    "aws:ec2/capacityReservation:CapacityReservation": ec2_capacity_reservation,
}

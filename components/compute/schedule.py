"""When the nodes of a capacity block come, and when they are gone before EC2 takes them."""

from datetime import datetime

import pulumi
import pulumi_aws as aws

from .design.shapes import Design

UNCHANGED = -1
"""What the provider takes for "leave that size alone"."""


def build(
    name: str, design: Design, nodes: aws.eks.NodeGroup, child: pulumi.ResourceOptions
) -> list[aws.autoscaling.Schedule]:
    """Scheduled actions of the group behind the node group; none where the design has no drain of this kind.

    The group has no nodes until the block is active (EC2 would refuse them), all of them from then on, and none from
    the drain on: EC2 ends instances some time before the block's end, and asks nobody.
    """
    if design.drain is None or design.drain.by != "schedule":
        return []
    group = nodes.resources.apply(lambda found: (found[0].autoscaling_groups or [])[0].name or "")

    def at(when: datetime, what: str, size: int) -> aws.autoscaling.Schedule:
        return aws.autoscaling.Schedule(
            f"{name}-{what}",
            autoscaling_group_name=group,
            scheduled_action_name=f"{name}-{what}",
            start_time=when.strftime("%Y-%m-%dT%H:%M:%SZ"),
            desired_capacity=size,
            # A floor would bring the nodes back as they go.
            min_size=0 if size == 0 else UNCHANGED,
            max_size=UNCHANGED,
            opts=child,
        )

    made: list[aws.autoscaling.Schedule] = []
    if design.drain.at_start is not None:
        made.append(at(design.drain.at_start, "begins", design.request.max_nodes))
    if design.drain.at_end is not None:
        made.append(at(design.drain.at_end, "drains", 0))
    return made

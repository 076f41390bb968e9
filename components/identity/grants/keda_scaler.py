"""For KEDA: to read the lengths of queues and the metrics it scales by."""

from collections.abc import Sequence

import pulumi

from ..exact_names import arn
from ..statements import Statement
from .place import Place


def statements(
    place: Place,
    queue_arns: Sequence[pulumi.Input[str]] = (),
    workspace_arn: pulumi.Input[str] | None = None,
    cloudwatch: bool = False,
) -> list[Statement]:
    """Read the attributes of the SQS queues, query the Prometheus workspace, read CloudWatch's metrics of the region.

    Raises:
        ValueError: nothing is named.
    """
    if not queue_arns and workspace_arn is None and not cloudwatch:
        raise ValueError("queue_arns, workspace_arn, cloudwatch: nothing is named; say what may be scaled by")
    granted: list[Statement] = []
    if queue_arns:
        granted.append(
            Statement(
                sid="MeasureQueues",
                actions=["sqs:GetQueueAttributes"],
                resources=[arn("queue_arns", queue) for queue in queue_arns],
            )
        )
    if workspace_arn is not None:
        granted.append(
            Statement(
                sid="QueryWorkspace",
                actions=["aps:GetLabels", "aps:GetMetricMetadata", "aps:GetSeries", "aps:QueryMetrics"],
                resources=[arn("workspace_arn", workspace_arn)],
            )
        )
    if cloudwatch:
        granted.append(
            Statement(
                sid="ReadMetrics",
                actions=["cloudwatch:GetMetricData"],
                resources=["*"],
                conditions={"StringEquals": {"aws:RequestedRegion": place.region}},
                because="metrics have no ARN",
            )
        )
    return granted

"""To write metrics: to a workspace of Amazon Managed Prometheus, to CloudWatch namespaces, or both."""

from collections.abc import Sequence

import pulumi

from ..exact_names import arn
from ..statements import Statement


def statements(
    workspace_arn: pulumi.Input[str] | None = None, cloudwatch_namespaces: Sequence[str] = ()
) -> list[Statement]:
    """Remote-write to the workspace, and put metrics of the namespaces; nothing is read.

    Raises:
        ValueError: neither is given, or a namespace is a pattern or belongs to AWS.
    """
    if workspace_arn is None and not cloudwatch_namespaces:
        raise ValueError("workspace_arn, cloudwatch_namespaces: neither is given; name where metrics may be written")
    for namespace in cloudwatch_namespaces:
        if "*" in namespace or "?" in namespace or namespace.startswith("AWS/"):
            raise ValueError(
                f"cloudwatch_namespaces: {namespace!r} is not allowed; a full name outside AWS/, such as GpuFleet"
            )
    granted: list[Statement] = []
    if workspace_arn is not None:
        granted.append(
            Statement(
                sid="WriteToWorkspace",
                actions=["aps:RemoteWrite"],
                resources=[arn("workspace_arn", workspace_arn)],
            )
        )
    if cloudwatch_namespaces:
        granted.append(
            Statement(
                sid="PutOwnMetrics",
                actions=["cloudwatch:PutMetricData"],
                resources=["*"],
                conditions={"StringEquals": {"cloudwatch:namespace": sorted(set(cloudwatch_namespaces))}},
                because="metrics have no ARN; the namespaces limit it",
            )
        )
    return granted

"""To write logs to groups that are there already."""

from collections.abc import Sequence

import pulumi

from ..exact_names import arn
from ..statements import Statement, joined


def statements(log_group_arns: Sequence[pulumi.Input[str]]) -> list[Statement]:
    """Open streams in the groups and write to them.

    Groups are not made: one that a shipper makes is unencrypted and kept for ever. Nothing is read.

    Raises:
        ValueError: no group is named.
    """
    if not log_group_arns:
        raise ValueError("log_group_arns: empty; name the groups that may be written to, or leave the grant out")
    return [
        Statement(
            sid="WriteToLogGroups",
            actions=["logs:CreateLogStream", "logs:DescribeLogStreams", "logs:PutLogEvents"],
            resources=[joined(arn("log_group_arns", group), ":*") for group in log_group_arns],
            because="streams come and go with pods; the group is named",
        )
    ]

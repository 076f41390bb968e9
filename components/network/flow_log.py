"""The record of every connection in a VPC: its log group, and the role that writes it."""

from dataclasses import dataclass

import pulumi
import pulumi_aws as aws

from ..identity.statements import Statement, document, trust


@dataclass(frozen=True, kw_only=True)
class FlowLogDestination:
    """Where the log goes, and for how long it is kept."""

    account_id: str
    region: str
    partition: str
    key_arn: pulumi.Input[str]
    retention_days: int
    permissions_boundary_arn: pulumi.Input[str] | None = None


def build(
    name: str, vpc_id: pulumi.Input[str], to: FlowLogDestination, child: pulumi.ResourceOptions
) -> aws.ec2.FlowLog:
    """A flow log of all traffic of the VPC, kept under the given key; named `{name}-flow-log`."""
    name = f"{name}-flow-log"
    group = aws.cloudwatch.LogGroup(name, retention_in_days=to.retention_days, kms_key_id=to.key_arn, opts=child)
    role = aws.iam.Role(
        name,
        assume_role_policy=trust(
            "vpc-flow-logs.amazonaws.com",
            conditions={
                "StringEquals": {"aws:SourceAccount": to.account_id},
                "ArnLike": {"aws:SourceArn": f"arn:{to.partition}:ec2:{to.region}:{to.account_id}:vpc-flow-log/*"},
            },
        ),
        permissions_boundary=to.permissions_boundary_arn,
        opts=child,
    )
    writes = aws.iam.RolePolicy(
        name,
        role=role.id,
        policy=document(
            Statement(
                sid="WriteFlowLog",
                actions=[
                    "logs:CreateLogStream",
                    "logs:DescribeLogGroups",
                    "logs:DescribeLogStreams",
                    "logs:PutLogEvents",
                ],
                resources=[pulumi.Output.concat(group.arn, ":*")],
            )
        ),
        opts=child,
    )
    return aws.ec2.FlowLog(
        name,
        vpc_id=vpc_id,
        traffic_type="ALL",
        log_destination_type="cloud-watch-logs",
        log_destination=group.arn,
        iam_role_arn=role.arn,
        tags={"Name": name},
        opts=pulumi.ResourceOptions.merge(child, pulumi.ResourceOptions(depends_on=[writes])),
    )

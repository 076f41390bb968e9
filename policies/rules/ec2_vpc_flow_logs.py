"""Without a record of who talked to whom, an intrusion or a leak cannot be reconstructed."""

from pulumi_policy import EnforcementLevel, Severity, StackValidationPolicy

from ._frameworks import security_hub
from ._reading import UNKNOWN, read, shown
from ._routes import VPC
from ._stack import Report, Stack, for_stack


def _check(stack: Stack, report: Report) -> None:
    partial: dict[str, str] = {}
    covered: set[str] = set()
    for log in stack.of("aws:ec2/flowLog:FlowLog"):
        traffic = read(log.props, "trafficType")
        for vpc in stack.links(log, "vpcId", read(log.props, "vpcId"), VPC).all:
            if traffic is UNKNOWN or traffic == "ALL":
                covered.add(vpc.urn)
            else:
                partial[vpc.urn] = f"flow log {log.name} records {shown(traffic)}"
    for vpc in stack.of(VPC):
        if vpc.urn not in covered:
            report(
                f"{partial.get(vpc.urn, 'there is no flow log')}; the VPC must have one for trafficType ALL.", vpc.urn
            )


RULE = StackValidationPolicy(
    name="ec2-vpc-flow-logs",
    description="Without a record of who talked to whom, an intrusion or a leak in the VPC cannot be reconstructed.",
    severity=Severity.MEDIUM,
    enforcement_level=EnforcementLevel.MANDATORY,
    framework=security_hub("EC2.6"),
    tags=["network"],
    remediation_steps="Add aws.ec2.FlowLog(vpc_id=..., traffic_type='ALL') with an encrypted log group or a bucket as "
    "its destination.",
    url="https://docs.aws.amazon.com/vpc/latest/userguide/flow-logs.html",
    validate=for_stack(_check),
)

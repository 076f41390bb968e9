"""A resource made without naming a group lands in the default one, which lets its members talk and everything out."""

from pulumi_policy import EnforcementLevel, Severity, StackValidationPolicy

from ._frameworks import security_hub
from ._reading import UNKNOWN, elements, read
from ._routes import VPC
from ._stack import Report, Stack, for_stack

_DEFAULT = "aws:ec2/defaultSecurityGroup:DefaultSecurityGroup"


def _check(stack: Stack, report: Report) -> None:
    covered: set[str] = set()
    for group in stack.of(_DEFAULT):
        covered.update(vpc.urn for vpc in stack.links(group, "vpcId", read(group.props, "vpcId"), VPC).all)
        for key in ("ingress", "egress"):
            rules = [rule for rule in elements(read(group.props, key)) if rule is not UNKNOWN]
            if rules:
                report(
                    f"has {len(rules)} {key} rule{'s' * (len(rules) > 1)}; the default group must have none.", group.urn
                )
    for vpc in stack.of(VPC):
        if vpc.urn not in covered:
            report(
                "has no DefaultSecurityGroup, so the default group keeps AWS's open rules; it must be adopted "
                "without rules.",
                vpc.urn,
            )


RULE = StackValidationPolicy(
    name="ec2-default-security-group-closed",
    description="A resource made without a security group lands in the VPC's default group, which is open between its "
    "members and outwards.",
    severity=Severity.MEDIUM,
    enforcement_level=EnforcementLevel.MANDATORY,
    framework=security_hub("EC2.2"),
    tags=["network"],
    remediation_steps="Add aws.ec2.DefaultSecurityGroup(vpc_id=...) with neither ingress nor egress for every VPC.",
    url="https://docs.aws.amazon.com/vpc/latest/userguide/default-security-group.html",
    validate=for_stack(_check),
)

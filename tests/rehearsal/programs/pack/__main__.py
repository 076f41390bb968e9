"""Two rules: one about an input that is known at once, one about a value that only the update knows."""

from pulumi_policy import (
    EnforcementLevel,
    PolicyConfigSchema,
    PolicyPack,
    ReportViolation,
    ResourceValidationArgs,
    ResourceValidationPolicy,
    Severity,
)

RULE_TOKEN = "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule"


def _closed(args: ResourceValidationArgs, report: ReportViolation) -> None:
    if args.resource_type == RULE_TOKEN and args.props.get("cidrIpv4") == "0.0.0.0/0":
        report("cidrIpv4 is 0.0.0.0/0")


def _subnet_in_vpc(args: ResourceValidationArgs, report: ReportViolation) -> None:
    wanted = args.get_config().get("prefix", "vpc-")
    if args.resource_type == "aws:ec2/subnet:Subnet" and not args.props["vpcId"].startswith(wanted):
        report(f"vpcId does not start with {wanted}")


PolicyPack(
    "rehearsal-tests",
    policies=[
        ResourceValidationPolicy(
            name="ingress-closed",
            description="The world must not reach a node.",
            validate=_closed,
            enforcement_level=EnforcementLevel.MANDATORY,
            severity=Severity.CRITICAL,
            remediation_steps="Name the networks that need to reach it.",
        ),
        ResourceValidationPolicy(
            name="subnet-in-vpc",
            description="A subnet lies in a VPC of ours.",
            validate=_subnet_in_vpc,
            enforcement_level=EnforcementLevel.MANDATORY,
            config_schema=PolicyConfigSchema(properties={"prefix": {"type": "string"}}),
        ),
    ],
)

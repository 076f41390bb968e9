"""An instance in a subnet that hands out public addresses is reachable from the internet by one open port."""

from pulumi_policy import EnforcementLevel, ResourceValidationArgs, ResourceValidationPolicy, Severity

from ._for_type import Report, for_type
from ._frameworks import security_hub
from ._reading import differs, read, shown

_SUBNETS = ("aws:ec2/subnet:Subnet", "aws:ec2/defaultSubnet:DefaultSubnet")


def _check(args: ResourceValidationArgs, report: Report) -> None:
    found = read(args.props, "mapPublicIpOnLaunch")
    # AWS gives a default subnet public addresses where nothing is said, any other subnet none.
    if differs(found, False, absent="default" in args.resource_type):
        report(f"mapPublicIpOnLaunch is {shown(found)}; it must be false.")


RULE = ResourceValidationPolicy(
    name="ec2-subnet-no-public-ip",
    description="An instance in a subnet that hands out public addresses is one open port away from the internet.",
    severity=Severity.HIGH,
    enforcement_level=EnforcementLevel.MANDATORY,
    framework=security_hub("EC2.15"),
    tags=["network"],
    remediation_steps="Set mapPublicIpOnLaunch to false; give what must be reached a load balancer, and NAT a subnet "
    "of its own.",
    url="https://docs.aws.amazon.com/vpc/latest/userguide/subnet-public-ip.html",
    validate=for_type(_check, *_SUBNETS),
)

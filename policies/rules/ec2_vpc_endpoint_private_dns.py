"""Without private DNS the SDKs keep calling the public address, which a closed network cannot reach."""

from typing import Final

from pulumi_policy import EnforcementLevel, PolicyResource, Severity, StackValidationPolicy

from ._endpoints import ENDPOINT, is_interface, kind, service
from ._reading import UNKNOWN, differs, read, shown
from ._routes import VPC
from ._stack import Report, Stack, for_stack

_OWN_NAMES: Final = frozenset({"dynamodb", "s3", "s3express"})
"""Services that have a gateway endpoint as well: an interface one beside it is used by its own name."""

_DNS: Final = {"enableDnsHostnames": False, "enableDnsSupport": True}
"""What private DNS asks of the VPC, and what AWS takes where nothing is said."""


def _check(stack: Stack, report: Report) -> None:
    needed_by: dict[str, str] = {}
    for endpoint in stack.of(ENDPOINT):
        found = read(endpoint.props, "privateDnsEnabled")
        if kind(endpoint) == "Gateway" and found is True:
            report(
                "privateDnsEnabled is true on a Gateway endpoint, which EC2 refuses; it must be left out.", endpoint.urn
            )
        elif is_interface(endpoint) and service(endpoint) not in (None, UNKNOWN, *_OWN_NAMES):
            if differs(found, True, absent=False):
                report(f"privateDnsEnabled is {shown(found)} (AWS default false); it must be true.", endpoint.urn)
            for vpc in stack.links(endpoint, "vpcId", read(endpoint.props, "vpcId"), VPC).certain:
                needed_by.setdefault(vpc.urn, endpoint.name)
    for vpc in stack.of(VPC):
        if vpc.urn in needed_by:
            _check_vpc(vpc, needed_by[vpc.urn], report)


def _check_vpc(vpc: PolicyResource, endpoint: str, report: Report) -> None:
    for key, default in _DNS.items():
        found = read(vpc.props, key)
        if differs(found, True, absent=default):
            report(f"{key} is {shown(found)}, so endpoint {endpoint} gets no private DNS; it must be true.", vpc.urn)


RULE = StackValidationPolicy(
    name="ec2-vpc-endpoint-private-dns",
    description="Without private DNS the SDKs keep calling the public address of a service, which a closed network "
    "cannot reach.",
    severity=Severity.MEDIUM,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["network"],
    remediation_steps="Set privateDnsEnabled true on interface endpoints, and enableDnsSupport and enableDnsHostnames "
    "true on their VPC; leave it out of gateway endpoints.",
    url="https://docs.aws.amazon.com/vpc/latest/privatelink/interface-endpoints.html",
    validate=for_stack(_check),
)

"""A Kubernetes API that the internet can reach is one stolen token or one flaw away from being someone else's."""

from pulumi_policy import EnforcementLevel, ResourceValidationArgs, ResourceValidationPolicy, Severity

from ._cidrs import is_open
from ._for_type import Report, for_type
from ._frameworks import security_hub
from ._reading import UNKNOWN, differs, elements, read, shown


def _check(args: ResourceValidationArgs, report: Report) -> None:
    network = read(args.props, "vpcConfig")
    private = read(network, "endpointPrivateAccess")
    if differs(private, True, absent=False):  # AWS: off
        report(
            f"endpointPrivateAccess is {shown(private)} (AWS default false); it must be true, so that nodes "
            "reach the API inside the VPC."
        )
    public = read(network, "endpointPublicAccess")
    if public is UNKNOWN or not differs(public, False, absent=True):  # AWS: on
        return
    ranges = elements(read(network, "publicAccessCidrs"))
    if not ranges:  # AWS: 0.0.0.0/0
        report(
            f"endpointPublicAccess is {shown(public)} (AWS default true) without publicAccessCidrs (AWS default "
            "0.0.0.0/0); it must be false, or the ranges named."
        )
    for cidr in filter(is_open, ranges):
        report(
            f"publicAccessCidrs holds {cidr}, which is the internet; it must hold narrow ranges only, or "
            "endpointPublicAccess be false."
        )


RULE = ResourceValidationPolicy(
    name="eks-cluster-private-api",
    description="A Kubernetes API that the internet can reach is one stolen token or one flaw away from being someone "
    "else's.",
    severity=Severity.CRITICAL,
    enforcement_level=EnforcementLevel.MANDATORY,
    framework=security_hub("EKS.1"),
    tags=["cluster", "network"],
    remediation_steps="Set vpcConfig.endpointPrivateAccess true and endpointPublicAccess false; where people must come "
    "from outside, list their ranges in publicAccessCidrs.",
    url="https://docs.aws.amazon.com/eks/latest/userguide/cluster-endpoint.html",
    validate=for_type(_check, "aws:eks/cluster:Cluster"),
)

"""The control plane talks to nodes alone; a way from its interfaces to the internet serves nobody who belongs there."""

from typing import Final

from pulumi_policy import EnforcementLevel, PolicyResource, Severity, StackValidationPolicy

from . import _openings
from ._cidrs import is_open
from ._openings import DEFAULT_GROUP, GROUP
from ._reading import read, shown
from ._stack import Report, Stack, for_stack

_GROUPS: Final = (GROUP, DEFAULT_GROUP)


def _check(stack: Stack, report: Report) -> None:
    planes: set[str] = set()
    for cluster in stack.of("aws:eks/cluster:Cluster"):
        named = read(cluster.props, "vpcConfig", "securityGroupIds")
        planes |= {group.urn for group in stack.links(cluster, "vpcConfig", named, *_GROUPS).certain}
    for carrier in stack.of(*_openings.CARRIERS["egress"]):
        if not _groups(stack, carrier) & planes:
            continue
        for opening in _openings.openings(carrier.resource_type, carrier.props, "egress"):
            for cidr in opening.cidrs:
                if is_open(cidr):
                    report(
                        f"{opening.what} lets the control plane's interfaces out to {shown(cidr)} on {opening.ports}; "
                        "they must reach the VPC only.",
                        carrier.urn,
                    )


def _groups(stack: Stack, carrier: PolicyResource) -> set[str]:
    if carrier.resource_type in _GROUPS:
        return {carrier.urn}
    value = read(carrier.props, "securityGroupId")
    return {group.urn for group in stack.links(carrier, "securityGroupId", value, *_GROUPS).certain}


RULE = StackValidationPolicy(
    name="eks-control-plane-egress-closed",
    description="The control plane talks to nodes alone, so a way from its interfaces to the internet serves nobody "
    "who should be there.",
    severity=Severity.LOW,
    # An API server that asks an identity provider outside needs a way there.
    enforcement_level=EnforcementLevel.ADVISORY,
    tags=["cluster", "network"],
    remediation_steps="Let the control plane's group out to the nodes' group on TCP 443 and 10250, and nowhere else.",
    url="https://docs.aws.amazon.com/eks/latest/userguide/sec-group-reqs.html",
    validate=for_stack(_check),
)

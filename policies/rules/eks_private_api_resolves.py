"""The name of a private API is known in its VPC only while DNS is on there, so without it no node joins."""

from pulumi_policy import EnforcementLevel, Severity, StackValidationPolicy

from ._reading import differs, read, shown
from ._routes import SUBNETS, VPC
from ._stack import Report, Stack, for_stack

_FLAGS = {"enableDnsSupport": True, "enableDnsHostnames": False}
"""And what AWS takes where nothing is said."""


def _check(stack: Stack, report: Report) -> None:
    told: set[tuple[str, str]] = set()
    for cluster in stack.of("aws:eks/cluster:Cluster"):
        if read(cluster.props, "vpcConfig", "endpointPrivateAccess") is not True:
            continue
        subnets = stack.links(cluster, "vpcConfig", read(cluster.props, "vpcConfig", "subnetIds"), *SUBNETS).all
        for vpc in {
            found.urn: found
            for subnet in subnets
            for found in stack.links(subnet, "vpcId", read(subnet.props, "vpcId"), VPC).certain
        }.values():
            for flag, default in _FLAGS.items():
                value = read(vpc.props, flag)
                if differs(value, True, absent=default) and (vpc.urn, flag) not in told:
                    told.add((vpc.urn, flag))
                    report(
                        f"{flag} is {shown(value)}, and cluster {cluster.name} has a private API; it must be true.",
                        vpc.urn,
                    )


RULE = StackValidationPolicy(
    name="eks-private-api-resolves",
    description="The name of a private API is known in its VPC only while DNS is on there, so without it no node "
    "joins.",
    severity=Severity.MEDIUM,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["network", "cluster"],
    remediation_steps="Set enable_dns_support and enable_dns_hostnames true on the cluster's VPC.",
    url="https://docs.aws.amazon.com/eks/latest/userguide/cluster-endpoint.html",
    validate=for_stack(_check),
)

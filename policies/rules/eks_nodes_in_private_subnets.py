"""Nodes in a subnet that routes to an internet gateway can be exposed by a single address or rule."""

from collections.abc import Iterator
from typing import Any

from pulumi_policy import EnforcementLevel, PolicyResource, Severity, StackValidationPolicy

from ._karpenter import NODE_CLASS
from ._reading import elements, read
from ._routes import SUBNETS, Routes
from ._stack import Report, Stack, for_stack

_PATHS: dict[str, tuple[str, ...]] = {
    "aws:eks/nodeGroup:NodeGroup": ("subnetIds",),
    "aws:eks/fargateProfile:FargateProfile": ("subnetIds",),
    "aws:eks/cluster:Cluster": ("vpcConfig", "subnetIds"),
    "aws:autoscaling/group:Group": ("vpcZoneIdentifiers",),
    "aws:ec2/instance:Instance": ("subnetId",),
    "aws:ec2/spotInstanceRequest:SpotInstanceRequest": ("subnetId",),
}


def _check(stack: Stack, report: Report) -> None:
    routes = Routes(stack)
    for resource, key, value in _references(stack):
        public = stack.links(resource, key, value, *SUBNETS).surely(routes.is_public)
        if public:
            names = ", ".join(sorted(subnet.name for subnet in public))
            report(
                f"{key} leads to {names}, which has a route to an internet gateway; it must lead to private "
                "subnets only.",
                resource.urn,
            )


def _references(stack: Stack) -> Iterator[tuple[PolicyResource, str, Any]]:
    for type_, path in _PATHS.items():
        for resource in stack.of(type_):
            yield resource, path[0], read(resource.props, *path)
    for template in stack.of("aws:ec2/launchTemplate:LaunchTemplate"):
        interfaces = elements(read(template.props, "networkInterfaces"))
        named = [subnet for interface in interfaces if (subnet := read(interface, "subnetId")) is not None]
        yield template, "networkInterfaces", named
    for node_class in stack.of(*NODE_CLASS):
        terms = elements(read(node_class.props, "spec", "subnetSelectorTerms"))
        yield node_class, "spec", [subnet for term in terms if (subnet := read(term, "id")) is not None]


RULE = StackValidationPolicy(
    name="eks-nodes-in-private-subnets",
    description="A node in a subnet that routes to an internet gateway can be exposed by a single address or rule.",
    severity=Severity.HIGH,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["network", "cluster"],
    remediation_steps="Place clusters, node groups and instances in subnets whose route table sends 0.0.0.0/0 to a NAT "
    "gateway or nowhere.",
    url="https://docs.aws.amazon.com/eks/latest/best-practices/subnets.html",
    validate=for_stack(_check),
)

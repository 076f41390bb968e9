"""What EKS decides for a node group it refuses to find in the launch template, half-way through an update."""

from collections.abc import Iterator

from pulumi_policy import EnforcementLevel, PolicyResource, Severity, StackValidationPolicy

from ._pools import pools
from ._reading import UNKNOWN, elements, read, shown
from ._stack import Report, Stack, for_stack

_GROUPS_OWN = ("diskSize", "remoteAccess")
_TEMPLATES_NOT = ("iamInstanceProfile", "hibernationOptions")


def _check(stack: Stack, report: Report) -> None:
    for pool in pools(stack):
        if read(pool.resource.props, "launchTemplate") is None:
            continue
        for key in _GROUPS_OWN:
            if read(pool.resource.props, key) is not None:
                report(f"{key} is set beside a launch template; it must stand in the template.", pool.resource.urn)
        for template in pool.template.certain:
            for fault in _faults(pool.resource, template):
                report(fault, pool.resource.urn)


def _faults(group: PolicyResource, template: PolicyResource) -> Iterator[str]:
    market = read(template.props, "instanceMarketOptions", "marketType")
    if market == "spot":
        yield "the launch template's marketType is spot; the group must say capacityType SPOT instead."
    if elements(read(group.props, "instanceTypes")) and read(template.props, "instanceType") not in (None, UNKNOWN):
        yield (
            f"instanceTypes beside the launch template's instanceType {shown(read(template.props, 'instanceType'))}; "
            "one of the two must go."
        )
    for key in _TEMPLATES_NOT:
        if read(template.props, key) is not None:
            yield f"the launch template has {key}, which EKS sets itself; it must go."
    for index, interface in enumerate(elements(read(template.props, "networkInterfaces"))):
        if read(interface, "subnetId") is not None:
            yield (
                f"the launch template's networkInterfaces[{index}] names a subnet; the group's subnetIds must say it "
                "alone."
            )


RULE = StackValidationPolicy(
    name="eks-node-group-template-fits",
    description="What EKS decides for a node group it refuses to find in the launch template, half-way through an "
    "update.",
    severity=Severity.MEDIUM,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["compute"],
    remediation_steps="Let the node group say capacity type, instance types, subnets and role, and the template the "
    "rest: volumes, metadata options, security groups, user data.",
    url="https://docs.aws.amazon.com/eks/latest/userguide/launch-templates.html",
    validate=for_stack(_check),
)

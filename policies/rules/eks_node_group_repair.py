"""A GPU that has fallen off the bus is billed like a whole one until somebody looks."""

from pulumi_policy import EnforcementLevel, ResourceValidationArgs, ResourceValidationPolicy, Severity

from ._for_type import Report, for_type
from ._reading import differs, read


def _check(args: ResourceValidationArgs, report: Report) -> None:
    if differs(read(args.props, "nodeRepairConfig", "enabled"), True, absent=False):
        report(
            "nodeRepairConfig.enabled is not true (AWS default false); it should be, so that sick nodes are replaced."
        )


RULE = ResourceValidationPolicy(
    name="eks-node-group-repair",
    description="A GPU that has fallen off the bus is billed like a whole one until somebody looks.",
    severity=Severity.LOW,
    # Some teams repair nodes by a controller of their own.
    enforcement_level=EnforcementLevel.ADVISORY,
    tags=["compute", "gpu", "money"],
    remediation_steps="Set nodeRepairConfig {enabled: true}, beside the add-on eks-node-monitoring-agent.",
    url="https://docs.aws.amazon.com/eks/latest/userguide/node-health.html",
    validate=for_type(_check, "aws:eks/nodeGroup:NodeGroup"),
)

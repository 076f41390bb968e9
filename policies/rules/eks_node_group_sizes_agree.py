"""Bounds that contradict each other are refused half-way through an update."""

from pulumi_policy import EnforcementLevel, ResourceValidationArgs, ResourceValidationPolicy, Severity

from ._for_type import Report, for_type
from ._reading import UNKNOWN, number, read, shown


def _check(args: ResourceValidationArgs, report: Report) -> None:
    sizes = {key: read(args.props, "scalingConfig", key) for key in ("minSize", "desiredSize", "maxSize")}
    counts = [
        (key, count) for key, value in sizes.items() if value is not UNKNOWN and (count := number(value)) is not None
    ]
    for (low, least), (high, most) in zip(counts, counts[1:], strict=False):
        if least > most:
            report(
                f"scalingConfig.{low} is {shown(sizes[low])} and {high} {shown(sizes[high])}; they must not fall from "
                "minSize over desiredSize to maxSize."
            )


RULE = ResourceValidationPolicy(
    name="eks-node-group-sizes-agree",
    description="Bounds that contradict each other are refused half-way through an update.",
    severity=Severity.LOW,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["compute", "money"],
    remediation_steps="Set minSize <= desiredSize <= maxSize.",
    url="https://docs.aws.amazon.com/eks/latest/APIReference/API_NodegroupScalingConfig.html",
    validate=for_type(_check, "aws:eks/nodeGroup:NodeGroup"),
)

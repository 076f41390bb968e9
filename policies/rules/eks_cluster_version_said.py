"""A cluster whose version nobody wrote is of whatever version was newest on the day, and so is the next one."""

from pulumi_policy import EnforcementLevel, ResourceValidationArgs, ResourceValidationPolicy, Severity

from ._for_type import Report, for_type
from ._reading import read


def _check(args: ResourceValidationArgs, report: Report) -> None:
    if read(args.props, "version") is None:
        report("version is not set (AWS default: its newest); it should be, so that the plan says what will be made.")


RULE = ResourceValidationPolicy(
    name="eks-cluster-version-said",
    description="A cluster whose version nobody wrote is of whatever version was newest on the day, and so is the next "
    "one.",
    severity=Severity.LOW,
    # What EKS takes is supported.
    enforcement_level=EnforcementLevel.ADVISORY,
    tags=["cluster"],
    remediation_steps="Set version to the release that was tested; move it on one minor version at a time.",
    url="https://docs.aws.amazon.com/eks/latest/userguide/kubernetes-versions.html",
    validate=for_type(_check, "aws:eks/cluster:Cluster"),
)

"""A cluster under the extended support policy slides into six times the price without anybody deciding it."""

from pulumi_policy import EnforcementLevel, ResourceValidationArgs, ResourceValidationPolicy, Severity

from ._for_type import Report, for_type
from ._reading import differs, read, shown


def _check(args: ResourceValidationArgs, report: Report) -> None:
    found = read(args.props, "upgradePolicy", "supportType")
    if differs(found, "STANDARD", absent="EXTENDED"):  # AWS: EXTENDED
        report(f"upgradePolicy.supportType is {shown(found)} (AWS default EXTENDED); it must be STANDARD.")


RULE = ResourceValidationPolicy(
    name="eks-cluster-standard-support",
    description="A cluster under the extended support policy slides into six times the price without anybody deciding "
    "it.",
    severity=Severity.MEDIUM,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["cluster", "money"],
    remediation_steps="Set upgradePolicy to {supportType: STANDARD}; EKS then upgrades the control plane when standard "
    "support ends.",
    url="https://docs.aws.amazon.com/eks/latest/userguide/view-upgrade-policy.html",
    validate=for_type(_check, "aws:eks/cluster:Cluster"),
)

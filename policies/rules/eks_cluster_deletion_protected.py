"""One wrong destroy takes the cluster and every workload on it."""

from pulumi_policy import EnforcementLevel, ResourceValidationArgs, ResourceValidationPolicy, Severity

from ._for_type import Report, for_type
from ._reading import differs, read, shown


def _check(args: ResourceValidationArgs, report: Report) -> None:
    found = read(args.props, "deletionProtection")
    if differs(found, True, absent=False):  # AWS: off
        report(f"deletionProtection is {shown(found)} (AWS default false); it must be true.")


# Advisory: an environment that is made and destroyed every day is better off without it.
RULE = ResourceValidationPolicy(
    name="eks-cluster-deletion-protected",
    description="One wrong destroy takes the cluster and every workload on it.",
    severity=Severity.LOW,
    enforcement_level=EnforcementLevel.ADVISORY,
    tags=["cluster"],
    remediation_steps="Set deletionProtection true, and false in an update of its own before the cluster is really "
    "meant to go.",
    url="https://docs.aws.amazon.com/eks/latest/userguide/deletion-protection.html",
    validate=for_type(_check, "aws:eks/cluster:Cluster"),
)

"""A role for the default namespace or service account is everybody's who may run a pod there."""

from pulumi_policy import EnforcementLevel, ResourceValidationArgs, ResourceValidationPolicy, Severity

from ._for_type import Report, for_type
from ._reading import read


def _check(args: ResourceValidationArgs, report: Report) -> None:
    for key in ("namespace", "serviceAccount"):
        if read(args.props, key) == "default":
            report(f"{key} is default, which pods have that ask for nothing; it must be one of the workload's own.")


RULE = ResourceValidationPolicy(
    name="eks-pod-identity-for-named-pods",
    description="A role for the default namespace or service account is everybody's who may run a pod there.",
    severity=Severity.HIGH,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["cluster", "identity"],
    remediation_steps="Give the workload a namespace and a service account, and name both in the association.",
    url="https://docs.aws.amazon.com/eks/latest/userguide/pod-identities.html",
    validate=for_type(_check, "aws:eks/podIdentityAssociation:PodIdentityAssociation"),
)

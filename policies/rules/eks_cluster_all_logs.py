"""Without the control plane's logs nobody can tell who did what to the cluster."""

from pulumi_policy import EnforcementLevel, ResourceValidationArgs, ResourceValidationPolicy, Severity

from ._for_type import Report, for_type
from ._frameworks import security_hub
from ._reading import UNKNOWN, elements, read

_KINDS = ("api", "audit", "authenticator", "controllerManager", "scheduler")
"""All that EKS offers: https://docs.aws.amazon.com/eks/latest/userguide/control-plane-logs.html"""


def _check(args: ResourceValidationArgs, report: Report) -> None:
    enabled = elements(read(args.props, "enabledClusterLogTypes"))  # AWS: none
    missing = [kind for kind in _KINDS if kind not in enabled]
    # An item that is not known yet may be any one of the missing kinds, a list that is not known all of them.
    if enabled != [UNKNOWN] and len(missing) > enabled.count(UNKNOWN):
        report(f"enabledClusterLogTypes lacks {', '.join(missing)}; it must hold {', '.join(_KINDS)}.")


RULE = ResourceValidationPolicy(
    name="eks-cluster-all-logs",
    description="Without the control plane's logs nobody can tell who did what to the cluster.",
    severity=Severity.MEDIUM,
    enforcement_level=EnforcementLevel.MANDATORY,
    framework=security_hub("EKS.8"),
    tags=["cluster", "logging"],
    remediation_steps=f"Set enabledClusterLogTypes to [{', '.join(_KINDS)}].",
    url="https://docs.aws.amazon.com/eks/latest/userguide/control-plane-logs.html",
    validate=for_type(_check, "aws:eks/cluster:Cluster"),
)

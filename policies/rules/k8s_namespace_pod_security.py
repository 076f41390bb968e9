"""In a namespace without a Pod Security level anybody who may run a pod may run one that owns the node."""

from typing import Final

from pulumi_policy import EnforcementLevel, ResourceValidationArgs, ResourceValidationPolicy, Severity

from ._for_type import Report, for_type
from ._reading import UNKNOWN, read, shown
from ._workloads import NAMESPACES, SYSTEM_NAMESPACES

_LABEL: Final = "pod-security.kubernetes.io/enforce"
_LEVELS: Final = ("baseline", "restricted", UNKNOWN)


def _check(args: ResourceValidationArgs, report: Report) -> None:
    if read(args.props, "metadata", "name") in args.get_config().get("namespaces", SYSTEM_NAMESPACES):
        return
    level = read(args.props, "metadata", "labels", _LABEL)
    if level not in _LEVELS:
        report(f"label {_LABEL} is {shown(level)}; it must be baseline or restricted.")


RULE = ResourceValidationPolicy(
    name="k8s-namespace-pod-security",
    description="In a namespace without a Pod Security level anybody who may run a pod may run one that owns the node.",
    severity=Severity.HIGH,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["kubernetes"],
    remediation_steps="Label the namespace pod-security.kubernetes.io/enforce: restricted, or baseline where images "
    "run as root.",
    url="https://kubernetes.io/docs/concepts/security/pod-security-admission/",
    config_schema=NAMESPACES,
    validate=for_type(_check, "kubernetes:core/v1:Namespace"),
)

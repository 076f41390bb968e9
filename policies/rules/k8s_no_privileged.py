"""A pod that gets at its node gets at all that runs there, and at the node's credentials."""

from collections.abc import Iterator
from typing import Any, Final

from pulumi_policy import EnforcementLevel, ReportViolation, ResourceValidationArgs, ResourceValidationPolicy, Severity

from ._reading import elements, read
from ._workloads import NAMESPACES, Pod, is_left_alone, pods

_HOST: Final = ("hostNetwork", "hostPID", "hostIPC")
_CAPABILITIES: Final = frozenset(
    {"ALL", "SYS_ADMIN", "SYS_MODULE", "SYS_PTRACE", "SYS_RAWIO", "NET_ADMIN", "NET_RAW", "DAC_READ_SEARCH", "BPF"}
)


def _check(args: ResourceValidationArgs, report_violation: ReportViolation) -> None:
    if is_left_alone(args.props, args.get_config()):
        return
    for pod in pods(args.resource_type, args.props):
        for fault in _faults(pod):
            report_violation(fault, None)


def _faults(pod: Pod) -> Iterator[str]:
    for key in _HOST:
        if pod.spec.get(key) is True:
            yield f"{pod.path}.{key} is true; it must be false."
    for index, volume in enumerate(elements(pod.spec.get("volumes"))):
        if (path := read(volume, "hostPath", "path")) is not None:
            yield f"{pod.path}.volumes[{index}] mounts {path} of the node; it must be a claim or an emptyDir."
    for path, container in pod.containers:
        yield from _container_faults(path, read(container, "securityContext"))


def _container_faults(path: str, context: Any) -> Iterator[str]:
    for key in ("privileged", "allowPrivilegeEscalation"):
        if read(context, key) is True:
            yield f"{path}.securityContext.{key} is true; it must be false."
    added = {str(name).removeprefix("CAP_") for name in elements(read(context, "capabilities", "add"))}
    if dangerous := sorted(added & _CAPABILITIES):
        yield f"{path}.securityContext.capabilities.add has {', '.join(dangerous)}; they must go."


RULE = ResourceValidationPolicy(
    name="k8s-no-privileged",
    description="A pod that gets at its node gets at all that runs there, and at the node's credentials.",
    severity=Severity.CRITICAL,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["kubernetes"],
    remediation_steps="Ask for GPUs and EFA as resources, which needs no privilege; agents of the node belong into a "
    "namespace of this rule's `namespaces`.",
    url="https://kubernetes.io/docs/concepts/security/pod-security-standards/",
    config_schema=NAMESPACES,
    validate=_check,
)

"""A pod that asks for nothing is put where nothing is left, and one without a limit takes its neighbours' memory."""

from collections.abc import Iterator
from typing import Any

from pulumi_policy import EnforcementLevel, ReportViolation, ResourceValidationArgs, ResourceValidationPolicy, Severity

from ._reading import UNKNOWN, read
from ._workloads import NAMESPACES, is_left_alone, pods


def _check(args: ResourceValidationArgs, report_violation: ReportViolation) -> None:
    if is_left_alone(args.props, args.get_config()):
        return
    for pod in pods(args.resource_type, args.props):
        for path, container in pod.containers:
            if ".initContainers[" not in path and (missing := list(_missing(read(container, "resources")))):
                report_violation(f"{path}.resources lacks {', '.join(missing)}; each must be there.", None)


def _missing(resources: Any) -> Iterator[str]:
    """A limit stands for its request as well; a limit on CPU only slows, and none is asked for."""
    if resources is UNKNOWN:
        return
    for kind in ("cpu", "memory"):
        if read(resources, "requests", kind) is None and read(resources, "limits", kind) is None:
            yield f"requests.{kind}"
    if read(resources, "limits", "memory") is None:
        yield "limits.memory"


RULE = ResourceValidationPolicy(
    name="k8s-requests-and-limits",
    description="A pod that asks for nothing is put where nothing is left, and one without a limit takes its "
    "neighbours' memory.",
    severity=Severity.MEDIUM,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["kubernetes", "money"],
    remediation_steps="Set requests for cpu and memory and a limit for memory on every container.",
    url="https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/",
    config_schema=NAMESPACES,
    validate=_check,
)

"""A tag that moves runs other code tomorrow than today, and on one node other than on the next."""

import re
from typing import Any, Final

from pulumi_policy import EnforcementLevel, ReportViolation, ResourceValidationArgs, ResourceValidationPolicy, Severity

from ._reading import read
from ._workloads import pods

_MOVING: Final = ("latest", "main", "master", "nightly", "stable", "edge", "dev")
_REFERENCE: Final = re.compile(r"(?P<name>.+?)(?::(?P<tag>[\w][\w.-]*))?(?P<digest>@sha256:[0-9a-f]{64})?")


def _check(args: ResourceValidationArgs, report_violation: ReportViolation) -> None:
    for pod in pods(args.resource_type, args.props):
        for path, container in pod.containers:
            if (fault := _fault(read(container, "image"))) is not None:
                report_violation(f"{path}.image {fault}", None)


def _fault(image: Any) -> str | None:
    if not isinstance(image, str) or not (found := _REFERENCE.fullmatch(image)) or found["digest"]:
        return None
    tag = found["tag"]
    if tag is None:
        return f"is {image}, whose newest is taken; it must have a version or a digest."
    return f"is {image}, which moves; it must have a version or a digest." if tag in _MOVING else None


RULE = ResourceValidationPolicy(
    name="k8s-images-pinned",
    description="A tag that moves runs other code tomorrow than today, and on one node other than on the next.",
    severity=Severity.MEDIUM,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["kubernetes"],
    remediation_steps="Name the version, best with its digest (image:1.2.3@sha256:...).",
    url="https://kubernetes.io/docs/concepts/containers/images/",
    validate=_check,
)

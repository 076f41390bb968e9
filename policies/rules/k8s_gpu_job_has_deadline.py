"""A job that hangs holds its GPUs until somebody looks, and nobody looks at night."""

from typing import Any, Final

from pulumi_policy import EnforcementLevel, ResourceValidationArgs, ResourceValidationPolicy, Severity

from ._for_type import Report, for_type
from ._reading import UNKNOWN, read
from ._workloads import GPU, pods

_JOB: Final = "kubernetes:batch/v1:Job"
_CRON: Final = "kubernetes:batch/v1:CronJob"
_FIELDS: Final = ("activeDeadlineSeconds", "ttlSecondsAfterFinished")


def _check(args: ResourceValidationArgs, report: Report) -> None:
    path = "spec" if args.resource_type == _JOB else "spec.jobTemplate.spec"
    spec: Any = read(args.props, *path.split("."))
    if spec is UNKNOWN or not any(pod.mentions(GPU) for pod in pods(args.resource_type, args.props)):
        return
    if missing := [field for field in _FIELDS if read(spec, field) is None]:
        report(f"{path} asks for GPUs and has no {' and no '.join(missing)}; both must be there.")


RULE = ResourceValidationPolicy(
    name="k8s-gpu-job-has-deadline",
    description="A job that hangs holds its GPUs until somebody looks, and nobody looks at night.",
    severity=Severity.MEDIUM,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["kubernetes", "gpu", "money"],
    remediation_steps="Set activeDeadlineSeconds to the longest that the job may take, and ttlSecondsAfterFinished so "
    "that it goes when it is done.",
    url="https://kubernetes.io/docs/concepts/workloads/controllers/job/",
    validate=for_type(_check, _JOB, _CRON),
)

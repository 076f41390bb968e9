"""An image from a registry that nobody chose is a stranger's program on your GPUs, with your data."""

from typing import Final

from pulumi_policy import (
    EnforcementLevel,
    PolicyConfigSchema,
    ReportViolation,
    ResourceValidationArgs,
    ResourceValidationPolicy,
    Severity,
)

from ._reading import UNKNOWN, read
from ._registries import host as registry_of
from ._registries import images_of_values, is_private
from ._workloads import pods

_RELEASES: Final = ("kubernetes:helm.sh/v3:Release", "kubernetes:helm.sh/v4:Chart")
_KNOWN: Final = ["public.ecr.aws", "registry.k8s.io", "nvcr.io", "quay.io", "ghcr.io"]


def _check(args: ResourceValidationArgs, report_violation: ReportViolation) -> None:
    known: list[str] = args.get_config().get("registries", _KNOWN)
    for path, registry in _named(args):
        if registry not in known and not is_private(registry):
            report_violation(
                f"{path} comes from {registry}; it must come from an ECR registry or one of {', '.join(known)}.", None
            )


def _named(args: ResourceValidationArgs) -> list[tuple[str, str]]:
    if args.resource_type in _RELEASES:
        values = read(args.props, "values")
        # Charts name registries that they were written with by leaving them out.
        return [] if values is UNKNOWN else [pair for pair in images_of_values(values) if pair[1] != "docker.io"]
    return [
        (f"{path}.image", registry_of(image))
        for pod in pods(args.resource_type, args.props)
        for path, container in pod.containers
        if isinstance(image := read(container, "image"), str)
    ]


RULE = ResourceValidationPolicy(
    name="k8s-images-from-known-registries",
    description="An image from a registry that nobody chose is a stranger's program on your GPUs, with your data.",
    severity=Severity.HIGH,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["kubernetes"],
    remediation_steps="Copy the image into a repository of your own (or fetch it through a pull-through cache), or "
    "have its registry added to `registries` in the pack's configuration, where it is reviewed.",
    url="https://kubernetes.io/docs/concepts/containers/images/",
    config_schema=PolicyConfigSchema(
        {
            "registries": {
                "type": "array",
                "items": {"type": "string"},
                "default": _KNOWN,
                "description": "hosts that images may come from, beside private registries of ECR",
            }
        }
    ),
    validate=_check,
)

"""Nodes of a version that gets no fixes stay open to what the control plane is safe from."""

from datetime import date

from pulumi_policy import (
    EnforcementLevel,
    PolicyConfigSchema,
    ResourceValidationArgs,
    ResourceValidationPolicy,
    Severity,
)

from gpufleet.facts import kubernetes

from ._for_type import Report, for_type
from ._reading import UNKNOWN, read


def _check(args: ResourceValidationArgs, report: Report) -> None:
    config = args.get_config()
    today = date.fromisoformat(config["today"]) if config.get("today") else date.today()
    version, image = read(args.props, "version"), read(args.props, "amiType")
    if version is not None and version is not UNKNOWN:
        release = kubernetes.find(str(version))
        if release is None or release.standard_until < today:
            supported = ", ".join(kubernetes.in_standard_support(today))
            report(f"version {version} is not in standard support; it must be the cluster's, one of {supported}.")
    if isinstance(image, str) and image.startswith("AL2_"):
        report(
            f"amiType is {image}, and Amazon Linux 2 has no images any more; it must be one of AL2023 or Bottlerocket."
        )


RULE = ResourceValidationPolicy(
    name="eks-node-group-supported-version",
    description="Nodes of a version that gets no fixes stay open to what the control plane is safe from.",
    severity=Severity.HIGH,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["compute"],
    remediation_steps="Leave version out, so that the group follows the cluster, or move it on with it; use an "
    "AL2023 or Bottlerocket image.",
    url="https://docs.aws.amazon.com/eks/latest/userguide/eks-ami-deprecation-faqs.html",
    config_schema=PolicyConfigSchema(
        {"today": {"type": "string", "default": "", "description": "the day to judge by, ISO 8601; today if empty"}}
    ),
    validate=for_type(_check, "aws:eks/nodeGroup:NodeGroup"),
)

"""A Kubernetes version out of standard support costs six times as much, and is upgraded by force when it runs out."""

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
from ._frameworks import security_hub
from ._reading import UNKNOWN, read


def _check(args: ResourceValidationArgs, report: Report) -> None:
    version = read(args.props, "version")
    # Where nothing is said EKS takes its newest default, which is supported.
    if version is None or version is UNKNOWN:
        return
    config = args.get_config()
    today = date.fromisoformat(config["today"]) if config.get("today") else date.today()
    wanted = f"choose one of {', '.join(kubernetes.in_standard_support(today))}."
    release = kubernetes.find(str(version))
    if release is None:
        report(f"version {version} is not in the EKS calendar; {wanted}")
        return
    left = (release.standard_until - today).days
    if left < int(config.get("min_days_left", 0)):
        when = f"leaves standard support in {left} days" if left >= 0 else f"left standard support {-left} days ago"
        report(
            f"version {version} {when} ({release.standard_until}); extended support ends in "
            f"{(release.extended_until - today).days} days ({release.extended_until}); {wanted}"
        )


RULE = ResourceValidationPolicy(
    name="eks-cluster-supported-version",
    description="A Kubernetes version out of standard support costs six times as much and is upgraded by force when "
    "extended support ends.",
    severity=Severity.HIGH,
    enforcement_level=EnforcementLevel.MANDATORY,
    framework=security_hub("EKS.2"),
    tags=["cluster", "money"],
    remediation_steps="Set version to a Kubernetes release in standard support, one minor version at a time.",
    url="https://docs.aws.amazon.com/eks/latest/userguide/kubernetes-versions.html",
    config_schema=PolicyConfigSchema(
        {
            "min_days_left": {"type": "integer", "minimum": 0, "default": 0},
            "today": {"type": "string", "default": "", "description": "ISO date to judge by; empty for the real one"},
        }
    ),
    validate=for_type(_check, "aws:eks/cluster:Cluster"),
)

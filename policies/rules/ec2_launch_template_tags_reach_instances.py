"""Tags of a node group stay on the EKS object, while instances and volumes are what costs money."""

from typing import Any

from pulumi_policy import EnforcementLevel, ResourceValidationArgs, ResourceValidationPolicy, Severity

from . import _tags
from ._for_type import Report, for_type
from ._reading import UNKNOWN, elements, read

_KINDS = ("instance", "volume")


def _check(args: ResourceValidationArgs, report: Report) -> None:
    specifications = elements(read(args.props, "tagSpecifications"))
    if UNKNOWN in specifications:
        return
    by_kind: dict[Any, Any] = {read(one, "resourceType"): read(one, "tags") for one in specifications}
    for kind in _KINDS:
        if kind not in by_kind and UNKNOWN in by_kind:
            continue
        # The provider's default tags do not count: they do not reach what the template launches.
        if lacking := _tags.missing(args.get_config(), [by_kind.get(kind)]):
            report(f"tagSpecifications for {kind} lacks {', '.join(lacking)}; each must be there with a value.")


RULE = ResourceValidationPolicy(
    name="ec2-launch-template-tags-reach-instances",
    description="Tags of a node group stay on the EKS object, while instances and volumes are what costs money.",
    severity=Severity.MEDIUM,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["compute", "money", "ownership"],
    remediation_steps="Add tagSpecifications for resourceType instance and for volume, both with the required tags; "
    "default tags do not reach them.",
    url="https://docs.aws.amazon.com/eks/latest/userguide/launch-templates.html",
    config_schema=_tags.SCHEMA,
    validate=for_type(_check, "aws:ec2/launchTemplate:LaunchTemplate"),
)

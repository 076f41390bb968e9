"""Tags of a node group stay on the EKS object, while instances and volumes are what costs money."""

from typing import Any

from pulumi_policy import EnforcementLevel, ResourceValidationArgs, ResourceValidationPolicy, Severity

from . import _tags
from ._for_type import Report, for_type
from ._karpenter import NODE_CLASS
from ._reading import UNKNOWN, elements, read

_KINDS = ("instance", "volume")


def _check(args: ResourceValidationArgs, report: Report) -> None:
    specifications = elements(read(args.props, "tagSpecifications"))
    if UNKNOWN in specifications:
        return
    by_kind: dict[Any, Any] = {read(one, "resourceType"): read(one, "tags") for one in specifications}
    # What is tagged beyond these must be tagged in full.
    for kind in (*_KINDS, *(kind for kind in by_kind if isinstance(kind, str) and kind not in _KINDS)):
        if kind not in by_kind and UNKNOWN in by_kind:
            continue
        # The provider's default tags do not count: they do not reach what the template launches.
        if lacking := _tags.missing(args.get_config(), [by_kind.get(kind)]):
            report(f"tagSpecifications for {kind} lacks {', '.join(lacking)}; each must be there with a value.")


def _check_class(args: ResourceValidationArgs, report: Report) -> None:
    if lacking := _tags.missing(args.get_config(), [read(args.props, "spec", "tags")]):
        report(f"spec.tags lacks {', '.join(lacking)}; each must be there with a value.")


RULE = ResourceValidationPolicy(
    name="ec2-launch-template-tags-reach-instances",
    description="Tags of a node group stay on the EKS object, while instances and volumes are what costs money.",
    severity=Severity.MEDIUM,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["compute", "money", "ownership"],
    remediation_steps="Add tagSpecifications for resourceType instance and for volume, both with the required tags; "
    "an EC2NodeClass has them in spec.tags; default tags do not reach either.",
    url="https://docs.aws.amazon.com/eks/latest/userguide/launch-templates.html",
    config_schema=_tags.SCHEMA,
    validate=[for_type(_check, "aws:ec2/launchTemplate:LaunchTemplate"), for_type(_check_class, *NODE_CLASS)],
)

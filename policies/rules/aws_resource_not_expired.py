"""What should have gone by its own tag is still there, and nobody looks after it."""

from collections.abc import Iterator
from datetime import date
from typing import Any, Final

from pulumi_policy import (
    EnforcementLevel,
    PolicyConfigSchema,
    ResourceValidationArgs,
    ResourceValidationPolicy,
    Severity,
)

from ._environment import default_tags
from ._for_type import Report, for_type
from ._karpenter import NODE_CLASS
from ._reading import elements, read

_KEY: Final = "expires"
_TEMPLATE: Final = "aws:ec2/launchTemplate:LaunchTemplate"
_POOLS: Final = ("aws:eks/nodeGroup:NodeGroup", "aws:eks/cluster:Cluster", "aws:ec2/vpc:Vpc", "aws:s3/bucket:Bucket")


def _check(args: ResourceValidationArgs, report: Report) -> None:
    config = args.get_config()
    today = date.fromisoformat(config["today"]) if config.get("today") else date.today()
    for where, value in _dates(args):
        if not isinstance(value, str):
            continue
        try:
            gone = date.fromisoformat(value) < today
        except ValueError:
            report(f"{where} is {value}; it must be a date such as 2027-03-31.")
            continue
        if gone:
            report(f"{where} is {value}, which is over; remove the resource, or agree on a later day.")


def _dates(args: ResourceValidationArgs) -> Iterator[tuple[str, Any]]:
    if args.resource_type == _TEMPLATE:
        for index, one in enumerate(elements(read(args.props, "tagSpecifications"))):
            yield f"tagSpecifications[{index}].tags.{_KEY}", read(one, "tags", _KEY)
    elif args.resource_type in NODE_CLASS:
        yield f"spec.tags.{_KEY}", read(args.props, "spec", "tags", _KEY)
    own = read(args.props, "tags", _KEY)
    if args.resource_type in _POOLS:
        yield f"tags.{_KEY}", read(default_tags(args.provider), _KEY) if own is None else own


RULE = ResourceValidationPolicy(
    name="aws-resource-not-expired",
    description="What should have gone by its own tag is still there, and nobody looks after it.",
    severity=Severity.MEDIUM,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["money", "ownership"],
    remediation_steps="Destroy the stack, or move the date on in the settings' tags, where its owner sees it.",
    url="https://docs.aws.amazon.com/tag-editor/latest/userguide/best-practices-and-strats.html",
    config_schema=PolicyConfigSchema(
        {"today": {"type": "string", "default": "", "description": "the day to judge by, ISO 8601; today if empty"}}
    ),
    validate=for_type(_check, _TEMPLATE, *NODE_CLASS, *_POOLS),
)

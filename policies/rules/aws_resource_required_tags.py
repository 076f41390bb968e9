"""A resource that nobody owns is never switched off, and no budget is charged for it."""

import json
from functools import cache
from pathlib import Path

from pulumi_policy import EnforcementLevel, ReportViolation, ResourceValidationArgs, ResourceValidationPolicy, Severity

from . import _tags
from ._environment import default_tags
from ._reading import read

_TYPES = Path(__file__).parent / "data" / "taggable_types.json"


def _check(args: ResourceValidationArgs, report_violation: ReportViolation) -> None:
    if args.resource_type not in _taggable():
        return
    sources = [default_tags(args.provider), read(args.props, "tagsAll"), read(args.props, "tags")]
    if lacking := _tags.missing(args.get_config(), sources):
        report_violation(
            f"tags lack {', '.join(lacking)}; each must be there with a value, here or in the provider's default tags.",
            None,
        )


@cache
def _taggable() -> frozenset[str]:
    return frozenset(json.loads(_TYPES.read_text(encoding="utf-8"))["types"])


RULE = ResourceValidationPolicy(
    name="aws-resource-required-tags",
    description="A resource that nobody owns is never switched off, and no budget is charged for it.",
    severity=Severity.MEDIUM,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["money", "ownership"],
    remediation_steps="Set the tags once in the provider's default_tags; a resource's own tags may add to them.",
    url="https://docs.aws.amazon.com/tag-editor/latest/userguide/best-practices-and-strats.html",
    config_schema=_tags.SCHEMA,
    validate=_check,
)

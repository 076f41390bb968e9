"""A selector that fits more than was meant gives nodes a stranger's image, subnet or security group."""

from collections.abc import Iterator
from typing import Any, Final

from pulumi_policy import EnforcementLevel, ResourceValidationArgs, ResourceValidationPolicy, Severity

from ._for_type import Report, for_type
from ._karpenter import NODE_CLASS
from ._reading import UNKNOWN, elements, entries, read

_PLACES: Final = ("subnetSelectorTerms", "securityGroupSelectorTerms")
_IMAGES: Final = "amiSelectorTerms"


def _check(args: ResourceValidationArgs, report: Report) -> None:
    spec = read(args.props, "spec")
    if spec is UNKNOWN:
        return
    for key in (*_PLACES, _IMAGES):
        terms = elements(read(spec, key))
        if not terms:
            report(f"spec.{key} is empty; it must name what nodes get.")
        for index, term in enumerate(terms):
            for fault in _image_faults(term) if key == _IMAGES else _place_faults(term):
                report(f"spec.{key}[{index}] {fault}")


def _place_faults(term: Any) -> Iterator[str]:
    tags = entries(read(term, "tags"))
    named = term is UNKNOWN or read(term, "id") is not None or read(term, "name") is not None
    if not named and all("*" in (key, value) for key, value in tags.items()):
        yield "fits whatever the account has; it must give an id, or a tag with its value."


def _image_faults(term: Any) -> Iterator[str]:
    if term is UNKNOWN or any(read(term, key) is not None for key in ("id", "alias", "ssmParameter")):
        return
    if read(term, "owner") is None:
        yield "names no owner, so that whoever publishes such an image has it booted; it must give id, alias or owner."


RULE = ResourceValidationPolicy(
    name="karpenter-node-class-selects-by-name",
    description="A selector that fits more than was meant gives nodes a stranger's image, subnet or security group.",
    severity=Severity.HIGH,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["compute", "network"],
    remediation_steps="Name subnets and security groups by id or by a tag with its value, and images by id, alias, or "
    "name with owner.",
    url="https://karpenter.sh/docs/concepts/nodeclasses/",
    validate=for_type(_check, *NODE_CLASS),
)

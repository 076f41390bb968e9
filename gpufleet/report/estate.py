"""The resources of a plan, indexed for the page: by type, by id and ARN; secrets masked before anything reads them."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from gpufleet.plan.graph import UNKNOWN, Resource
from gpufleet.plan.planning import as_document
from gpufleet.plan.values import is_list, is_mapping
from gpufleet.pricing.index import Index, is_component

Entry = Mapping[str, Any]
"""One resource in the shape of the plan's JSON document."""

MASK = "[secret]"
_STEP = re.compile(r"[^.\[\]]+")
_WORDS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def entries(resources: Sequence[Resource]) -> list[Entry]:
    """The resources as the document has them, every secret input replaced by `MASK`."""
    return [_entry(resource) for resource in resources]


def _entry(resource: Resource) -> Entry:
    entry = as_document(resource, None)
    for path in resource.secrets:
        keys = _STEP.findall(path)
        for side in ("inputs", "outputs"):
            entry[side] = _masked(entry[side], keys)
    return entry


def _masked(value: Any, keys: Sequence[str]) -> Any:
    """A copy with what lies at `keys` masked; a key that itself holds dots masks the whole branch it is in."""
    if not keys:
        return MASK
    if is_mapping(value):
        if keys[0] in value:
            return {**value, keys[0]: _masked(value[keys[0]], keys[1:])}
        return dict.fromkeys(value, MASK) if any("." in key for key in value) else value
    if is_list(value) and keys[0].isdigit() and int(keys[0]) < len(value):
        index = int(keys[0])
        return [*value[:index], _masked(value[index], keys[1:]), *value[index + 1 :]]
    return value


class Estate:
    """Lookups over the resources of one plan."""

    def __init__(self, resources: Sequence[Entry]) -> None:
        self.resources = sorted(resources, key=lambda entry: str(entry["urn"]))
        self._index = Index(self.resources)
        self._by_type: dict[str, list[Entry]] = {}
        self._by_reference: dict[str, Entry] = {}
        for entry in self.resources:
            self._by_type.setdefault(entry["type"], []).append(entry)
            for reference in (entry.get("id"), entry["outputs"].get("arn"), entry["inputs"].get("arn")):
                if isinstance(reference, str) and reference and reference != UNKNOWN:
                    # An id may be another resource's too (a bucket and its policy): the first of the better kind stays.
                    self._by_reference.setdefault(reference, entry)

    def of(self, type_: str) -> list[Entry]:
        """The resources of one type (`aws:ec2/vpc:Vpc`), by URN."""
        return self._by_type.get(type_, [])

    def find(self, reference: object) -> Entry | None:
        """The resource with this id or ARN."""
        return self._by_reference.get(reference) if isinstance(reference, str) else None

    def name(self, reference: object) -> str:
        """The name of the resource with this id or ARN, else the reference itself as a text."""
        found = self.find(reference)
        return str(found["name"]) if found else text(reference)

    def region(self, entry: Entry) -> str:
        """The region a resource is in; empty where the plan does not say."""
        zone = entry["inputs"].get("availabilityZone")
        own = zone.rstrip("abcdefghijklmnopqrstuvwxyz") if isinstance(zone, str) and zone != UNKNOWN else ""
        return self._index.region(entry) or own

    def component(self, entry: Entry) -> str:
        """The outermost component around a resource, itself included; empty where it stands alone."""
        outer = self._index.component(entry)
        return outer or (str(entry["name"]) if is_component(entry) else "")

    def launch_template(self, entry: Entry) -> Entry | None:
        """The launch template that a node group, an Auto Scaling group or an instance names."""
        return self._index.launch_template(entry["inputs"].get("launchTemplate"))


def kind(type_: str) -> str:
    """A type as a person says it: `aws:ec2/natGateway:NatGateway` is `NatGateway`."""
    if type_.startswith("pulumi:providers:"):
        return f"provider {type_.rsplit(':', 1)[1]}"
    return type_.rsplit(":", 1)[-1]


def in_words(camel: str) -> str:
    """`minSize` as `min size`, `GetObjectVersion` as `get object version`; acronyms stay as they are."""
    parts = _WORDS.split(camel)
    return " ".join(part if part.isupper() and len(part) > 1 else part.lower() for part in parts)


def text(value: object) -> str:
    """A value as one short text; what only the update knows says so."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, str):
        return value.replace(UNKNOWN, "(known after the update)")
    if is_list(value):
        return ", ".join(text(item) for item in value)
    if is_mapping(value):
        return ", ".join(f"{key}: {text(item)}" for key, item in value.items())
    return str(value)


def texts(value: object) -> list[str]:
    """A text, or a list of texts, as a list: IAM and EC2 take either."""
    return [text(item) for item in as_list(value)]


def as_list(value: object) -> Sequence[Any]:
    """A value, or a list of values, as a list."""
    return value if is_list(value) else [] if value is None else [value]


def number(value: object) -> int:
    """A whole number, 0 where it is none."""
    return int(value) if isinstance(value, int | float) and not isinstance(value, bool) else 0


def mapping(value: object) -> Mapping[str, Any]:
    """A JSON object, also where it is written as JSON text; empty where it is none."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            return {}
    if is_list(value):  # a block of one is written either way
        value = value[0] if value else None
    return value if is_mapping(value) else {}

"""The resources of a plan, indexed: by URN, by id, by name of launch template; region and component of each.

Every question is answered in constant time after one pass, so that a plan is priced in linear time.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from gpufleet.pricing import wire

Resource = Mapping[str, Any]
"""One entry of the plan document's `resources`."""

RegionOf = Callable[[Resource], str | None]
"""A caller's own answer to "which region is this resource in"; `None` leaves the question to the plan."""

_LAUNCH_TEMPLATE: Final = "aws:ec2/launchTemplate:LaunchTemplate"
_STACK: Final = "pulumi:pulumi:Stack"


def field(resource: Resource, name: str) -> str:
    """A text field of a resource (`urn`, `type`, `name`, `parent`, `provider`, `id`), empty when it is not one."""
    found = resource.get(name)
    return found if isinstance(found, str) else ""


def is_component(resource: Resource) -> bool:
    """Whether the resource is only a folder in the tree. The document marks it so, or else gives it no id."""
    custom = resource.get("custom")
    return not custom if isinstance(custom, bool) else not field(resource, "id")


class Index:
    """Lookups over one plan."""

    def __init__(self, resources: Sequence[Resource], region_of: RegionOf | None = None) -> None:
        self._region_of = region_of
        self._by_urn = {field(resource, "urn"): resource for resource in resources}
        self._components: dict[str, str] = {}
        self._templates: dict[str, Resource] = {}
        for template in resources:
            if field(template, "type") == _LAUNCH_TEMPLATE:
                names = (wire.value(template.get(side), "name") for side in ("inputs", "outputs"))
                for key in (field(template, "id"), *names):
                    if isinstance(key, str) and key and key != wire.UNKNOWN:
                        self._templates.setdefault(key, template)

    def region(self, resource: Resource) -> str | None:
        """The resource's own region, else that of the provider it is bound to, else `None`."""
        if self._region_of is not None and (answer := self._region_of(resource)) is not None:
            return answer
        provider = self._by_urn.get(field(resource, "provider").rpartition("::")[0], {})
        for inputs in (resource.get("inputs"), provider.get("inputs")):
            region = wire.value(inputs, "region")
            if isinstance(region, str) and region and region != wire.UNKNOWN:
                return region
        return None

    def launch_template(self, reference: object) -> Resource | None:
        """The launch template that a `launchTemplate` block names by id or by name, if the plan holds it."""
        for key in ("id", "name", "launchTemplateId", "launchTemplateName"):
            named = wire.value(reference, key)
            if isinstance(named, str) and named in self._templates:
                return self._templates[named]
        return None

    def component(self, resource: Resource) -> str:
        """Name of the outermost component around a resource, or an empty text."""
        outermost = ""
        trail: dict[str, Resource] = {}
        parent = field(resource, "parent")
        # A broken document may send the parents round in a circle: the trail ends there.
        while parent in self._by_urn and parent not in trail:
            if parent in self._components:
                outermost = self._components[parent]
                break
            trail[parent] = self._by_urn[parent]
            parent = field(trail[parent], "parent")
        # Every ancestor passed is remembered, so that a deep tree is walked once, not once for each resource in it.
        for urn, ancestor in reversed(trail.items()):
            if not outermost and is_component(ancestor) and field(ancestor, "type") != _STACK:
                outermost = field(ancestor, "name")
            self._components[urn] = outermost
        return outermost


@dataclass(frozen=True, slots=True)
class Context:
    """What a price rule may know beside the resource itself."""

    index: Index
    region: str
    today: date
    """Decides which Kubernetes versions are in extended support."""

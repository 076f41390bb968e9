"""The resources of a plan, indexed: by URN, by id, by name of launch template; region and component of each.

Every question is answered in constant time after one pass, so that a plan is priced in linear time.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any, Final

from gpufleet.pricing import wire
from gpufleet.pricing.assumptions import Assumptions

if TYPE_CHECKING:
    from gpufleet.pricing.reserved import Reserved

Resource = Mapping[str, Any]
"""One entry of the plan document's `resources`."""

RegionOf = Callable[[Resource], str | None]
"""A caller's own answer to "which region is this resource in"; `None` leaves the question to the plan."""

_LAUNCH_TEMPLATE: Final = "aws:ec2/launchTemplate:LaunchTemplate"
_NODE_CLASS: Final = "kubernetes:karpenter.k8s.aws/v1:EC2NodeClass"
_CLUSTER: Final = "aws:eks/cluster:Cluster"
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
        self._resources = resources
        self._counts: dict[str, int] = {}
        self._node_classes: dict[str, Resource] = {}
        self._clusters: list[Resource] = []
        self._templates: dict[str, Resource] = {}
        for template in resources:
            if field(template, "type") == _NODE_CLASS:
                self._node_classes.setdefault(str(wire.value(template.get("inputs"), "metadata.name")), template)
            elif field(template, "type") == _CLUSTER:
                self._clusters.append(template)
            if field(template, "type") == _LAUNCH_TEMPLATE:
                names = (wire.value(template.get(side), "name") for side in ("inputs", "outputs"))
                for key in (field(template, "id"), *names):
                    if isinstance(key, str) and key and key != wire.UNKNOWN:
                        self._templates.setdefault(key, template)

    def region(self, resource: Resource) -> str | None:
        """The resource's own region, else that of the provider it is bound to, else `None`.

        What lies in a Kubernetes cluster is where the cluster is: the one its provider hangs on, or the only one.
        """
        if self._region_of is not None and (answer := self._region_of(resource)) is not None:
            return answer
        provider = self._by_urn.get(field(resource, "provider").rpartition("::")[0], {})
        for inputs in (resource.get("inputs"), provider.get("inputs")):
            region = wire.value(inputs, "region")
            if isinstance(region, str) and region and region != wire.UNKNOWN:
                return region
        if field(resource, "type").startswith("kubernetes:"):
            hangs_on = provider.get("dependencies") or ()
            clusters = [found for found in self._clusters if found.get("urn") in hangs_on] or self._clusters
            regions = {self.region(found) for found in clusters}
            return regions.pop() if len(regions) == 1 else None
        return None

    def count(self, type_: str, counts: Callable[[Resource], bool]) -> int:
        """How many resources of a type there are; asked once for each type, always with the same condition."""
        if type_ not in self._counts:
            self._counts[type_] = sum(1 for found in self._resources if counts(found))
        return self._counts[type_]

    def node_class(self, name: str) -> Resource | None:
        """Karpenter's EC2NodeClass of that name, if the plan holds it."""
        return self._node_classes.get(name)

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
    assumptions: Assumptions
    reserved: "Reserved"

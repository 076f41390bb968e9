"""In which region and zone a resource lies."""

from pulumi_policy import PolicyResource

from ._reading import UNKNOWN, read
from ._routes import SUBNETS
from ._stack import Stack


def region_of(resource: PolicyResource) -> str | None:
    """Return the resource's own region, else its provider's; `None` where neither says one, or not yet."""
    for props in (resource.props, resource.provider.props if resource.provider else None):
        found = read(props, "region")
        if found is UNKNOWN:
            return None
        if isinstance(found, str):
            return found
    return None


def zones_of(stack: Stack, resource: PolicyResource, key: str) -> set[str] | None:
    """Return the zones of the subnets that `resource`'s property `key` leads to.

    `None` where that is not certain: a subnet of another stack, a choice, a zone that is not known.
    """
    value = read(resource.props, key)
    links = stack.links(resource, key, value, *SUBNETS)
    named = 1 if value is UNKNOWN or isinstance(value, str) else len(value or ())
    if links.possible or not links.certain or len(links.certain) < named:
        return None
    zones = [read(subnet.props, "availabilityZone") for subnet in links.certain]
    return {zone for zone in zones if isinstance(zone, str)} if all(isinstance(zone, str) for zone in zones) else None

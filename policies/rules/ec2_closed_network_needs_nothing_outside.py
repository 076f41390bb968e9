"""In a network without a way out, whatever is not at hand inside is found missing by nodes that never become ready.

A network is closed where every subnet of its node groups has a route table of the stack without a default route. A
stack that holds the cluster's inside only says so by the setting `closed`.
"""

import re
from collections import defaultdict
from collections.abc import Iterator

from pulumi_policy import EnforcementLevel, PolicyConfigSchema, PolicyResource, Severity, StackValidationPolicy

from gpufleet.facts import charts

from ._endpoints import ENDPOINT, kind, service
from ._pools import NODE_GROUP
from ._private_services import RELEASE, called, called_by_chart, out_of_reach
from ._reading import UNKNOWN, read
from ._regions import region_of
from ._registries import chart, images, images_of_values, is_private
from ._routes import SUBNETS, VPC, Routes
from ._stack import Report, Stack, for_stack
from ._walk import texts


def _check(stack: Stack, report: Report) -> None:
    networks = _networks(stack)
    closed = {vpc: groups for vpc, (groups, is_closed) in networks.items() if is_closed}
    everything = bool(stack.config.get("closed", False)) or (bool(closed) and len(closed) == len(networks))
    vpcs = {vpc.urn: vpc for vpc in stack.of(VPC)}
    inside = [resource for resource in stack.kind("kubernetes:") if everything or _is_in(resource, closed)]
    for urn, groups in closed.items():
        callers = dict[str, str]()
        for name, caller in [*called(stack, groups, vpcs[urn]), *_called_by_charts(inside, groups, everything)]:
            callers.setdefault(name, caller)
        for name in _missing(stack, vpcs[urn], callers):
            report(
                f"has no way out and no interface endpoint for {name}, which {callers[name]} must reach; it must have "
                "one, with private DNS.",
                urn,
            )
    regions = {region_of(vpcs[urn]) for urn in closed}
    own = {region for region in regions if region is not None} if None not in regions else set[str]()
    for resource in inside:
        for fault in out_of_reach(resource):
            report(fault, resource.urn)
        _check_images(stack, resource, own, report)


def _networks(stack: Stack) -> dict[str, tuple[list[PolicyResource], bool]]:
    """Node groups by the URN of their VPC, and whether every one of them certainly is without a way out."""
    routes = Routes(stack)
    found: defaultdict[str, list[tuple[PolicyResource, bool]]] = defaultdict(list)
    for group in stack.of(NODE_GROUP):
        subnets = stack.links(group, "subnetIds", read(group.props, "subnetIds"), *SUBNETS).all
        for vpc in {
            vpc.urn
            for subnet in subnets
            for vpc in stack.links(subnet, "vpcId", read(subnet.props, "vpcId"), VPC).certain
        }:
            found[vpc].append((group, all(map(routes.is_closed, subnets))))
    return {vpc: ([group for group, _ in pairs], all(c for _, c in pairs)) for vpc, pairs in found.items()}


def _missing(stack: Stack, vpc: PolicyResource, wanted: dict[str, str]) -> list[str]:
    """Services without an endpoint in the VPC; none while an endpoint's service is not known."""
    there = [
        service(endpoint)
        for endpoint in stack.of(ENDPOINT)
        if kind(endpoint) in ("Interface", UNKNOWN)
        and any(v.urn == vpc.urn for v in stack.links(endpoint, "vpcId", read(endpoint.props, "vpcId"), VPC).all)
    ]
    return [] if UNKNOWN in there else sorted(set(wanted) - set(there))


def _called_by_charts(
    inside: list[PolicyResource], groups: list[PolicyResource], everything: bool
) -> Iterator[tuple[str, str]]:
    for resource in inside:
        if resource.resource_type == RELEASE and (everything or _is_of(resource, groups)):
            yield from called_by_chart(resource)


def _check_images(stack: Stack, resource: PolicyResource, regions: set[str], report: Report) -> None:
    reachable: list[str] = stack.config.get("registries", [])
    is_release = resource.resource_type == RELEASE
    if is_release and not chart(resource.props):
        return  # the engine's preview shows nothing of what goes into a cluster that is not there yet
    manifest = read(resource.props, "values") if is_release else resource.props
    if manifest is UNKNOWN:
        return
    found = list(images_of_values(manifest) if is_release else images(manifest))
    for path, registry in found:
        if not is_private(registry, regions) and registry not in reachable:
            report(
                f"{path} comes from {registry}, which a network without a way out cannot reach; it must come from a "
                "private ECR registry of its region.",
                resource.urn,
            )
    if is_release and not found and not _runs_nothing(resource) and not is_private(_origin(resource), regions):
        report(
            f"chart {chart(resource.props)} is given no registry in its values, so its images come from the public "
            "ones it was written with; the values must name a private ECR registry.",
            resource.urn,
        )


def _runs_nothing(release: PolicyResource) -> bool:
    """Whether the chart is known to pull no image, as one that only defines types."""
    known = charts.find(chart(release.props))
    return known is not None and not known.images


def _origin(release: PolicyResource) -> str:
    """The registry of the chart itself: one that was mirrored is taken to name mirrored images."""
    named = str(read(release.props, "chart") or "")
    return named.removeprefix("oci://").partition("/")[0] if named.startswith("oci://") else ""


def _is_in(resource: PolicyResource, closed: dict[str, list[PolicyResource]]) -> bool:
    return any(_is_of(resource, groups) for groups in closed.values())


def _is_of(resource: PolicyResource, groups: list[PolicyResource]) -> bool:
    """Tell whether the resource's Kubernetes provider names the cluster of one of the groups."""
    names = {name for group in groups if isinstance(name := read(group.props, "clusterName"), str)}
    said = [text for _, text in texts(resource.provider.props)] if resource.provider else []
    return any(re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text) for name in names for text in said)


RULE = StackValidationPolicy(
    name="ec2-closed-network-needs-nothing-outside",
    description="In a network without a way out, whatever is not at hand inside is found missing by nodes that never "
    "become ready.",
    severity=Severity.HIGH,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["network", "cluster"],
    remediation_steps="Add the interface endpoints that are named, mirror images and charts into ECR (a pull-through "
    "cache does it), or give the private route tables a way out.",
    url="https://docs.aws.amazon.com/eks/latest/userguide/private-clusters.html",
    config_schema=PolicyConfigSchema(
        {
            "closed": {
                "type": "boolean",
                "default": False,
                "description": "whether all Kubernetes resources of the stack are in a network without a way out",
            },
            "registries": {
                "type": "array",
                "items": {"type": "string"},
                "default": [],
                "description": "hosts of further registries that are reached from inside",
            },
        }
    ),
    validate=for_stack(_check),
)

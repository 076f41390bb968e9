"""What a program wants of Kubernetes: which clusters its objects live in, of which versions, and their pools' nodes."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from gpufleet.errors import MissingError, UsageError
from gpufleet.facts import kubernetes
from gpufleet.plan.graph import Resource, Run
from gpufleet.rehearsal.controlplane import node_pools, pools
from gpufleet.rehearsal.controlplane.nodes import Node

PROVIDER: Final = "pulumi:providers:kubernetes"
CLUSTER: Final = node_pools.CLUSTER

MOST_CLUSTERS: Final = 4
"""That stand at a time: a control plane takes some 300 MB of memory, and two idle cores bear so many."""

# The inputs of a provider that say which cluster it speaks to.
_WHERE: Final = ("kubeconfig", "context", "cluster")


@dataclass(frozen=True, kw_only=True)
class Design:
    """One cluster that objects of a program live in."""

    version: str
    """Of Kubernetes: `1.35`."""
    nodes: Sequence[Node] = ()
    """What its pools bring at their ceiling, at most `pools.MOST_NODES` each."""
    name: str = "kubernetes"
    """In reports: the cluster's own, of a cluster that the program does not make that of a provider."""
    providers: frozenset[str] = frozenset()
    """URNs of the provider resources that speak to it; none where it is the only cluster, and they all do."""

    @property
    def is_cut_short(self) -> bool:
        """Whether a pool may have more nodes in earnest than stand here: what finds no room might find it there."""
        names = [node.pool for node in self.nodes]
        return any(names.count(name) >= pools.MOST_NODES for name in set(names))

    def holds(self, provider: str) -> bool:
        """Whether the objects of a provider, given as `URN::ID`, live here."""
        return not self.providers or _urn(provider) in self.providers


@dataclass(frozen=True, kw_only=True)
class _Place:
    """A cluster, and who speaks to it."""

    providers: Sequence[Resource]
    """None where it is the default provider."""
    cluster: Resource | None
    """None where the program does not make it."""


def wants_cluster(run: Run) -> bool:
    """Whether a program has anything of Kubernetes' in it."""
    return any(_is_ours(resource) for resource in run.resources)


def of(update: Run) -> tuple[Design, ...]:
    """Return the clusters that a program's Kubernetes objects live in, at least one, by the order of their URNs.

    Args:
        update: an offline run of a program that has some, as an update (`preview=False`).

    Raises:
        MissingError: it cannot be told which cluster an object lives in, or they are more than `MOST_CLUSTERS`.
        UsageError: a Karpenter NodePool has an operator that Karpenter does not know.
    """
    clusters = {resource.urn: resource for resource in update.resources if resource.type == CLUSTER}
    places = _places(update, clusters)
    if len(places) > MOST_CLUSTERS:
        names = ", ".join(sorted(_called(place) for place in places))
        raise MissingError(
            f"a rehearsal has at most {MOST_CLUSTERS} Kubernetes clusters at a time, and the program's objects live in "
            f"{len(places)}: {names}; rehearse fewer regions at a time"
        )
    try:
        designs = [_design(update.resources, place, clusters, alone=len(places) == 1) for place in places]
    except ValueError as error:
        raise UsageError(f"a Karpenter NodePool of the program: {error}") from error
    return tuple(_apart(designs))


def _places(run: Run, clusters: Mapping[str, Resource]) -> list[_Place]:
    """The clusters that have objects; where there are no objects at all, the one that the first provider speaks to."""
    used = {_urn(resource.provider) for resource in run.resources if _is_object(resource)}
    declared = {resource.urn: resource for resource in run.resources if resource.type == PROVIDER}
    speaking = [declared[urn] for urn in sorted(used & declared.keys())]
    if used - declared.keys():
        if speaking:
            raise MissingError(
                "some of the program's objects are on the default provider, which follows whatever kubeconfig its user "
                f"has, and some on {' and '.join(map(_named, speaking))}; give every object one of the program's own "
                "providers"
            )
        return [_Place(providers=(), cluster=_only(clusters, None))]
    idle = [resource for urn, resource in declared.items() if urn not in used]
    found: dict[str, _Place] = {}
    for provider in speaking or idle[:1]:
        cluster = _cluster_of(provider, clusters)
        key = cluster.urn if cluster else json.dumps([provider.inputs.get(name) for name in _WHERE])
        known = found[key].providers if key in found else ()
        found[key] = _Place(providers=(*known, provider), cluster=cluster)
    return _with_idle([found[key] for key in sorted(found)], [one for one in idle if speaking], clusters)


def _with_idle(places: list[_Place], idle: Sequence[Resource], clusters: Mapping[str, Resource]) -> list[_Place]:
    """Give providers that no object uses, and that are set up all the same, a place that is there anyway."""
    for provider in idle:
        leaning = [clusters[urn] for urn in _leans_on(provider) if urn in clusters]
        mine = next((number for number, place in enumerate(places) if place.cluster in leaning), 0)
        places[mine] = replace(places[mine], providers=(*places[mine].providers, provider))
    return places


def _cluster_of(provider: Resource, clusters: Mapping[str, Resource]) -> Resource | None:
    """The cluster that a provider speaks to; of a program that makes only one, that one."""
    leaning = {urn: clusters[urn] for urn in _leans_on(provider) if urn in clusters}
    return _only(leaning or clusters, provider)


def _only(clusters: Mapping[str, Resource], provider: Resource | None) -> Resource | None:
    if len(clusters) > 1:
        raise MissingError(
            f"{_named(provider)} may speak to {len(clusters)} clusters: {', '.join(sorted(clusters))}; make its "
            "kubeconfig from the outputs of one of them"
        )
    return next(iter(clusters.values()), None)


def _design(resources: Sequence[Resource], place: _Place, clusters: Mapping[str, Resource], *, alone: bool) -> Design:
    version = place.cluster.inputs.get("version") if place.cluster else None
    others = clusters.keys() - ({place.cluster.urn} if place.cluster else set())
    return Design(
        version=str(version) if version else kubernetes.DEFAULT_VERSION,
        nodes=tuple(_nodes([one for one in resources if one.urn not in others], place, clusters, alone=alone)),
        name=_called(place),
        providers=frozenset() if alone else frozenset(one.urn for one in place.providers),
    )


def _nodes(
    resources: Sequence[Resource], place: _Place, clusters: Mapping[str, Resource], *, alone: bool
) -> Iterator[Node]:
    """The nodes of the managed node groups and of Karpenter's pools, but for those of other clusters."""
    region = _region(resources, place.cluster)
    made_here = {_cluster_name(one) for one in clusters.values()}
    for name, nodes in pools.nodes_of(resources).items():
        # Groups of a cluster that the program does not make are those of the only one it speaks to, if there is one.
        if (place.cluster is not None and name == _cluster_name(place.cluster)) or (alone and name not in made_here):
            yield from (node for node in nodes if region in (None, node.region))
    providers = None if alone else {one.urn for one in place.providers}
    yield from node_pools.nodes_of(resources, providers, region=region)


def _region(resources: Sequence[Resource], cluster: Resource | None) -> str | None:
    """The region of a cluster by its subnets, None where they are not the program's own."""
    config: Mapping[str, Any] = (cluster.inputs.get("vpcConfig") or {}) if cluster else {}
    mine: Sequence[str] = config.get("subnetIds") or ()
    zones = [one.inputs.get("availabilityZone") for one in resources if one.type == pools.SUBNET and one.id in mine]
    return next((pools.region_of(str(zone)) for zone in zones if zone), None)


def _apart(designs: Sequence[Design]) -> Iterable[Design]:
    """Number the names that more than one has: a cluster's is its own in its region only."""
    names = [design.name for design in designs]
    for number, design in enumerate(designs):
        before = names[:number].count(design.name)
        yield replace(design, name=f"{design.name}-{before + 1}") if names.count(design.name) > 1 else design


def _leans_on(provider: Resource) -> tuple[str, ...]:
    return provider.property_dependencies.get("kubeconfig", ())


def _is_ours(resource: Resource) -> bool:
    return resource.type == PROVIDER or resource.type.startswith("kubernetes:")


def _is_object(resource: Resource) -> bool:
    return resource.custom and resource.type.startswith("kubernetes:")


def _urn(provider: str) -> str:
    """The URN in a reference to a provider, `URN::ID`."""
    return provider.rpartition("::")[0]


def _named(provider: Resource | None) -> str:
    return f"provider {provider.name}" if provider else "the default provider"


def _called(place: _Place) -> str:
    if place.cluster is not None:
        # A name that AWS is left to make up is another one each time.
        return str(place.cluster.inputs.get("name") or place.cluster.name)
    return place.providers[0].name if place.providers else Design.name


def _cluster_name(cluster: Resource) -> str:
    return str(cluster.outputs.get("name") or cluster.inputs.get("name") or cluster.name)

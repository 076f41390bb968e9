"""What a program wants of Kubernetes: of which version, and which nodes its pools bring."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from gpufleet.errors import MissingError, UsageError
from gpufleet.facts import kubernetes
from gpufleet.plan.graph import Resource, Run
from gpufleet.rehearsal.controlplane import node_pools, pools
from gpufleet.rehearsal.controlplane.nodes import Node

PROVIDER: Final = "pulumi:providers:kubernetes"
CLUSTER: Final = node_pools.CLUSTER

# The inputs of a provider that say which cluster it speaks to.
_WHERE: Final = ("kubeconfig", "context", "cluster")


@dataclass(frozen=True, kw_only=True)
class Design:
    """The one cluster that the objects of a program live in."""

    version: str
    """Of Kubernetes: `1.35`."""
    nodes: Sequence[Node] = ()
    """What its pools bring at their ceiling, at most `pools.MOST_NODES` each."""

    @property
    def is_cut_short(self) -> bool:
        """Whether a pool may have more nodes in earnest than stand here: what finds no room might find it there."""
        names = [node.pool for node in self.nodes]
        return any(names.count(name) >= pools.MOST_NODES for name in set(names))


def wants_cluster(run: Run) -> bool:
    """Whether a program has anything of Kubernetes' in it."""
    return any(_is_ours(resource) for resource in run.resources)


def of(update: Run) -> Design:
    """Return the cluster that a program's Kubernetes objects live in.

    Args:
        update: an offline run of a program that has some, as an update (`preview=False`).

    Raises:
        MissingError: the objects live in several clusters; a rehearsal has one.
        UsageError: a Karpenter NodePool has an operator that Karpenter does not know.
    """
    provider = _only_provider(update)
    clusters = {resource.urn: resource for resource in update.resources if resource.type == CLUSTER}
    leans_on = provider.property_dependencies.get("kubeconfig", ()) if provider else ()
    chosen = [urn for urn in leans_on if urn in clusters] or list(clusters)
    if len(chosen) > 1:
        raise MissingError(
            f"a rehearsal has one Kubernetes cluster, and {_named(provider)} may speak to {len(chosen)}: "
            f"{', '.join(sorted(chosen))}; make its kubeconfig from the outputs of one of them"
        )
    cluster = clusters[chosen[0]] if chosen else None
    version = cluster.inputs.get("version") if cluster else None
    others = clusters.keys() - set(chosen)
    resources = [resource for resource in update.resources if resource.urn not in others]
    return Design(
        version=str(version) if version else kubernetes.DEFAULT_VERSION,
        nodes=tuple(_nodes(resources, cluster, {_cluster_name(clusters[urn]) for urn in others})),
    )


def _nodes(resources: Sequence[Resource], cluster: Resource | None, others: set[str]) -> Iterable[Node]:
    """The nodes of the managed node groups and of Karpenter's pools, but for those of other clusters."""
    for name, nodes in pools.nodes_of(resources).items():
        if name not in others or (cluster is not None and name == _cluster_name(cluster)):
            yield from nodes
    try:
        yield from node_pools.nodes_of(resources)
    except ValueError as error:
        raise UsageError(f"a Karpenter NodePool of the program: {error}") from error


def _only_provider(run: Run) -> Resource | None:
    """The provider of all Kubernetes objects, one of several that speak to the same cluster; None for the default."""
    by_urn = run.by_urn()
    used = {resource.provider for resource in run.resources if _is_object(resource)}
    providers = {reference: by_urn.get(reference.rpartition("::")[0]) for reference in sorted(used)}
    if not used:
        return next((resource for resource in run.resources if resource.type == PROVIDER), None)
    places = {str(_where(provider)): provider for provider in providers.values()}
    if len(places) > 1:
        raise MissingError(
            "a rehearsal has one Kubernetes cluster, and the program's objects live in "
            f"{len(places)}, by the kubeconfigs of {' and '.join(_named(provider) for provider in places.values())}; "
            "rehearse one cluster at a time, or give every object the same provider"
        )
    return next(iter(places.values()))


def _is_ours(resource: Resource) -> bool:
    return resource.type == PROVIDER or resource.type.startswith("kubernetes:")


def _is_object(resource: Resource) -> bool:
    return resource.custom and resource.type.startswith("kubernetes:")


def _where(provider: Resource | None) -> Mapping[str, Any]:
    return {name: provider.inputs.get(name) for name in _WHERE} if provider else {}


def _named(provider: Resource | None) -> str:
    return f"provider {provider.name}" if provider else "the default provider"


def _cluster_name(cluster: Resource) -> str:
    return str(cluster.outputs.get("name") or cluster.inputs.get("name") or cluster.name)

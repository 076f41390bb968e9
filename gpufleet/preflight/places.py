"""A plan by the places at AWS that it is about: an account's credentials, a region, and what is to be there."""

import itertools
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from gpufleet.cleanup.scope import STACK_TAG
from gpufleet.errors import UsageError
from gpufleet.plan import planning, wire
from gpufleet.plan.graph import UNKNOWN, Resource, Run
from gpufleet.plan.project import Project
from gpufleet.plan.values import is_list, is_mapping
from gpufleet.preflight.identities import Identity
from gpufleet.pricing.index import Index
from gpufleet.rehearsal.controlplane import node_pools, requirements

AWS: Final = "aws:"
PROVIDER: Final = "pulumi:providers:aws"
SUBNET: Final = "aws:ec2/subnet:Subnet"
CLUSTER: Final = "aws:eks/cluster:Cluster"


@dataclass(frozen=True, kw_only=True)
class Place:
    """One region, seen with one set of credentials."""

    region: str
    identity: Identity
    resources: tuple[Resource, ...]
    """What is planned there, sorted by URN; Karpenter's objects among it."""
    of_account: tuple[Resource, ...]
    """What is planned with the same credentials in any region; for what an account has only once."""
    first: bool
    """Whether this is the first region of these credentials."""
    tags: Mapping[str, Mapping[str, str]]
    """The tags that each resource will have, the provider's default tags among them; by URN."""

    def of(self, *types: str) -> Iterator[Resource]:
        """The resources of these types."""
        return (resource for resource in self.resources if resource.type in types)

    def find(self, type_: str, id_: object) -> Resource | None:
        """The planned resource that has this id."""
        found = self._by_id.get(str(id_))
        return found if found is not None and found.type == type_ else None

    def name_of(self, id_: object) -> str | None:
        """The name in the plan of what has this id, which says more than an id that a plan makes up."""
        found = self._by_id.get(str(id_))
        return found.name if found else None

    @cached_property
    def _by_id(self) -> Mapping[str, Resource]:
        return {resource.id: resource for resource in self.resources if resource.id}

    def is_own(self, resource: Resource, tags: Mapping[str, str]) -> bool:
        """Whether something at AWS that has these tags is this resource, of an earlier update.

        The tag of the stack decides where the plan gives one, since all others may be what the next update changes;
        else all planned tags do. Without tags nothing is known to be one's own.
        """
        planned = self.tags.get(resource.urn) or {}
        telling = {key: planned[key] for key in (STACK_TAG, "Name") if key in planned}
        wanted = telling if STACK_TAG in planned else planned
        return bool(wanted) and all(tags.get(key) == value for key, value in wanted.items())


def read(run: Run, project: Project) -> list[Place]:
    """The places of a plan, in the order of their regions.

    Args:
        run: an update run, so that ids are known.
        project: for `aws:region` and `aws:allowedAccountIds`, by which resources without a provider go.

    Raises:
        UsageError: nothing of AWS is planned, or its region is not said.
    """
    index = Index([planning.as_document(resource, None) for resource in run.resources])
    providers = {one.urn: one for one in run.resources if one.type == PROVIDER}
    found: dict[tuple[str, Identity], list[Resource]] = defaultdict(list)
    tags: dict[str, Mapping[str, str]] = {}
    for resource in run.resources:
        if not (resource.custom and resource.type.startswith(AWS)):
            continue
        provider = providers.get(resource.provider.rpartition("::")[0])
        region = index.region(planning.as_document(resource, None)) or project.config.get("aws:region")
        if not region:
            raise UsageError(
                f"{resource.urn}: in which region this is to be is said nowhere\n"
                "  fix: give its provider a region, or set aws:region (--set aws:region=us-east-1)"
            )
        found[region, _identity(provider, project)].append(resource)
        tags[resource.urn] = {**_default_tags(provider), **_texts(resource.inputs.get("tags"))}
    if not found:
        raise UsageError(f"{project.source}: the program plans nothing at AWS, so there is nothing to ask")
    for resource, key in _of_karpenter(run.resources, found):
        found[key].append(resource)
    ordered = sorted(found.items(), key=lambda item: (item[0][0], str(item[0][1])))
    return [
        Place(
            region=region,
            identity=identity,
            resources=_sorted(here),
            of_account=_sorted(one for (_, other), there in ordered if other == identity for one in there),
            first=region == next(other for (other, whose), _ in ordered if whose == identity),
            tags=tags,
        )
        for (region, identity), here in ordered
    ]


def _sorted(resources: Iterable[Resource]) -> tuple[Resource, ...]:
    return tuple(sorted(resources, key=lambda one: one.urn))


def _identity(provider: Resource | None, project: Project) -> Identity:
    """What the provider says; of the default provider, what the stack's configuration says in its place."""

    def value(key: str) -> Any:
        found = provider.inputs.get(key) if provider else project.config.get(f"aws:{key}")
        return None if found == UNKNOWN else wire.decoded(found)

    accounts, roles, profile = value("allowedAccountIds"), value("assumeRoles"), value("profile")
    return Identity(
        account_ids=tuple(str(one) for one in accounts) if is_list(accounts) else (),
        profile=str(profile) if profile else None,
        roles=tuple(str(one["roleArn"]) for one in roles if is_mapping(one) and one.get("roleArn"))
        if is_list(roles)
        else (),
    )


def _default_tags(provider: Resource | None) -> Mapping[str, str]:
    default = wire.decoded(provider.inputs.get("defaultTags")) if provider else None
    return _texts(default.get("tags")) if is_mapping(default) else {}


def _texts(value: object) -> dict[str, str]:
    return {str(key): str(one) for key, one in value.items()} if is_mapping(value) else {}


def _of_karpenter(
    resources: Sequence[Resource], found: Mapping[tuple[str, Identity], Sequence[Resource]]
) -> Iterator[tuple[Resource, tuple[str, Identity]]]:
    """Karpenter's objects, each with the place of the cluster that it is in.

    That of the cluster on which its Kubernetes provider hangs; else of the zones that it names; else of the only
    cluster. Where all that tells nothing, the object is left out.
    """
    clusters = {one.urn: key for key, here in found.items() for one in here if one.type == CLUSTER}
    by_urn = {one.urn: one for one in resources}
    for resource in resources:
        if not (node_pools.NODE_POOL.fullmatch(resource.type) or node_pools.NODE_CLASS.fullmatch(resource.type)):
            continue
        provider = by_urn.get(resource.provider.rpartition("::")[0])
        hangs_on = _upstream(provider, by_urn) if provider else ()
        behind = {clusters[urn] for urn in hangs_on if urn in clusters}
        if len(behind) != 1:
            zones = set(_zones_of(resource))
            behind = {key for key in clusters.values() if any(zone.startswith(key[0]) for zone in zones)}
        if len(behind) != 1:
            behind = set(clusters.values())
        if len(behind) == 1:
            yield resource, behind.pop()


def _upstream(resource: Resource, by_urn: Mapping[str, Resource]) -> set[str]:
    """The URNs that a resource hangs on, near and far."""
    seen: set[str] = set()
    left = [resource.urn]
    while left:
        if (urn := left.pop()) in seen or urn not in by_urn:
            continue
        seen.add(urn)
        one = by_urn[urn]
        left += [*one.dependencies, *itertools.chain.from_iterable(one.property_dependencies.values())]
    return seen


def _zones_of(pool: Resource) -> Iterable[str]:
    spec: Any = pool.inputs.get("spec")
    template: Any = spec.get("template") if is_mapping(spec) else None
    inner: Any = template.get("spec") if is_mapping(template) else None
    asked: Any = inner.get("requirements") if is_mapping(inner) else None
    return requirements.values_of(asked, requirements.ZONE) or () if is_list(asked) else ()

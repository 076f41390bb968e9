"""Karpenter's NodePools: Kubernetes objects, whose node classes and zones say where their nodes start."""

from collections.abc import Iterator
from dataclasses import dataclass

from gpufleet.facts import instances
from gpufleet.report.estate import Entry, Estate, as_list, mapping, text, texts
from gpufleet.report.places import Chip

TYPE = "kubernetes:karpenter.sh/v1:NodePool"
NODE_CLASS = "kubernetes:karpenter.k8s.aws/v1:EC2NodeClass"
_GPU = "nvidia.com/gpu"


@dataclass(frozen=True, kw_only=True)
class Elastic:
    """A NodePool as far as its objects tell it."""

    name: str
    types: tuple[str, ...]
    purchases: tuple[str, ...]
    zones: tuple[str, ...]
    subnets: tuple[str, ...]
    """Ids that its node class names; empty where it selects them by tags."""
    most: int | None
    """Nodes at its limit; None where no limit holds their number."""

    @property
    def region(self) -> str:
        """The region of its zones; empty where it names none."""
        return self.zones[0].rstrip("abcdefghijklmnopqrstuvwxyz") if self.zones else ""

    @property
    def chip(self) -> Chip:
        """The pool in the drawing."""
        accelerated = any(found is not None and found.accelerator for found in map(instances.find, self.types))
        count = f"0-{self.most}" if self.most is not None else "any number of"
        said = f"{count} × {' | '.join(self.types) or 'nodes'}"
        detail = ", ".join([*filter(None, [" or ".join(self.purchases)]), said, "Karpenter"])
        return Chip(look="gpu" if accelerated else "system", title=self.name, detail=detail)


def pools(estate: Estate) -> list[Elastic]:
    """Every NodePool of the plan."""
    return [_read(estate, pool) for pool in estate.of(TYPE)]


def inside(estate: Estate, subnet: Entry) -> Iterator[Chip]:
    """The pools whose nodes start in this subnet."""
    zone = text(subnet["inputs"].get("availabilityZone"))
    for pool in pools(estate):
        if subnet["id"] in pool.subnets and (not pool.zones or zone in pool.zones):
            yield pool.chip


def across(estate: Estate, vpc: Entry) -> Iterator[Chip]:
    """The pools that name no subnet and start in this network: by their zones, or because the plan has no other."""
    only = len(estate.of("aws:ec2/vpc:Vpc")) == 1
    for pool in pools(estate):
        if not pool.subnets and (only or (pool.region and pool.region == estate.region(vpc))):
            yield pool.chip


def beside(estate: Estate) -> Iterator[tuple[str, Chip]]:
    """Region and chip of the pools of which the plan does not say in which network they are."""
    vpcs = estate.of("aws:ec2/vpc:Vpc")
    regions = {estate.region(vpc) for vpc in vpcs} - {""}
    for pool in pools(estate):
        if not pool.subnets and len(vpcs) != 1 and pool.region not in regions:
            yield pool.region, pool.chip


def _read(estate: Estate, pool: Entry) -> Elastic:
    spec = mapping(pool["inputs"].get("spec"))
    template = mapping(mapping(spec.get("template")).get("spec"))
    requirements = [mapping(requirement) for requirement in as_list(template.get("requirements"))]

    def asked(label: str) -> tuple[str, ...]:
        return tuple(
            value
            for requirement in requirements
            if requirement.get("key") == label and requirement.get("operator") == "In"
            for value in texts(requirement.get("values"))
        )

    types = asked("node.kubernetes.io/instance-type")
    limits = mapping(spec.get("limits"))
    return Elastic(
        name=text(mapping(pool["inputs"].get("metadata")).get("name")) or str(pool["name"]),
        types=types,
        purchases=asked("karpenter.sh/capacity-type"),
        zones=asked("topology.kubernetes.io/zone"),
        subnets=_subnets(estate, pool, text(mapping(template.get("nodeClassRef")).get("name"))),
        most=_most(text(limits.get("nodes")), text(limits.get(_GPU)), types),
    )


def _subnets(estate: Estate, pool: Entry, node_class: str) -> tuple[str, ...]:
    """Of the node class of that name on the same cluster, which is to say of the same provider."""
    for entry in estate.of(NODE_CLASS):
        name = text(mapping(entry["inputs"].get("metadata")).get("name"))
        if name == node_class and entry["provider"] == pool["provider"]:
            terms = as_list(mapping(entry["inputs"].get("spec")).get("subnetSelectorTerms"))
            ids = [text(mapping(term).get("id")) for term in terms]
            return tuple(subnet for subnet in ids if estate.find(subnet) is not None)
    return ()


def _most(nodes: str, gpus: str, types: tuple[str, ...]) -> int | None:
    """The limit of nodes, or as many as the limit of GPUs holds of the type with the fewest."""
    fewest = min((found.gpu_count for name in types if (found := instances.find(name)) and found.gpu_count), default=0)
    limits = [int(nodes)] if nodes.isdigit() else []
    if gpus.isdigit() and fewest:
        limits.append(int(gpus) // fewest)
    return min(limits, default=None)

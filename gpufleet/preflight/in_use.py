"""What of the quotas counted in vCPUs others than this stack use already."""

from collections import Counter
from typing import Any

from gpufleet.facts import quotas
from gpufleet.facts.quotas import Quota
from gpufleet.preflight.places import CLUSTER
from gpufleet.preflight.pool import CAPACITY_BLOCK, ON_DEMAND, SPOT
from gpufleet.preflight.site import Site
from gpufleet.preflight.sizes import vcpus_of

_COUNTED = [{"Name": "instance-state-name", "Values": ["pending", "running"]}]
_CLUSTER_TAGS = ("aws:eks:cluster-name", "eks:cluster-name", "eks:eks-cluster-name")
"""By which node groups and Karpenter mark what they launch."""


def by_others(site: Site) -> dict[Quota, int]:
    """vCPUs by quota: instances that run, and On-Demand Capacity Reservations that stand empty.

    Raises:
        CouldNotAsk: AWS does not tell, so that nothing is known of any quota.
    """
    reservations = site.aws.listed(
        "ec2:DescribeInstances", "ec2", "describe_instances", "Reservations", Filters=_COUNTED
    )
    counted: Counter[tuple[str, str]] = Counter()
    for instance in (one for reservation in reservations for one in reservation["Instances"]):
        lifecycle = instance.get("InstanceLifecycle")
        if lifecycle != CAPACITY_BLOCK and not _is_own(site, instance):
            counted[instance["InstanceType"], SPOT if lifecycle == SPOT else ON_DEMAND] += 1
    empty = site.aws.listed(
        "ec2:DescribeCapacityReservations",
        "ec2",
        "describe_capacity_reservations",
        "CapacityReservations",
        Filters=[{"Name": "state", "Values": ["active"]}],
    )
    for one in empty:
        if one.get("ReservationType", "default") == "default" and one.get("OwnerId") == site.account_id:
            counted[one["InstanceType"], ON_DEMAND] += one["AvailableInstanceCount"]
    sizes = vcpus_of(site.aws, (name for name, _ in counted)) if counted else {}
    found: Counter[Quota] = Counter()
    for (name, purchase), number in counted.items():
        if (quota := quotas.vcpus(name, purchase)) is not None:
            found[quota] += number * sizes.get(name, 0)
    return dict(found)


def _is_own(site: Site, instance: Any) -> bool:
    tags = {tag["Key"]: tag["Value"] for tag in instance.get("Tags") or ()}
    clusters = {one.inputs.get("name") for one in site.place.of(CLUSTER)}
    if any(tags.get(key) in clusters for key in _CLUSTER_TAGS if key in tags):
        return True
    return any(site.place.is_own(resource, tags) for resource in site.place.of("aws:ec2/instance:Instance"))

"""How many vCPUs a pool comes to: what quotas of instances are counted in."""

from collections.abc import Iterable, Mapping, Sequence

from gpufleet.facts import instances, quotas
from gpufleet.facts.quotas import Quota
from gpufleet.preflight.asking import Aws
from gpufleet.preflight.pool import Pool


def vcpus_of(aws: Aws, types: Iterable[str]) -> dict[str, int]:
    """The default vCPUs of each type: the catalogue's, and of types that it does not hold, AWS's.

    Raises:
        CouldNotAsk: a type is not in the catalogue, and AWS does not tell.
    """
    wanted = sorted(set(types))
    known = {name: found.vcpus for name in wanted if (found := instances.find(name)) and found.vcpus}
    if unknown := [name for name in wanted if name not in known]:
        # As a filter: a type that EC2 does not know is then left out, and does not fail the others.
        listed = aws.listed(
            "ec2:DescribeInstanceTypes",
            "ec2",
            "describe_instance_types",
            "InstanceTypes",
            Filters=[{"Name": "instance-type", "Values": unknown}],
        )
        known |= {one["InstanceType"]: int(one["VCpuInfo"]["DefaultVCpus"]) for one in listed}
    return known


def at_most(pool: Pool, types: Sequence[str], sizes: Mapping[str, int]) -> int | None:
    """The vCPUs of the pool at its ceiling if it were of the largest of these types; None: it has no ceiling."""
    bounds = [pool.vcpus] if pool.vcpus is not None else []
    if pool.maximum is not None:
        bounds.append(pool.maximum * sizes.get(largest(types, sizes), 0))
    return min(bounds, default=None)


def largest(types: Sequence[str], sizes: Mapping[str, int]) -> str:
    """The type with most vCPUs, the first of equals."""
    return max(types, key=lambda name: sizes.get(name, 0), default="")


def by_quota(types: Iterable[str], purchase: str) -> dict[Quota, list[str]]:
    """The types by the quota that they count against; those of which no quota is known are left out."""
    found: dict[Quota, list[str]] = {}
    for name in types:
        if (quota := quotas.vcpus(name, purchase)) is not None:
            found.setdefault(quota, []).append(name)
    return found

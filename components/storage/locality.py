"""Whether data lies where the GPUs that read it are.

A region away, every byte is billed and slow; a zone away, a file system's bytes are billed and its latency is not that
of a local one; and a volume that lives in one zone cannot be mounted from another at all.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from ..network import cidrs

REGIONAL, ZONAL = "bucket", ("Lustre cache", "S3 Express bucket", "EBS volume")


@dataclass(frozen=True, kw_only=True)
class Pool:
    """Where GPUs are."""

    name: str
    region: str
    zones: Sequence[str]
    """All zones in which it may launch a node, by name."""


@dataclass(frozen=True, kw_only=True)
class Store:
    """Where data is."""

    name: str
    kind: str
    """`bucket`, which is the region's, or what lies in one zone: `Lustre cache`, `S3 Express bucket`, `EBS volume`."""
    region: str
    zone: str | None = None
    """By name, for what lies in a zone. An EBS volume that is claimed when a pod needs it has none yet: it comes to lie
    where the pod first ran."""

    def __post_init__(self) -> None:
        if self.kind != REGIONAL and self.kind not in ZONAL:
            raise ValueError(f"kind: {self.kind!r} is not known; allowed are {REGIONAL}, {', '.join(ZONAL)}")
        if self.zone is None and self.kind in ZONAL[:2]:
            raise ValueError(f"{self.kind} {self.name}: lies in one zone; name it")
        if self.zone is not None:
            check_zone(self.zone, self.region, f"{self.kind} {self.name}")


def check_zone(zone: str, region: str, what: str) -> None:
    """Refuse a zone of another region.

    Raises:
        ValueError: names the zone, the region, and what is placed there.
    """
    if cidrs.region_of(zone) != region:
        raise ValueError(f"zone: {zone!r} of {what} is not in {region}; name a zone such as {region}a")


def faults(pool: Pool, stores: Sequence[Store]) -> list[str]:
    """One sentence for each store that the pool would reach from afar, naming both; empty where all is well."""
    return [fault for store in stores if (fault := _fault(pool, store))]


def check(pool: Pool, stores: Sequence[Store]) -> None:
    """As `faults`, for who wants no plan with such a store.

    Raises:
        ValueError: all of the faults.
    """
    if found := faults(pool, stores):
        raise ValueError("; ".join(found))


def _fault(pool: Pool, store: Store) -> str | None:
    here = f"pool {pool.name}"
    there = f"{store.kind} {store.name}"
    if pool.region != store.region:
        fix = (
            f"replicate the bucket to {pool.region} and read the copy"
            if store.kind == REGIONAL
            else f"make one in {pool.region}"
        )
        return f"{here} is in {pool.region} and {there} in {store.region}: every byte crosses regions; {fix}"
    if store.kind == REGIONAL:
        return None
    zones = sorted(set(pool.zones))
    if store.zone is None:
        if len(zones) == 1:
            return None
        return (
            f"{here} launches in {', '.join(zones)} and {there} will lie in one of them: a node that comes back in "
            "another zone cannot mount it; limit the pool to one zone or keep the data in a bucket"
        )
    if zones == [store.zone]:
        return None
    return (
        f"{here} launches in {', '.join(zones)} and {there} lies in {store.zone}: "
        f"limit the pool to zones: [{store.zone}], or put it where the pool is"
    )

"""How to read a dataset as fast as it is wanted: from S3, from FSx for Lustre, or from the nodes' own disks."""

from collections.abc import Sequence
from dataclasses import dataclass

from gpufleet.facts import figures, prices
from gpufleet.facts.instances import InstanceType
from gpufleet.sizing.quantities import GB, GIB

LUSTRE_TIERS = (125, 250, 500, 1000)
"""MB/s for each TiB of PERSISTENT_2 on SSD."""
_ROOM = 1.1
"""A file system is not filled above ten elevenths."""
_DISK_SHARE = 0.9
"""Share of a node's instance store that a copy of the dataset may take."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """What training reads."""

    dataset_bytes: float
    sample_bytes: float
    samples_per_second: float
    """Of all nodes together."""
    nodes: int

    @property
    def bytes_per_second(self) -> float:
        """Of all nodes together."""
        return self.sample_bytes * self.samples_per_second


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One way to hold the data near the GPUs."""

    kind: str
    """`s3`, `lustre` or `nvme`."""
    fits: bool
    why: str
    size_gib: int | None = None
    """Of the file system, or of the disks of one node."""
    throughput: int | None = None
    """MB/s for each TiB, of Lustre."""
    gb_s: float | None = None
    """10^9 bytes a second that all nodes together can read."""
    usd_month: float | None = None
    """Beside the bucket, which is there in any case; `None`: no price is known."""


def choices(need: Need, instance: InstanceType, region: str) -> tuple[Choice, ...]:
    """Every way with its verdict: those that do first, the cheapest of them at the head."""
    found = (_bucket(need, instance), _disks(need, instance), _lustre(need, region))
    return tuple(sorted(found, key=lambda one: (not one.fits, one.usd_month is None, one.usd_month or 0.0)))


def bucket_usd_month(dataset_bytes: float, region: str) -> float | None:
    """What the dataset costs in S3 Standard, whatever it is read through."""
    price = prices.service("s3-standard", region)
    return None if price is None else price.usd * dataset_bytes / GIB


def _bucket(need: Need, instance: InstanceType) -> Choice:
    """Streaming from S3: bound by requests a second, by how many are in flight, and by each node's network."""
    per_node = min(_value("s3-node-gb-s"), (instance.network_gbps or 0) / 8 / 2) * GB
    gb_s = per_node * need.nodes / GB
    in_flight = need.samples_per_second / need.nodes * _value("s3-first-byte-seconds")
    problems: Sequence[tuple[bool, str]] = (
        (
            need.samples_per_second > _value("s3-gets-per-second"),
            f"{need.samples_per_second:,.0f} requests a second; a prefix gives {_value('s3-gets-per-second'):,.0f}: "
            "pack samples into larger objects, or spread them over prefixes",
        ),
        (
            in_flight > _value("s3-requests-in-flight"),
            f"{in_flight:,.0f} requests in flight on each node; loaders keep up "
            f"{_value('s3-requests-in-flight'):,.0f}: pack samples into larger objects",
        ),
        (
            need.bytes_per_second > per_node * need.nodes,
            f"{need.bytes_per_second / GB:,.2f} GB/s wanted; {need.nodes} nodes read {gb_s:,.2f} GB/s",
        ),
    )
    wrong = [text for holds, text in problems if holds]
    why = wrong[0] if wrong else "read as it is needed; nothing to fill or to pay beside the bucket"
    return Choice(kind="s3", fits=not wrong, why=why, gb_s=gb_s, usd_month=0.0)


def _disks(need: Need, instance: InstanceType) -> Choice:
    """A copy on every node's instance store: read at disk speed, filled anew whenever a node comes."""
    room = instance.nvme_gb * GB * _DISK_SHARE
    size_gib = int(instance.nvme_gb * GB / GIB)
    if instance.nvme_gb == 0:
        return Choice(kind="nvme", fits=False, why=f"{instance.name} has no instance store")
    if need.dataset_bytes > room:
        why = f"{need.dataset_bytes / GIB:,.0f} GiB do not fit on a node's {size_gib:,} GiB"
        return Choice(kind="nvme", fits=False, why=why, size_gib=size_gib)
    node = min(_value("s3-node-gb-s"), (instance.network_gbps or 0) / 8 / 2) * GB
    minutes = need.dataset_bytes / node / 60 if node else 0.0
    why = f"every new node copies the dataset first, some {max(minutes, 0.1):,.1f} minutes"
    return Choice(kind="nvme", fits=True, why=why, size_gib=size_gib, usd_month=0.0)


def _lustre(need: Need, region: str) -> Choice:
    """The cheapest size and tier that holds the dataset and reads fast enough."""
    limit = _value("lustre-node-gb-s") * GB * need.nodes
    if need.bytes_per_second > limit:
        why = f"{need.bytes_per_second / GB:,.2f} GB/s wanted; {need.nodes} clients read {limit / GB:,.2f} GB/s"
        return Choice(kind="lustre", fits=False, why=f"{why} without EFA")
    sized = [lustre_size(need.dataset_bytes, need.bytes_per_second, tier) for tier in LUSTRE_TIERS]
    options = [(_lustre_usd(size, tier, region), size, tier) for size, tier in zip(sized, LUSTRE_TIERS, strict=True)]
    usd, size, tier = min(options, key=lambda one: (one[0] is None, one[0] or 0.0, one[1]))
    return Choice(
        kind="lustre",
        fits=True,
        why="a shared file system beside the nodes, filled from the bucket as files are asked for",
        size_gib=size,
        throughput=tier,
        gb_s=size / 1024 * tier / 1000,
        usd_month=usd,
    )


def lustre_size(dataset_bytes: float, bytes_per_second: float, tier: int) -> int:
    """GiB in which FSx sells it: 1200, 2400 and multiples of 2400; for the data and for the speed."""
    by_speed = bytes_per_second / 1e6 / tier * 1024
    wanted = max(dataset_bytes / GIB * _ROOM, by_speed)
    smallest, step = int(_value("lustre-smallest-gib")), int(_value("lustre-step-gib"))
    return smallest if wanted <= smallest else int(-(-wanted // step)) * step


def _lustre_usd(size_gib: int, tier: int, region: str) -> float | None:
    price = prices.service(f"fsx-lustre-persistent2-{tier}", region)
    return None if price is None else price.usd * size_gib


def _value(key: str) -> float:
    return figures.get(key).value

"""Where else a pool could be: regions and zones by offering, quota, spot score and price."""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any, TypeVar

from gpufleet.facts import instances, prices, regions
from gpufleet.preflight import quota_values, sizes
from gpufleet.preflight.asking import Aws
from gpufleet.preflight.checks import offerings, spot_scores
from gpufleet.preflight.pool import CAPACITY_BLOCK, ON_DEMAND, SPOT, Pool
from gpufleet.preflight.results import CouldNotAsk
from gpufleet.preflight.running import WORKERS
from gpufleet.preflight.site import Site

PERMISSIONS = (
    "ec2:DescribeAvailabilityZones",
    "ec2:DescribeInstanceTypeOfferings",
    "ec2:DescribeRegions",
    "ec2:DescribeSpotPriceHistory",
    "ec2:GetSpotPlacementScores",
    quota_values.GET,
    quota_values.DEFAULT,
    quota_values.LIST,
)
T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Candidate:
    """One zone that offers something of the pool."""

    region: str
    zone: str
    here: bool
    """Whether the pool is in this zone now."""
    types: tuple[str, ...]
    """What of the pool's types is offered there."""
    vcpus: int | None
    """What the pool comes to there at its ceiling, None where it has none."""
    quota: float | None
    """vCPUs that the account may run there, None where it is not told or nothing is counted."""
    fits: bool | None
    """Whether the quota is enough for the pool alone; None where it is not known."""
    score: int | None
    """Spot placement score, 1 to 10; None where it is not told, or not among the ten best."""
    usd_hour: float | None
    """An hour of the cheapest of the types."""
    price: str
    """What that price is: `spot` (now), `list`, or `list of us-east-1` where it stands in."""

    def as_document(self) -> dict[str, Any]:
        """The candidate as JSON."""
        return {**asdict(self), "types": list(self.types)}

    def rank(self) -> tuple[int, int, float, int, str, str]:
        """Best first: a quota that is enough, a high score, a low price, many types."""
        quota = {True: 0, None: 1, False: 2}[self.fits]
        price = self.usd_hour if self.usd_hour is not None else float("inf")
        return quota, -(self.score or 0), price, -len(self.types), self.region, self.zone


@dataclass(frozen=True, kw_only=True)
class Suggestion:
    """The zones that a pool could be in, best first."""

    pool: Pool
    region: str
    candidates: tuple[Candidate, ...]
    unasked: tuple[str, ...]
    """What could not be asked, and why."""


class _Unasked:
    """Collects what AWS did not answer."""

    def __init__(self) -> None:
        self.said: set[str] = set()

    def or_none(self, what: str, question: Callable[[], T]) -> T | None:
        try:
            return question()
        except CouldNotAsk as error:
            self.said.add(f"{what}: {error.why}")
            return None


def rank(site: Site, pool: Pool, tell: Callable[[str], None]) -> Suggestion:
    """Ask in every region that is known to offer a type of the pool.

    Args:
        site: where the pool is now; the same credentials ask everywhere.
        pool: that is to be placed.
        tell: is told what is asked.
    """
    unasked = _Unasked()
    where = _regions(site, pool, unasked)
    scores = unasked.or_none("spot placement scores", lambda: _scores(site.aws, pool, where)) or {}
    candidates: list[Candidate] = []
    zones = unasked.or_none("the zones of the pool's subnets", lambda: site.zones_of(pool)) or pool.zones
    with ThreadPoolExecutor(max_workers=WORKERS) as workers:
        asked = [workers.submit(_in_region, site.aws.at(region), pool, scores, zones, unasked) for region in where]
        for number, future in enumerate(asked, 1):
            candidates += future.result()
            tell(f"asking AWS: {number} of {len(asked)} regions for pool {pool.name}")
    return Suggestion(
        pool=pool,
        region=site.region,
        candidates=tuple(sorted(candidates, key=Candidate.rank)),
        unasked=tuple(sorted(unasked.said)),
    )


def _regions(site: Site, pool: Pool, unasked: _Unasked) -> list[str]:
    """The regions of the partition that the account has, and that may offer a type; the pool's own among them."""
    own = regions.find(site.region)
    known = [found for name in pool.types if (found := instances.find(name))]
    offering = {region for type_ in known for region in type_.regions}
    described = unasked.or_none(
        "the regions of the account",
        lambda: site.aws.told("ec2:DescribeRegions", site.aws.client("ec2").describe_regions),
    )
    enabled = {str(one["RegionName"]) for one in described["Regions"]} if described else offering
    # A type of which no source tells the regions may be anywhere.
    wanted = enabled & offering if all(type_.regions for type_ in known) and known else enabled
    same = {name for name in wanted if own and (found := regions.find(name)) and found.partition == own.partition}
    return sorted({*same, site.region})


def _scores(aws: Aws, pool: Pool, where: Sequence[str]) -> dict[tuple[str, str], int]:
    if SPOT not in pool.purchases:
        return {}
    found: dict[tuple[str, str], int] = {}
    for start in range(0, len(where), spot_scores.REGIONS_AT_ONCE):
        found |= spot_scores.by_zone(aws, pool, list(where[start : start + spot_scores.REGIONS_AT_ONCE]))
    return found


def _in_region(
    aws: Aws, pool: Pool, scores: dict[tuple[str, str], int], zones: Sequence[str], unasked: _Unasked
) -> list[Candidate]:
    what = f"what {aws.region} offers"
    offered = unasked.or_none(what, lambda: offerings.zones_by_type(aws, list(pool.types))) or {}
    if not offered:
        return []
    purchase = SPOT if SPOT in pool.purchases else ON_DEMAND
    quotas = {} if CAPACITY_BLOCK in pool.purchases else _quotas(aws, offered, purchase, unasked)
    known = unasked.or_none("sizes of types", lambda: sizes.vcpus_of(aws, offered)) or {}
    spot = unasked.or_none("spot prices", lambda: _spot_prices(aws, pool)) if purchase == SPOT else None
    names = unasked.or_none("the names of zones", lambda: spot_scores.zone_names(aws)) if scores else None
    by_name = {(names or {}).get(id_, id_): score for (region, id_), score in scores.items() if region == aws.region}
    found: list[Candidate] = []
    for zone in sorted({zone for there in offered.values() for zone in there}):
        types = tuple(name for name in pool.types if zone in offered.get(name, ()))
        most = sizes.at_most(pool, types, known)
        values = [quotas[name] for name in types if quotas.get(name) is not None]
        quota = min((value for value in values if value is not None), default=None)
        usd, price = _price(types, zone, aws.region, spot)
        found.append(
            Candidate(
                region=aws.region,
                zone=zone,
                here=zone in zones,
                types=types,
                vcpus=most,
                quota=quota,
                fits=None if quota is None or most is None else most <= quota,
                score=by_name.get(zone),
                usd_hour=usd,
                price=price,
            )
        )
    return found


def _quotas(aws: Aws, types: Iterable[str], purchase: str, unasked: _Unasked) -> dict[str, float | None]:
    found: dict[str, float | None] = {}
    for quota, names in sizes.by_quota(types, purchase).items():
        what = f"quota {quota.code or quota.name} in {aws.region}"
        value = unasked.or_none(what, lambda quota=quota, names=names: quota_values.of(aws, quota, names[0]))
        found |= dict.fromkeys(names, value.value if value else None)
    return found


def _spot_prices(aws: Aws, pool: Pool) -> dict[tuple[str, str], float]:
    """The price of an hour now, by type and zone."""
    listed = aws.listed(
        "ec2:DescribeSpotPriceHistory",
        "ec2",
        "describe_spot_price_history",
        "SpotPriceHistory",
        InstanceTypes=list(pool.types),
        ProductDescriptions=["Linux/UNIX"],
        StartTime=datetime.now(UTC),
    )
    newest = sorted(listed, key=lambda one: one["Timestamp"])
    return {(one["InstanceType"], one["AvailabilityZone"]): float(one["SpotPrice"]) for one in newest}


def _price(
    types: Sequence[str], zone: str, region: str, spot: dict[tuple[str, str], float] | None
) -> tuple[float | None, str]:
    if spot and (now := [spot[name, zone] for name in types if (name, zone) in spot]):
        return min(now), "spot"
    listed = [price for name in types if (price := prices.instance_hour(name, region)) is not None]
    if not listed:
        return None, ""
    least = min(listed, key=lambda price: price.usd)
    return least.usd, f"list of {least.region}" if least.assumed else "list"

"""What spot hours have cost in a region (`ec2:DescribeSpotPriceHistory`)."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, Final

SOURCE: Final = "EC2 spot price history, ec2:DescribeSpotPriceHistory; mean over time, all zones the same"
MOST_DAYS: Final = 90
"""How far back EC2 remembers.
https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_DescribeSpotPriceHistory.html"""
_TYPES_A_CALL: Final = 50
_PLACES: Final = 6


def hours(client: Any, types: Iterable[str], since: datetime, until: datetime) -> dict[str, dict[str, float]]:
    """`mean`, `low` and `high` in USD an hour between the two times, by type; types without a history are left out.

    Args:
        client: boto3's client of `ec2` in the region.
        types: names of the types.
        since: begin, with a time zone.
        until: end, with a time zone.

    Raises:
        botocore's errors: as they come.
    """
    wanted = sorted(types)
    samples: dict[tuple[str, str], list[tuple[datetime, float]]] = {}
    for start in range(0, len(wanted), _TYPES_A_CALL):
        pages = client.get_paginator("describe_spot_price_history").paginate(
            InstanceTypes=wanted[start : start + _TYPES_A_CALL],
            ProductDescriptions=["Linux/UNIX"],
            StartTime=since,
            EndTime=until,
        )
        for page in pages:
            for entry in page.get("SpotPriceHistory") or ():
                place = (entry["InstanceType"], entry["AvailabilityZone"])
                samples.setdefault(place, []).append((entry["Timestamp"], float(entry["SpotPrice"])))
    return {
        name: summed
        for name in wanted
        if (summed := _summed([found for (of, _), found in sorted(samples.items()) if of == name], since, until))
    }


def _summed(
    zones: Sequence[Sequence[tuple[datetime, float]]], since: datetime, until: datetime
) -> dict[str, float] | None:
    if not zones:
        return None
    means = [_mean(sorted(zone), since, until) for zone in zones]
    every = [usd for zone in zones for _, usd in zone]
    return {
        "mean": round(sum(means) / len(means), _PLACES),
        "low": min(every),
        "high": max(every),
    }


def _mean(samples: Sequence[tuple[datetime, float]], since: datetime, until: datetime) -> float:
    """Each price holds until the next; the first may be older than the time looked at."""
    weighted = total = 0.0
    ends = [at for at, _ in samples[1:]] + [until]
    for (at, usd), end in zip(samples, ends, strict=True):
        seconds = max((end - max(at, since)).total_seconds(), 0.0)
        weighted, total = weighted + usd * seconds, total + seconds
    return weighted / total if total else samples[-1][1]

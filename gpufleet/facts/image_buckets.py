"""The buckets of others from which nodes read image layers and packages, from ``data/image_buckets.json``.

A gateway endpoint carries all traffic to S3 of its region, so what its policy does not name is out of reach even where
there is NAT.
"""

from functools import cache
from typing import Any

from gpufleet.facts import _data


def of_aws(region: str) -> tuple[str, ...]:
    """Amazon's own: the layers of ECR, the packages of Amazon Linux."""
    return tuple(row["bucket"].format(region=region) for row in _rows("aws"))


def of_registries(region: str) -> tuple[str, ...]:
    """Those in which public registries keep layers in that region."""
    return tuple(
        row.get("exceptions", {}).get(region, row["bucket"].format(region=region))
        for row in _rows("registries")
        if region in row.get("regions", (region,))
    )


@cache
def _rows(group: str) -> tuple[dict[str, Any], ...]:
    return tuple(_data.read("image_buckets")[group])

"""What becomes of the pools of a region, and what a region therefore needs of AWS."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from components.compute.design import Refused, decide
from components.compute.design.shapes import Design
from components.compute.pool_args import PoolWish
from components.network import endpoint_services
from stacks.settings.mistakes import mistake

if TYPE_CHECKING:
    from stacks.settings import Pool, Region

CHARTS_REGISTRY = "public.ecr.aws"
"""Where Karpenter's image is."""


def designs(name: str, region: "Region", *, protected: bool) -> Mapping[str, Design]:
    """What becomes of each pool, by name; every one of them can be had as it is asked for."""
    found: dict[str, Design] = {}
    for index, pool in enumerate(region.pools):
        try:
            found[pool.name] = design_of(name, region, pool, protected=protected)
        except Refused as refused:
            path = f"regions.{name}.pools.{index}.{refused.path}"
            fix = f"{refused.nearest} ({refused.reason})"
            raise mistake(path, refused.value, refused.allowed, fix) from None
    return found


def features(region: "Region", decided: Mapping[str, Design]) -> tuple[str, ...]:
    """The features of a region, by the names that say which AWS APIs they call."""
    closed = region.network.egress == "none"
    wanted = {
        "lustre": region.storage.lustre is not None,
        "express-buckets": region.storage.express is not None,
        "isolated-karpenter" if closed else "karpenter": any(one.scaler == "karpenter" for one in decided.values()),
    }
    return (*endpoint_services.NODES, *(feature for feature, on in wanted.items() if on))


def design_of(name: str, region: "Region", pool: "Pool", *, protected: bool) -> Design:
    """What becomes of a pool of region `name`.

    Raises:
        Refused: it cannot be had.
    """
    return decide(PoolWish(**wish(name, region, pool, protected=protected)).request(pool.scaler))


def wish(name: str, region: "Region", pool: "Pool", *, protected: bool) -> Mapping[str, Any]:
    """The fields of a `PoolWish`, for a pool of region `name`."""
    return pool.wish(
        name,
        region.network.zones,
        region.cluster.kubernetes,
        closed=region.network.egress == "none",
        reaches_karpenter=region.network.egress != "none" or CHARTS_REGISTRY in cached(region),
        protected=protected,
    )


def cached(region: "Region") -> tuple[str, ...]:
    """The registries whose images the region has copies of."""
    return region.image_cache.registries if region.image_cache else ()

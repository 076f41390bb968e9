"""Which GPU types a region offers in which way, and what an hour of each costs."""

from collections.abc import Iterator
from dataclasses import dataclass

from gpufleet.facts import instances, prices
from gpufleet.facts.instances import InstanceType

PURCHASES = ("on-demand", "spot", "reservation", "capacity-block")


@dataclass(frozen=True, slots=True)
class Offer:
    """What an hour of one instance costs, USD. `None`: no figure is known, never zero."""

    purchase: str
    on_demand: float | None
    spot_low: float | None
    spot_high: float | None
    """`None` also where the type is not sold so."""
    spot_from_history: bool
    capacity_block: float | None
    """The on-demand price stands in: each block is offered at a price of its own."""
    reservation: float | None
    """The on-demand price, used or not."""
    assumed: bool
    """Whether another region's price stands in."""
    source: str
    date: str

    @property
    def usd(self) -> float | None:
        """Of the wanted purchase option, at its ceiling."""
        by_purchase = {
            "on-demand": self.on_demand,
            "spot": self.spot_high,
            "reservation": self.reservation,
            "capacity-block": self.capacity_block,
        }
        return by_purchase[self.purchase]


def offered(region: str, purchase: str, left_out: list[tuple[str, str]]) -> Iterator[tuple[InstanceType, Offer]]:
    """NVIDIA types that the region sells that way and that EKS has an image for; the others go to `left_out`."""
    for name in instances.names():
        instance = instances.get(name)
        if not instance.is_gpu:
            continue
        if why := _why_not(instance, region, purchase):
            left_out.append((name, why))
            continue
        yield instance, offer(instance, region, purchase)


def offer(instance: InstanceType, region: str, purchase: str) -> Offer:
    """Prices of one instance in every purchase option that the type is sold in."""
    price = prices.instance_hour(instance.name, region)
    usd = price.usd if price else None
    history = prices.spot_hour(instance.name, region) if instance.spot else None
    low = usd * prices.SPOT_FLOOR_RATIO if usd is not None else None
    return Offer(
        purchase=purchase,
        on_demand=usd if instance.on_demand else None,
        spot_low=(history.low if history else low) if instance.spot else None,
        spot_high=(history.high if history else usd) if instance.spot else None,
        spot_from_history=history is not None,
        capacity_block=usd if instance.capacity_block else None,
        reservation=usd if instance.on_demand else None,
        assumed=bool(price and price.assumed),
        source=price.source if price else "",
        date=price.date if price else "",
    )


def _why_not(instance: InstanceType, region: str, purchase: str) -> str | None:
    if instance.gpu_memory_mib is None:
        return f"no source tells the memory of its {instance.gpu_model}"
    if not instance.regions:
        return "no source tells a region that offers it"
    if region not in instance.regions:
        return f"{region} does not offer it"
    if not instance.eks_ami_types:
        return "EKS has no image for it"
    sold = {
        "on-demand": instance.on_demand,
        "spot": instance.spot,
        "reservation": instance.on_demand,
        "capacity-block": instance.capacity_block,
    }
    return None if sold[purchase] else f"it is not sold as {purchase}"

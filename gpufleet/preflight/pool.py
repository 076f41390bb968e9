"""A pool: instances that are alike, up to a ceiling, and what AWS has to have for them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

ON_DEMAND: Final = "on-demand"
SPOT: Final = "spot"
CAPACITY_BLOCK: Final = "capacity-block"


@dataclass(frozen=True, kw_only=True)
class Reservation:
    """The capacity that a pool's instances are to come out of."""

    ids: tuple[str, ...] = ()
    group: str | None = None
    """ARN of a resource group of reservations."""
    tags: tuple[Mapping[str, str], ...] = ()
    """Any reservation that has all tags of one of these."""
    only: bool = False
    """Nothing may be launched outside of a reservation, whichever it is."""


@dataclass(frozen=True, kw_only=True)
class Pool:
    """Instances that are alike, up to a ceiling."""

    name: str
    urn: str
    types: tuple[str, ...]
    purchases: tuple[str, ...]
    """`on-demand`, `spot`, `capacity-block`; of several, whichever is to be had."""
    minimum: int
    maximum: int | None
    """Instances; None where only `vcpus` bounds the pool, or nothing does."""
    vcpus: int | None = None
    """A ceiling in vCPUs, beside that in instances."""
    zones: tuple[str, ...] = ()
    """Names of zones."""
    subnets: tuple[str, ...] = ()
    """Ids of subnets that are not of this plan, so that only AWS knows their zones."""
    each_type_everywhere: bool = True
    """Whether every type has to be offered in every zone; Karpenter takes what there is."""
    reservation: Reservation | None = None
    tenancy: str = "default"
    platform: str = "Linux/UNIX"
    cluster: str = ""
    version: str = ""
    """Kubernetes version of its nodes; empty where it is said nowhere."""
    images: tuple[str, ...] = ()
    """`ami-...`, or the SSM parameter that tells the image."""
    security_groups: int = 0
    """On one network interface, at most."""

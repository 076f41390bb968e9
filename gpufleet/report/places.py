"""The shapes of the drawing's content: regions, networks, zones, subnets, and chips for what lies in them."""

from dataclasses import dataclass

ACCESS = ("public", "private", "pods", "isolated")
"""Kinds of subnets in the order in which they are drawn: from the internet inwards."""


@dataclass(frozen=True, kw_only=True)
class Chip:
    """One thing in the drawing."""

    look: str
    """`gpu`, `system`, `edge`, `data`, `cluster` or `plain`."""
    title: str
    detail: str = ""


@dataclass(frozen=True, kw_only=True)
class Subnet:
    """A subnet: where its traffic may leave, and what lies in it."""

    name: str
    cidr: str
    access: str
    way_out: str
    chips: tuple[Chip, ...]


@dataclass(frozen=True, kw_only=True)
class Zone:
    """An availability zone of a network."""

    name: str
    subnets: tuple[Subnet, ...]


@dataclass(frozen=True, kw_only=True)
class Network:
    """A VPC."""

    name: str
    cidr: str
    internet: bool
    """Whether it has an internet gateway."""
    zones: tuple[Zone, ...]
    chips: tuple[Chip, ...]
    """What spans the zones: control planes, gateway endpoints."""


@dataclass(frozen=True, kw_only=True)
class Region:
    """A region: its networks, and the data and services beside them."""

    name: str
    networks: tuple[Network, ...]
    beside: tuple[Chip, ...]


@dataclass(frozen=True, kw_only=True)
class Topology:
    """The whole drawing, and how many resources of other types it leaves out."""

    regions: tuple[Region, ...]
    not_drawn: tuple[tuple[str, int], ...]

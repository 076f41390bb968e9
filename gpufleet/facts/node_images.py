"""Which images EKS nodes boot, for what, and with which driver, from ``data/node_images.json``."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any

from gpufleet.facts import _data

AS_OF: str = _data.read("node_images")["date"]
"""Day on which images, drivers and parameters were read, ISO 8601."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """A line of images that AWS publishes."""

    name: str
    """`al2023` or `bottlerocket`."""
    ami_types: Mapping[str, Mapping[str, str]]
    """EKS's AMI type by maker of the accelerator and architecture."""
    driver_branch: int
    """NVIDIA's driver branch in the images with one."""
    ssm: str
    ssm_release: str
    root_device: str
    data_device: str
    """What holds images and logs; Bottlerocket keeps its system on a volume of its own."""
    hugepages_2mib: Mapping[str, int]
    """Pages of 2 MiB that the image sets aside by itself, by maker of the accelerator."""
    untold: tuple[str, ...]
    """Instance families of which no source tells that the image runs on them."""

    def ami_type(self, accelerator: str, architecture: str) -> str | None:
        """EKS's AMI type, or None where there is no such image."""
        return self.ami_types.get(accelerator, {}).get(architecture)

    def parameter(self, kubernetes: str, architecture: str, accelerator: str) -> str:
        """The SSM parameter that holds the id of the newest image."""
        return self.ssm.format(kubernetes=kubernetes, architecture=architecture, accelerator=accelerator)

    def release_parameter(self, kubernetes: str, architecture: str, accelerator: str) -> str:
        """The SSM parameter that holds the release of the newest image, which is what to pin."""
        return self.ssm_release.format(kubernetes=kubernetes, architecture=architecture, accelerator=accelerator)


@dataclass(frozen=True, slots=True)
class Drivers:
    """The NVIDIA driver branches that an instance family runs with."""

    least: int | None
    most: int | None

    def allow(self, branch: int) -> bool:
        """Whether the family runs with that branch."""
        return (self.least is None or branch >= self.least) and (self.most is None or branch <= self.most)

    def __str__(self) -> str:
        """`595 and newer`, `580 and older`, `any`."""
        if self.least is not None and self.most is not None:
            return f"{self.least} to {self.most}"
        if self.least is not None:
            return f"{self.least} and newer"
        return "any" if self.most is None else f"{self.most} and older"


@cache
def families() -> Mapping[str, Family]:
    """The lines of images by name, in the order of the file."""
    rows: dict[str, dict[str, Any]] = _data.read("node_images")["families"]
    return MappingProxyType({name: _family(name, row) for name, row in rows.items()})


@cache
def gone() -> Mapping[str, str]:
    """Lines of images that ended, with the last Kubernetes version that each was made for."""
    rows: dict[str, dict[str, str]] = _data.read("node_images")["gone"]
    return MappingProxyType({name: row["last_kubernetes"] for name, row in rows.items()})


def drivers(family: str) -> Drivers:
    """The driver branches for an instance family, `g7`; any where no source narrows them."""
    return _drivers().get(family, Drivers(None, None))


def least_kubernetes(family: str) -> str | None:
    """The oldest Kubernetes version an instance family joins, or None where any does."""
    rows: list[dict[str, str]] = _data.read("node_images")["kubernetes"]
    return next((row["least"] for row in rows if row["family"] == family), None)


@cache
def _drivers() -> Mapping[str, Drivers]:
    rows: list[dict[str, Any]] = _data.read("node_images")["drivers"]
    return MappingProxyType({row["family"]: Drivers(row["least"], row["most"]) for row in rows})


def _family(name: str, row: dict[str, Any]) -> Family:
    return Family(
        name=name,
        ami_types=row["ami_types"],
        driver_branch=row["driver_branch"],
        ssm=row["ssm"],
        ssm_release=row["ssm_release"],
        root_device=row["root_device"],
        data_device=row["data_device"],
        hugepages_2mib=row["hugepages_2mib"],
        untold=tuple(row["untold"]),
    )

"""Which image the nodes boot, and what pins it."""

import re
from dataclasses import replace

from gpufleet.facts import node_images
from gpufleet.facts.node_images import Family

from .ledger import Ledger
from .machines import Machines
from .refusal import Refused
from .request import ImageChoice, PoolRequest
from .shapes import Image

_BOTTLEROCKET = re.compile(r"v?\d+\.\d+\.\d+(-(?!20\d{6}$)[0-9a-f]{8})?")
"""A release of Bottlerocket; where this has a build, one of AL2023 has a date."""


def decide(request: PoolRequest, machines: Machines, ledger: Ledger) -> Image:
    """The image.

    Raises:
        Refused: `image-gone`, `kubernetes-too-old`, `no-image`, `image-untold`, `image-driver`,
            `image-architecture`, `image-release`, `image-not-pinned`.
    """
    family = _family(request)
    _kubernetes(request, machines)
    image = (_of_aws if request.image.id is None else _own)(request, machines, family)
    shown = image.ami_id or image.release_version or image.ssm_parameter or ""
    ledger.decide("image", f"{image.ami_type}, {image.source} {shown}", _why(request, machines, image))
    return image


def release_date(release: str) -> str | None:
    """The date in a release of AL2023, `20260724` of `1.35.2-20260724`; None where there is none."""
    found = re.fullmatch(r"\d+\.\d+\.\d+-(\d{8})", release)
    return found[1] if found else None


def _family(request: PoolRequest) -> Family:
    name = request.image.family
    if name in node_images.gone():
        raise Refused(
            "image-gone",
            f"{name} ended with Kubernetes {node_images.gone()[name]}",
            path="image.family",
            value=name,
            allowed=", ".join(node_images.families()),
            nearest="image: al2023",
            change={"image": _renamed(request, "al2023")},
        )
    return node_images.families()[name]


def _renamed(request: PoolRequest, family: str) -> ImageChoice:
    return replace(request.image, family=family)


def _kubernetes(request: PoolRequest, machines: Machines) -> None:
    for family in machines.families:
        least = node_images.least_kubernetes(family)
        if least is not None and _minor(request.kubernetes_version) < _minor(least):
            raise Refused(
                "kubernetes-too-old",
                f"{family} joins clusters of Kubernetes {least} and newer",
                path="instance_types",
                value=list(machines.names),
                allowed=f"other types, or Kubernetes {least} and newer",
                nearest=f'the cluster with kubernetes: "{least}"',
                change={"kubernetes_version": least},
            )


def _minor(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


def _own(request: PoolRequest, machines: Machines, family: Family) -> Image:
    choice = request.image
    if choice.architecture is not None and choice.architecture != machines.architecture:
        raise Refused(
            "image-architecture",
            f"{', '.join(machines.names)} cannot boot it",
            path="image.architecture",
            value=choice.architecture,
            allowed=machines.architecture,
            nearest=f"an image for {machines.architecture}",
        )
    if machines.accelerator == "nvidia":
        for name in machines.families:
            drivers = node_images.drivers(name)
            # An image with AWS's own branch is the likely one; where that will not do, the right one must be stated.
            branch = choice.driver_branch if choice.driver_branch is not None else family.driver_branch
            if not drivers.allow(branch):
                raise Refused(
                    "image-driver",
                    f"{name} runs with driver branch {drivers}, and the image has "
                    f"{branch}{'' if choice.driver_branch else ' unless stated otherwise'}",
                    path="image.driver_branch",
                    value=choice.driver_branch,
                    allowed=str(drivers),
                    nearest=f"an image with such a driver: image: {{id: {choice.id}, driver_branch: "
                    f"{drivers.least or drivers.most}}}",
                )
    return Image(
        family=family.name,
        ami_type="CUSTOM",
        ami_id=choice.id,
        release_version=None,
        karpenter_alias=None,
        ssm_parameter=None,
        source="pinned id",
        root_device=family.root_device,
        data_device=family.data_device,
    )


def _of_aws(request: PoolRequest, machines: Machines, family: Family) -> Image:
    ami_type = family.ami_type(machines.accelerator, machines.architecture)
    if ami_type is None:
        raise Refused(
            "no-image",
            f"there is no {family.name} image for {machines.accelerator} on {machines.architecture}",
            path="image.family",
            value=family.name,
            allowed="al2023",
            nearest="image: al2023",
            change={"image": _renamed(request, "al2023")},
        )
    for name in machines.families:
        drivers = node_images.drivers(name)
        if machines.accelerator == "nvidia" and not drivers.allow(family.driver_branch):
            raise Refused(
                "image-driver",
                f"AWS's image has driver {family.driver_branch}, and {name} runs with {drivers}",
                path="image",
                value=family.name,
                allowed=f"an own image with driver {drivers}",
                nearest=f"image: {{id: ami-..., driver_branch: {drivers.least}}}; or other types, such as g7e and g6e",
            )
        if name in family.untold:
            raise Refused(
                "image-untold",
                f"no source tells that {family.name} runs on {name}",
                path="image.family",
                value=family.name,
                allowed="al2023",
                nearest="image: al2023",
                change={"image": _renamed(request, "al2023")},
            )
    return _pinned(request, machines, family, ami_type)


def _pinned(request: PoolRequest, machines: Machines, family: Family, ami_type: str) -> Image:
    release, kubernetes = request.image.release, request.kubernetes_version
    where = (kubernetes, machines.architecture, machines.accelerator)
    if release is None and request.protected:
        raise Refused(
            "image-not-pinned",
            "in a protected environment nodes that come tomorrow boot what was tested today",
            path="image",
            value=family.name,
            allowed="an id or a release",
            nearest=f"image: {{family: {family.name}, release: ...}}; the newest is at SSM parameter "
            f"{family.release_parameter(*where)}",
        )
    date = release_date(release) if release is not None else None
    if release is not None and family.name == "al2023":
        if date is None or not release.startswith(f"{kubernetes}."):
            raise Refused(
                "image-release",
                f"the cluster has Kubernetes {kubernetes}, and a release of AL2023 begins with that",
                path="image.release",
                value=release,
                allowed=f"{kubernetes}.PATCH-YYYYMMDD",
                nearest=f"the newest, at SSM parameter {family.release_parameter(*where)}",
            )
        alias = f"al2023@v{date}"
    elif release is not None:
        if _BOTTLEROCKET.fullmatch(release) is None:
            raise Refused(
                "image-release",
                "it is no release of Bottlerocket",
                path="image.release",
                value=release,
                allowed="Bottlerocket's version and build, 1.63.0-0f4c0b3c",
                nearest=f"the newest, at SSM parameter {family.release_parameter(*where)}",
            )
        alias = f"bottlerocket@v{release.removeprefix('v').split('-')[0]}"
    else:
        alias = f"{family.name}@latest"
    return Image(
        family=family.name,
        ami_type=ami_type,
        ami_id=None,
        release_version=release,
        karpenter_alias=alias,
        ssm_parameter=family.parameter(*where) if release is None else None,
        source="pinned release" if release is not None else "newest by SSM parameter",
        root_device=family.root_device,
        data_device=family.data_device,
    )


def _why(request: PoolRequest, machines: Machines, image: Image) -> str:
    if image.ami_id is not None:
        return f"an own image, taken to be for {machines.architecture} and made from {image.family}"
    fit = f"with the driver for {machines.accelerator} on {machines.architecture}"
    if image.release_version is not None:
        return f"{fit}; the same for every node until somebody changes it"
    return f"{fit}; the environment does not pin images"

"""An environment lies in one account, an account in one partition of AWS, and a partition has what it has."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gpufleet.facts import regions
from stacks.settings.mistakes import mistake

if TYPE_CHECKING:
    from stacks.settings import Settings

WITH_IMAGE_CACHE = ("aws",)
"""Partitions in which ECR fetches from other registries.
https://aws.amazon.com/about-aws/whats-new/2023/11/amazon-ecr-pull-through-cache-additional-upstream-registries/"""


def check(settings: "Settings") -> None:
    """Every region is in one partition, every ARN too, and what is asked of it is there."""
    found: dict[str, str] = {}
    for name in settings.regions:
        region = regions.find(name)
        if region is None:
            raise mistake(f"regions.{name}", name, ", ".join(regions.names()), "name a region of AWS")
        found[name] = region.partition
    first, partition = next(iter(found.items()))
    for name, other in found.items():
        if other != partition:
            allowed = f"regions of {partition}, as {first} is: an account is in one partition"
            raise mistake(f"regions.{name}", name, allowed, f"make a stack of its own for the account in {other}")
    for path, arn in _arns(settings):
        if not arn.startswith(f"arn:{partition}:"):
            fix = "write role/NAME, which becomes the right ARN" if "boundary" not in path else "mend the ARN"
            raise mistake(path, arn, f"an ARN of this partition, arn:{partition}:...", fix)
    for name, region in settings.regions.items():
        if region.image_cache is not None and partition not in WITH_IMAGE_CACHE:
            path = f"regions.{name}.image_cache"
            allowed = f"none in {partition}, where ECR fetches from no other registry"
            raise mistake(
                path,
                list(region.image_cache.registries),
                allowed,
                "leave it out, and push images to repositories of your own (registry)",
            )


def _arns(settings: "Settings") -> Iterator[tuple[str, str]]:
    """The ARNs of people and policies, each with its path."""
    if settings.permissions_boundary_arn is not None:
        yield "permissions_boundary_arn", settings.permissions_boundary_arn
    for group in principals(settings):
        yield from ((path, given) for path, given in group if given.startswith("arn:"))


def principals(settings: "Settings") -> list[list[tuple[str, str]]]:
    """Everybody who is let in, each with the path: the administrators of each cluster, and all the teams together."""
    admins = [
        [(f"regions.{name}.cluster.admins.{index}", admin) for index, admin in enumerate(region.cluster.admins)]
        for name, region in settings.regions.items()
    ]
    members = [
        (f"workspaces.{number}.{part}.{index}", member)
        for number, workspace in enumerate(settings.workspaces)
        for part in ("admins", "developers", "viewers")
        for index, member in enumerate(getattr(workspace, part))
    ]
    return [*admins, members]

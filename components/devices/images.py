"""Where the plugins' images are pulled from."""

from collections.abc import Sequence
from dataclasses import dataclass

import pulumi

from gpufleet.facts import charts

from ..storage import upstream_registries

NGC = "nvcr.io"
"""NVIDIA's registry, which ECR cannot fetch from."""


@dataclass(frozen=True, kw_only=True)
class Registries:
    """What stands in for the public registries; None: they are reached themselves."""

    cache: pulumi.Input[str] | None = None
    """`HOST/PREFIX` of a `PullThroughCache`."""
    pushed: pulumi.Input[str] | None = None
    """`HOST/PREFIX` below which copies of NVIDIA's images lie by their whole names, `nvcr.io/nvidia/...`."""

    def repository(self, repository: str) -> pulumi.Input[str]:
        """Where an image is found, `registry/path` without tag."""
        if repository.startswith(f"{NGC}/"):
            return repository if self.pushed is None else pulumi.Output.concat(self.pushed, "/", repository)
        path = upstream_registries.cached(repository, "")
        return repository if self.cache is None or path is None else pulumi.Output.concat(self.cache, path)


def to_push(chart_names: Sequence[str]) -> list[str]:
    """Images of these charts that ECR cannot fetch, with their tags."""
    found = {image for name in chart_names for image in charts.get(name).images}
    return sorted(image for image in found if image.startswith(f"{NGC}/"))


def repository_of(chart_name: str, ending: str) -> str:
    """The repository, without tag, of the chart's one image that ends so."""
    (found,) = (
        repository
        for image in charts.get(chart_name).images
        if (repository := image.partition(":")[0]).endswith(ending)
    )
    return found

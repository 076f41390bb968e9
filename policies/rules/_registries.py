"""Which registries container images come from."""

import re
from collections.abc import Collection, Iterator
from typing import Any, Final

from ._reading import read
from ._walk import mappings

_ECR: Final = re.compile(r"\d{12}\.dkr[.-]ecr(?:-fips)?\.(?P<region>[a-z0-9-]+)\.[a-z0-9.-]+")
_KEYS: Final = ("image", "imageRegistry", "registry", "repository")


def images(manifest: Any) -> Iterator[tuple[str, str]]:
    """Yield (path, host of the registry) of each image of a manifest's containers."""
    for path, fields in mappings(manifest):
        if isinstance(named := fields.get("image"), str) and named:
            yield f"{path}.image" if path else "image", host(named)


def images_of_values(values: Any) -> Iterator[tuple[str, str]]:
    """The same for a chart's values, which name an image in one piece, or in several, or its registry once for all."""
    for path, fields in mappings(values, "values"):
        said = {key: found for key in _KEYS if isinstance(found := fields.get(key), str) and found}
        key = "repository" if "repository" in said else "image"
        if key in said:
            registry = said.get("registry", said.get("imageRegistry"))
            yield f"{path}.{key}", host(f"{registry}/{said[key]}" if registry else said[key])
        elif "imageRegistry" in said:
            yield f"{path}.imageRegistry", host(f"{said['imageRegistry']}/")


def host(image: str) -> str:
    """Return the registry of an image reference; one that names none comes from Docker Hub."""
    first, slash, _ = image.removeprefix("oci://").partition("/")
    return first if slash and ("." in first or ":" in first or first == "localhost") else "docker.io"


def is_private(registry: str, regions: Collection[str] = ()) -> bool:
    """Tell whether it is an Amazon ECR private registry, which is reached by endpoints (ECR Public is not).

    Endpoints lead to their own region's only, so it must be in one of `regions`, where they are known.
    """
    found = _ECR.fullmatch(registry)
    return found is not None and (not regions or found["region"] in regions)


def chart(release: Any) -> str:
    """Return the bare name of a release's chart: `oci://public.ecr.aws/karpenter/karpenter` is `karpenter`."""
    named = read(release, "chart")
    return named.rstrip("/").rsplit("/", 1)[-1] if isinstance(named, str) else ""

"""The registries that ECR can fetch images from, and what it needs for each."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Upstream:
    """A registry somewhere else."""

    url: str
    """As ECR calls it."""
    needs_credentials: bool


UPSTREAMS: Mapping[str, Upstream] = {
    "public.ecr.aws": Upstream("public.ecr.aws", needs_credentials=False),
    "registry.k8s.io": Upstream("registry.k8s.io", needs_credentials=False),
    "quay.io": Upstream("quay.io", needs_credentials=False),
    "docker.io": Upstream("registry-1.docker.io", needs_credentials=True),
    "ghcr.io": Upstream("ghcr.io", needs_credentials=True),
}
"""By the name that stands in an image's reference. ECR fetches from no others that our charts use: nvcr.io above all
is not among them, so NVIDIA's images are pushed to an `ImageRegistry`.
https://docs.aws.amazon.com/AmazonECR/latest/userguide/pull-through-cache.html"""


def get(registry: str) -> Upstream:
    """The upstream of that name.

    Raises:
        ValueError: ECR does not fetch from it, or we do not offer it.
    """
    if registry not in UPSTREAMS:
        raise ValueError(
            f"registries: {registry!r} is not one that ECR fetches from; allowed are {', '.join(UPSTREAMS)}; "
            "push its images to an ImageRegistry instead"
        )
    return UPSTREAMS[registry]


def cached(image: str, prefix: str) -> str | None:
    """Where an image is found in our registry, as a path below its host; `None` where its registry is not cached.

    `quay.io/prometheus/node-exporter:v1` under `gpufleet` is `gpufleet/quay.io/prometheus/node-exporter:v1`. A
    reference without a registry is Docker Hub's, and one without an owner there its `library`.
    """
    registry, _, path = image.partition("/")
    if not path or not ("." in registry or ":" in registry or registry == "localhost"):
        registry, path = "docker.io", image if path else f"library/{image}"
    elif registry == "docker.io" and "/" not in path:
        path = f"library/{path}"
    return f"{prefix}/{registry}/{path}" if registry in UPSTREAMS else None

"""What a network without a way out keeps a cluster from reaching."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from gpufleet.facts import regions

from . import endpoint_services

_DOCKER_HUB = "docker.io"
_REMEDIES = {
    "iam": "give Karpenter's node classes an instanceProfile instead of a role",
    "pricing.api": "set Karpenter's settings.isolatedVPC, then it uses the prices it was built with",
}
"""https://karpenter.sh/docs/getting-started/getting-started-with-karpenter/#private-clusters"""


@dataclass(frozen=True)
class Unreachable:
    """One thing that would need the internet."""

    what: str
    why: str
    fix: str

    def __str__(self) -> str:
        """The three in one sentence."""
        return f"{self.what}: {self.why}; {self.fix}"


def unreachable(
    region: str,
    features: Sequence[str],
    endpoints: Sequence[str],
    images: Sequence[str] = (),
    charts: Sequence[str] = (),
) -> tuple[Unreachable, ...]:
    """Everything that would need the internet and cannot have it: APIs first, then images, then charts.

    Args:
        region: the region of the network.
        features: what is on, by the names in `endpoint_services.FEATURES`.
        endpoints: the network's endpoints, by short service name.
        images: container images as manifests name them: `nvcr.io/nvidia/k8s/dcgm-exporter:4.5`, `redis`.
        charts: repositories of Helm charts: `https://...` or `oci://...`.

    Raises:
        ValueError: a feature is not known.
    """
    found = [
        Unreachable(
            f"the API {service}",
            f"{_calls(service, features)}, and the network has no endpoint for it",
            f"add {service} to the endpoints",
        )
        for service in endpoint_services.needed(features)
        if service not in endpoints
    ]
    found += [
        Unreachable(
            f"the API {service}",
            f"{_calls(service, features)}, and {why}",
            _REMEDIES.get(service, "turn the feature off, or choose an egress with NAT"),
        )
        for service, why in endpoint_services.beyond(features).items()
    ]
    found += [
        Unreachable(
            f"the image {image}",
            f"{registry_of(image)} is on the internet",
            f"mirror it into an ECR repository of {region}, or give it a pull-through cache there",
        )
        for image in sorted(set(images))
        if not _is_private_registry(registry_of(image), region)
    ]
    found += [
        Unreachable(
            f"the chart repository {chart}",
            "it is on the internet",
            f"copy its charts into an ECR repository of {region}, as oci://",
        )
        for chart in sorted(set(charts))
        if not _is_private_registry(_host(chart), region)
    ]
    return tuple(found)


def registry_of(image: str) -> str:
    """The registry that an image reference names, Docker Hub where it names none."""
    first, slash, _ = image.partition("/")
    return first if slash and (re.search(r"[.:]", first) or first == "localhost") else _DOCKER_HUB


def _is_private_registry(host: str, region: str) -> bool:
    """Whether it is an ECR of the region: the endpoints of a VPC lead to no other region's."""
    found = regions.find(region)
    suffix = re.escape(found.dns_suffix if found else "amazonaws.com")
    return bool(re.fullmatch(rf"\d{{12}}\.dkr\.ecr(-fips)?\.{re.escape(region)}\.{suffix}", host))


def _host(url: str) -> str:
    return url.partition("://")[2].partition("/")[0] or url.partition("/")[0]


def _calls(service: str, features: Sequence[str]) -> str:
    users = endpoint_services.users(service, features)
    return f"{' and '.join(users)} {'calls' if len(users) == 1 else 'call'} it"

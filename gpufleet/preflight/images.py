"""Which image the nodes of a pool start from: its id, or the SSM parameter in which AWS publishes it.

Paths: https://docs.aws.amazon.com/eks/latest/userguide/retrieve-ami-id.html,
https://docs.aws.amazon.com/eks/latest/userguide/retrieve-ami-id-bottlerocket.html, and for Karpenter's aliases
karpenter-provider-aws, pkg/providers/amifamily.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

from gpufleet.plan.graph import UNKNOWN
from gpufleet.pricing import wire

_AMI_TYPE: Final = re.compile(r"(AL2023|BOTTLEROCKET)_(x86_64|ARM_64)(?:_(STANDARD|NVIDIA|NEURON|FIPS|NVIDIA_FIPS))?")
_RESOLVED: Final = re.compile(r"resolve:ssm:([^:]+)(:.+)?")
_LATEST: Final = "latest"


def of_node_group(inputs: Mapping[str, Any], template: Mapping[str, Any], version: str) -> tuple[str, ...]:
    """The image of a managed node group: its own in the launch template, else what its `amiType` stands for."""
    if own := of_template(template):
        return own
    found = _AMI_TYPE.fullmatch(str(inputs.get("amiType") or ""))
    if found is None or not version:
        return ()
    family, arch, variant = found[1], "arm64" if found[2] == "ARM_64" else "x86_64", (found[3] or "").lower()
    released = str(inputs.get("releaseVersion") or "")
    if family == "BOTTLEROCKET":
        return (bottlerocket(version, arch, variant.replace("_", "-"), released or _LATEST),)
    # A release is called 1.35.0-20261101, the parameter of its image is named after the day alone.
    day = f"v{released.rpartition('-')[2]}" if released else _LATEST
    return (amazon_linux(version, arch, variant or "standard", day),)


def of_template(template: Mapping[str, Any]) -> tuple[str, ...]:
    """The image that a launch template names, by id or by `resolve:ssm:PARAMETER`."""
    image = wire.value(template, "imageId")
    if not isinstance(image, str) or not image or image == UNKNOWN:
        return ()
    resolved = _RESOLVED.fullmatch(image)
    return (resolved[1] if resolved else image,)


def of_alias(alias: str, version: str, arch: str, accelerated: bool) -> tuple[str, ...]:
    """The image that Karpenter takes for `al2023@v20261101` or `bottlerocket@latest`.

    Args:
        alias: of an EC2NodeClass's `amiSelectorTerms`.
        version: of Kubernetes.
        arch: `x86_64` or `arm64`.
        accelerated: whether the nodes have NVIDIA GPUs.
    """
    family, _, release = alias.partition("@")
    if family == "al2023":
        return (amazon_linux(version, arch, "nvidia" if accelerated else "standard", release),)
    if family == "bottlerocket":
        return (bottlerocket(version, arch, "nvidia" if accelerated else "", release),)
    return ()


def amazon_linux(version: str, arch: str, variant: str, release: str) -> str:
    """The parameter of an image of Amazon Linux 2023; `release` is `latest` or `v20261101`."""
    name = "recommended" if release == _LATEST else f"amazon-eks-node-al2023-{arch}-{variant}-{version}-{release}"
    return f"/aws/service/eks/optimized-ami/{version}/amazon-linux-2023/{arch}/{variant}/{name}/image_id"


def bottlerocket(version: str, arch: str, variant: str, release: str) -> str:
    """The parameter of an image of Bottlerocket; `release` is `latest` or `1.50.0`, with or without a `v`."""
    flavour = f"{version}-{variant}" if variant else version
    return f"/aws/service/bottlerocket/aws-k8s-{flavour}/{arch}/{release.removeprefix('v')}/image_id"

"""Which image fits, and what pins it."""

import pytest

from components.compute.design import decide
from components.compute.design.request import ImageChoice, PoolRequest
from tests.components.compute.design.requests import bought, refusal, wish

OWN = "ami-0123456789abcdef0"


@pytest.mark.parametrize(
    ("name", "family", "ami_type"),
    [
        ("g5.xlarge", "al2023", "AL2023_x86_64_NVIDIA"),
        ("g5g.xlarge", "al2023", "AL2023_ARM_64_NVIDIA"),
        ("g6.xlarge", "bottlerocket", "BOTTLEROCKET_x86_64_NVIDIA"),
        ("g5g.xlarge", "bottlerocket", "BOTTLEROCKET_ARM_64_NVIDIA"),
        ("inf2.xlarge", "al2023", "AL2023_x86_64_NEURON"),
    ],
)
def test_each_architecture_and_accelerator_has_its_image(name: str, family: str, ami_type: str) -> None:
    region = "us-east-1"
    assert decide(wish(name, region=region, image=ImageChoice(family=family))).image.ami_type == ami_type


def test_in_dev_the_newest_is_found_by_ssm_parameter() -> None:
    image = decide(wish("g5g.xlarge")).image
    assert (image.source, image.karpenter_alias, image.release_version) == (
        "newest by SSM parameter",
        "al2023@latest",
        None,
    )
    assert image.ssm_parameter == (
        "/aws/service/eks/optimized-ami/1.35/amazon-linux-2023/arm64/nvidia/recommended/image_id"
    )


def test_a_protected_environment_pins_and_is_told_where_the_release_is() -> None:
    refused = refusal(wish("g6.xlarge", protected=True))
    assert (refused.rule, refused.path) == ("image-not-pinned", "image")
    assert refused.nearest.endswith("/1.35/amazon-linux-2023/x86_64/nvidia/recommended/release_version")
    pinned = decide(wish("g6.xlarge", protected=True, image=ImageChoice(release="1.35.2-20260724"))).image
    assert (pinned.source, pinned.release_version) == ("pinned release", "1.35.2-20260724")
    assert (pinned.karpenter_alias, pinned.ssm_parameter) == ("al2023@v20260724", None)
    own = decide(wish("g6.xlarge", protected=True, image=ImageChoice(id=OWN))).image
    assert (own.source, own.ami_type, own.ami_id) == ("pinned id", "CUSTOM", OWN)


def test_bottlerocket_is_pinned_by_its_version_and_keeps_data_on_a_second_volume() -> None:
    image = decide(wish("g6.xlarge", image=ImageChoice(family="bottlerocket", release="1.63.0-0f4c0b3c"))).image
    assert (image.karpenter_alias, image.root_device, image.data_device) == (
        "bottlerocket@v1.63.0",
        "/dev/xvda",
        "/dev/xvdb",
    )


@pytest.mark.parametrize(
    ("request_", "rule"),
    [
        (wish("g6.xlarge", image=ImageChoice(family="al2")), "image-gone"),
        (wish("g6.xlarge", image=ImageChoice(family="AL2023_x86_64_STANDARD")), "unknown-value"),
        (wish("g6.xlarge", image=ImageChoice(release="1.34.1-20260724")), "image-release"),
        (wish("g6.xlarge", image=ImageChoice(family="bottlerocket", release="1.35.2-20260724")), "image-release"),
        (wish("g6.xlarge", image=ImageChoice(family="bottlerocket", release="latest")), "image-release"),
        (wish("g6.xlarge", image=ImageChoice(id=OWN, architecture="arm64")), "image-architecture"),
        (wish("g7.2xlarge"), "image-driver"),
        (wish("g7.2xlarge", image=ImageChoice(id=OWN)), "image-driver"),
        (wish("g6f.large", image=ImageChoice(id=OWN, driver_branch=595)), "image-driver"),
        (wish("inf2.xlarge", image=ImageChoice(family="bottlerocket")), "no-image"),
        (wish("g4ad.xlarge"), "accelerator-not-supported"),
        (wish("dl1.24xlarge"), "accelerator-not-supported"),
        (wish("m6i.large"), "accelerator-not-supported"),
        (wish("g5.xlarge", "g5g.xlarge"), "mixed-architectures"),
        (wish("g5.xlarge", "inf2.xlarge"), "mixed-accelerators"),
        (bought(wish("p6e-gb200.36xlarge", kubernetes_version="1.32"), "capacity-block"), "kubernetes-too-old"),
        (
            bought(wish("p6e-gb200.36xlarge", image=ImageChoice(family="bottlerocket")), "capacity-block"),
            "image-untold",
        ),
    ],
)
def test_an_image_that_does_not_fit_is_refused_by_name(request_: PoolRequest, rule: str) -> None:
    assert refusal(request_).rule == rule


def test_g7_runs_on_an_own_image_whose_driver_is_stated() -> None:
    design = decide(wish("g7.2xlarge", image=ImageChoice(id=OWN, driver_branch=595)))
    assert (design.image.ami_id, design.hugepages_2mib) == (OWN, 0)

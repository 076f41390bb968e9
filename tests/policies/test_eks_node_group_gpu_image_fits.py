from typing import Any

import pulumi_aws as aws
import pytest

from policies.rules.eks_node_group_gpu_image_fits import RULE
from tests.policies.judging import later, messages
from tests.policies.pools import pool


@pytest.mark.parametrize(
    ("type_", "image", "found", "needed"),
    [
        ("g6.2xlarge", "AL2023_x86_64_STANDARD", "AL2023_x86_64_STANDARD", "AL2023_x86_64_NVIDIA"),
        ("g6.2xlarge", None, "not set", "AL2023_x86_64_NVIDIA"),
        ("g5g.xlarge", "AL2023_x86_64_NVIDIA", "AL2023_x86_64_NVIDIA", "AL2023_ARM_64_NVIDIA"),
        ("p5.48xlarge", "AL2_x86_64_GPU", "AL2_x86_64_GPU", "AL2023_x86_64_NVIDIA"),
    ],
)
def test_an_image_that_does_not_fit_is_reported(
    type_: str, image: str | None, found: str, needed: str, preview: bool
) -> None:
    def build() -> None:
        template = aws.ec2.LaunchTemplate("template")
        pool(types=(type_,), ami_type=image, launch_template={"id": template.id, "version": "1"})

    (message,) = messages(RULE, build, preview=preview)
    assert message.startswith(f"gpu: amiType is {found}; {type_} needs ")
    assert needed in message


def test_a_type_that_no_eks_image_drives_needs_an_image_of_its_own(preview: bool) -> None:
    assert messages(RULE, lambda: pool(types=("g7.2xlarge",)), preview=preview) == [
        "gpu: amiType is AL2023_x86_64_NVIDIA; g7.2xlarge needs CUSTOM, with an image of your own in "
        "the launch template."
    ]


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"ami_type": "BOTTLEROCKET_x86_64_NVIDIA"},
        {"ami_type": "CUSTOM"},
        {"types": ("m7i.xlarge",), "ami_type": None},
    ],
)
def test_a_fitting_image_a_custom_one_and_a_cpu_pool_are_quiet(more: dict[str, Any], preview: bool) -> None:
    assert messages(RULE, lambda: pool(**more), preview=preview) == []


def test_an_image_in_the_launch_template_is_quiet(preview: bool) -> None:
    def build() -> None:
        template = aws.ec2.LaunchTemplate("template", image_id="ami-0123456789abcdef0")
        pool(ami_type=None, launch_template={"id": template.id, "version": "1"})

    assert messages(RULE, build, preview=preview) == []


def test_an_unknown_image_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        pool(ami_type=later("AL2023_x86_64_STANDARD"))

    assert messages(RULE, build, preview=True) == []
    assert len(messages(RULE, build)) == 1

"""Images of nodes, and what they run on."""

import pytest

from gpufleet.facts import instances, node_images


def test_the_images_agree_with_the_catalogue_of_types() -> None:
    family = node_images.families()["al2023"]
    for name in instances.names():
        type_ = instances.get(name)
        if not type_.eks_ami_types or type_.accelerator is None:
            continue
        assert family.ami_type(type_.accelerator, type_.cpu_arch) in type_.eks_ami_types, name
        if type_.accelerator == "nvidia":
            assert node_images.drivers(type_.family).allow(family.driver_branch), name


@pytest.mark.parametrize(
    ("family", "branch", "allowed", "text"),
    [
        ("g7", 580, False, "595 and newer"),
        ("g7", 595, True, "595 and newer"),
        ("g6f", 595, False, "580 and older"),
        ("p5", 595, True, "any"),
    ],
)
def test_drivers_are_narrowed_by_family(family: str, branch: int, allowed: bool, text: str) -> None:
    drivers = node_images.drivers(family)
    assert (drivers.allow(branch), str(drivers)) == (allowed, text)


def test_parameters_name_version_architecture_and_accelerator() -> None:
    bottlerocket = node_images.families()["bottlerocket"]
    assert bottlerocket.parameter("1.36", "arm64", "nvidia") == (
        "/aws/service/bottlerocket/aws-k8s-1.36-nvidia/arm64/latest/image_id"
    )


def test_amazon_linux_2_is_gone_and_ultraservers_need_a_newer_kubernetes() -> None:
    assert node_images.gone() == {"al2": "1.32"}
    assert node_images.least_kubernetes("p6e-gb200") == "1.33"
    assert node_images.least_kubernetes("p5") is None

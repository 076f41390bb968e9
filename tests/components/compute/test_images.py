import pytest

from components.compute import images
from gpufleet.facts import instances


def test_each_architecture_has_its_nvidia_image() -> None:
    assert images.for_gpus(["g5.xlarge", "p5.48xlarge"]) == "AL2023_x86_64_NVIDIA"
    assert images.for_gpus(["g5g.xlarge"]) == "AL2023_ARM_64_NVIDIA"


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["g4ad.xlarge"], "g4ad.xlarge has accelerators by amd, and this pool is for NVIDIA GPUs"),
        (["inf2.xlarge"], "inf2.xlarge has accelerators by neuron"),
        (["m6i.large"], "m6i.large has no accelerator"),
        (["g7.2xlarge"], "AL2023_x86_64_NVIDIA does not support g7.2xlarge; .*custom AMI with driver 595"),
        (["g5.xlarge", "g5g.xlarge"], "need different images; put each architecture into a pool of its own"),
        (["g6.xlage"], "unknown EC2 instance type 'g6.xlage': did you mean g6.xlarge"),
        ([], "instance_types: none is given; name at least one"),
    ],
)
def test_types_without_a_fitting_image_are_refused_with_the_reason(names: list[str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        images.for_gpus(names)


def test_an_image_is_given_for_a_type_exactly_where_the_facts_list_one() -> None:
    for name in instances.names():
        type_ = instances.get(name)
        fits = any(image.startswith("AL2023") and image.endswith("NVIDIA") for image in type_.eks_ami_types)
        if type_.is_gpu and fits:
            assert images.for_gpus([name]) in type_.eks_ami_types
        else:
            with pytest.raises(ValueError, match=name):
                images.for_gpus([name])


def test_nvme_is_striped_only_where_all_types_have_it() -> None:
    assert images.all_have_nvme(["g6.xlarge", "p5.48xlarge"])
    assert not images.all_have_nvme(["g6.xlarge", "inf2.xlarge"])
    assert not images.all_have_nvme(["m7i.xlarge"])

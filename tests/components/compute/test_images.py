import pytest

from components.compute import images


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["g6.xlarge"], "g6.xlarge bring accelerators, which the cluster's own services leave idle"),
        (["m7i.large", "m7g.large"], "need different images; put each architecture into a pool of its own"),
        (["m7i.lage"], "unknown EC2 instance type 'm7i.lage': did you mean m7i.large"),
        ([], "instance_types: none is given; name at least one"),
    ],
)
def test_types_that_system_nodes_cannot_be_are_refused_with_the_reason(names: list[str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        images.for_system(names)


def test_each_architecture_has_its_standard_image() -> None:
    assert images.for_system(["m7i.large", "c7i.large"]) == "AL2023_x86_64_STANDARD"
    assert images.for_system(["m7g.large"]) == "AL2023_ARM_64_STANDARD"


def test_nvme_is_striped_only_where_all_types_have_it() -> None:
    assert images.all_have_nvme(["g6.xlarge", "p5.48xlarge"])
    assert not images.all_have_nvme(["g6.xlarge", "inf2.xlarge"])
    assert not images.all_have_nvme(["m7i.xlarge"])

"""What EC2 allows on the first network card."""

import pytest

from gpufleet.facts import instances, interface_limits


@pytest.mark.parametrize(
    ("name", "interfaces", "addresses"),
    [("m7i.xlarge", 4, 15), ("g6.xlarge", 4, 15), ("p5.48xlarge", 2, 50), ("p6-b300.48xlarge", 4, 50)],
)
def test_only_card_0_counts_however_many_cards_there_are(name: str, interfaces: int, addresses: int) -> None:
    assert interface_limits.find(name) == interface_limits.InterfaceLimits(interfaces, addresses)


def test_a_type_that_no_source_tells_of_is_none() -> None:
    assert interface_limits.find("p9.large") is None


def test_every_type_with_an_image_for_eks_is_known_but_the_oldest_and_the_newest() -> None:
    untold = {name for name in instances.names() if interface_limits.find(name) is None}
    offered = {name for name in untold if instances.get(name).eks_ami_types}
    assert {instances.get(name).family for name in offered} <= {"p3", "p6e-gb200"}  # the one gone, the other new

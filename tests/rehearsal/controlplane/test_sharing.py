"""How often a node offers each of its GPUs, by its labels."""

import pytest

from gpufleet.facts import instances
from gpufleet.rehearsal.controlplane import sharing
from gpufleet.rehearsal.controlplane.sharing import UNSHARED, Sharing

SLICED = {"nvidia.com/device-plugin.config": "time-slicing-4"}
CUT = {"nvidia.com/mig.config": "all-1g.10gb"}


def of(labels: dict[str, str], name: str = "p4de.24xlarge") -> Sharing:
    return sharing.of(labels, instances.get(name))


def test_turns_are_counted_by_the_configuration_that_is_named_after_them() -> None:
    assert of(SLICED) == Sharing(replicas=4)
    assert of(SLICED).per_gpu == 4


def test_parts_are_as_many_as_the_gpu_yields_of_the_profile() -> None:
    assert of(CUT) == Sharing(profile="1g.10gb", parts=7)
    # The same profile is a larger share of the A100 with half the memory.
    assert of(CUT, "p4d.24xlarge") == Sharing(profile="1g.10gb", parts=4)


def test_turns_on_parts_multiply() -> None:
    assert of({**SLICED, **CUT}).per_gpu == 28


@pytest.mark.parametrize(
    ("labels", "name"),
    [
        ({}, "p4de.24xlarge"),
        ({"nvidia.com/device-plugin.config": "default"}, "p4de.24xlarge"),
        ({"nvidia.com/device-plugin.config": "time-slicing-0"}, "p4de.24xlarge"),
        ({"nvidia.com/mig.config": "all-disabled"}, "p4de.24xlarge"),
        ({"nvidia.com/mig.config": "all-1g.18gb"}, "p4de.24xlarge"),
        (CUT, "g6.xlarge"),
        (SLICED, "trn1.32xlarge"),
        (SLICED, "m7i.xlarge"),
    ],
)
def test_what_names_no_way_to_share_this_gpu_shares_nothing(labels: dict[str, str], name: str) -> None:
    assert of(labels, name) == UNSHARED

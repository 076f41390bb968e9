"""What one pool more changes of the device plugins: nothing, unless it is the first of its kind."""

from typing import Any

import pytest

from components.compute.design.request import Sharing
from components.devices import device_plugins, provision
from tests.components.devices import builds
from tests.harness import record

CUT = Sharing(kind="mig", profile="1g.20gb")
ADDED: list[tuple[list[str], str, dict[str, Any]]] = [
    (["plain"], "team", {}),
    (["plain"], "sliced", {}),
    (["plain", "efa"], "new", {}),
    (["efa"], "plain", {"instance_types": ("g5.xlarge", "g6e.xlarge"), "labels": {"team": "speech"}}),
    (["cut"], "sliced", {}),
    (
        ["plain", "cut"],
        "second",
        {"instance_types": ("p5.4xlarge",), "sharing": CUT},
    ),
    (["trainium"], "second", {"instance_types": ("inf2.xlarge",)}),
    (["plain"], "bottlerocket", {}),
    (["plain", "bottlerocket"], "second", {"image_family": "bottlerocket", "purchase": "spot"}),
]


@pytest.mark.parametrize(("there", "added", "changes"), ADDED)
def test_a_pool_of_a_kind_that_is_there_changes_nothing(there: list[str], added: str, changes: dict[str, Any]) -> None:
    designs = [builds.design(name) for name in there]
    more = [*designs, builds.design(added, **changes)]

    assert device_plugins.releases(builds.args(designs=designs)) == device_plugins.releases(builds.args(designs=more))


def test_the_first_pool_that_cuts_its_gpus_swaps_the_plugin_for_the_operator() -> None:
    before, after_it = (set(device_plugins.releases(builds.args(*pools))) for pools in (("plain",), ("plain", "cut")))

    assert (before, after_it) == ({"nvidia-device-plugin"}, {"gpu-operator"})


@pytest.mark.parametrize(("there", "added", "changes"), ADDED)
def test_what_provides_the_accelerators_of_the_others_stays(
    there: list[str], added: str, changes: dict[str, Any]
) -> None:
    designs = [builds.design(name) for name in there]
    before = provision.providers(provision.pools(designs))
    after_it = provision.providers(provision.pools([*designs, builds.design(added, **changes)]))

    assert before.items() <= after_it.items()


def test_every_resource_is_registered_as_it_was() -> None:
    """Outputs, inputs and dependencies."""
    before, after_it = (record(builds.plugins(*pools)) for pools in (("plain", "efa"), ("plain", "efa", "team", "new")))

    assert before.resources == after_it.resources

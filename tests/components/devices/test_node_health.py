import json

import pytest

from components.devices.node_health import NodeHealthArgs
from gpufleet.facts import node_agent
from tests.components.devices import builds
from tests.harness import record

ADDON = "aws:eks/addon:Addon"


def test_the_agent_is_the_addon_in_the_version_that_is_pinned() -> None:
    inputs = record(builds.health()).one(ADDON).inputs

    assert (inputs["addonName"], inputs["addonVersion"], inputs["clusterName"]) == (
        "eks-node-monitoring-agent",
        "v1.7.0-eksbuild.1",
        "demo",
    )


def test_what_asks_the_gpus_tolerates_their_taint() -> None:
    inputs = record(builds.health()).one(ADDON).inputs

    assert json.loads(inputs["configurationValues"]) == {"dcgmAgent": {"tolerations": [{"operator": "Exists"}]}}


@pytest.mark.parametrize("version", ["v1.6.3-eksbuild.1", "v1.5.0"])
def test_an_agent_by_which_a_programs_own_fault_costs_the_node_is_refused(version: str) -> None:
    with pytest.raises(ValueError, match=r"is too old; allowed are v1\.6\.4 and newer: from here on XID 13, 31"):
        NodeHealthArgs(cluster_name="demo", addon_version=version)


def test_a_version_is_written_as_eks_writes_it() -> None:
    with pytest.raises(ValueError, match="'newest' is no version; write v1.7.0-eksbuild.1"):
        NodeHealthArgs(cluster_name="demo", addon_version="newest")
    assert NodeHealthArgs(cluster_name="demo", addon_version="v1.6.4").addon_version == "v1.6.4"


def test_the_pin_is_new_enough_by_our_own_measure() -> None:
    assert node_agent.version_key(node_agent.VERSION) >= node_agent.version_key(node_agent.LEAST_VERSION)

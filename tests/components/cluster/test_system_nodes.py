from typing import Any

import pytest

from components import ClusterDns, ClusterDnsArgs, SystemNodes, SystemNodesArgs
from tests.components import builds
from tests.harness import record

GROUP, TEMPLATE = "aws:eks/nodeGroup:NodeGroup", "aws:ec2/launchTemplate:LaunchTemplate"


def test_system_nodes_are_on_demand_general_purpose_and_untainted() -> None:
    recorded = record(builds.system_nodes())

    assert recorded.one(GROUP).inputs == {
        "clusterName": "demo",
        "version": "1.35",
        "nodeRoleArn": f"arn:aws:iam::{builds.ACCOUNT}:role/node",
        "subnetIds": ["subnet-a", "subnet-b"],
        "amiType": "AL2023_x86_64_STANDARD",
        "capacityType": "ON_DEMAND",
        "instanceTypes": ["m7i.xlarge"],
        "launchTemplate": {"id": recorded.one(TEMPLATE).id, "version": "1"},
        "scalingConfig": {"desiredSize": 2, "minSize": 2, "maxSize": 4},
        "updateConfig": {"maxUnavailable": 1},
        "nodeRepairConfig": {"enabled": True},
        "labels": {"gpufleet.io/pool": "system"},
        "tags": {"Name": "system"},
    }


def test_graviton_nodes_get_the_arm_image() -> None:
    assert (
        record(builds.system_nodes(instance_types=["m7g.large"])).one(GROUP).inputs["amiType"]
        == "AL2023_ARM_64_STANDARD"
    )


def test_their_root_volume_is_encrypted_and_there_is_nothing_to_tell_nodeadm() -> None:
    template = record(builds.system_nodes()).one(TEMPLATE).inputs

    (device,) = template["blockDeviceMappings"]
    assert device["ebs"]["volumeSize"] == 80
    assert device["ebs"]["kmsKeyId"] == builds.KEY
    assert "userData" not in template


def test_dns_comes_after_the_nodes_that_run_it() -> None:
    def build() -> None:
        nodes = SystemNodes("system", SystemNodesArgs(**builds.NODES))
        ClusterDns("dns", ClusterDnsArgs(cluster_name=nodes.cluster_name))

    recorded = record(build)

    dns = recorded.one("aws:eks/addon:Addon")
    assert dns.inputs == {
        "clusterName": "demo",
        "addonName": "coredns",
        "resolveConflictsOnCreate": "OVERWRITE",
        "resolveConflictsOnUpdate": "OVERWRITE",
    }
    assert dns.dependencies == (recorded.one(GROUP).urn,)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"instance_types": ["g6.xlarge"]}, "g6.xlarge bring accelerators"),
        (
            {"instance_types": ["m7i.xlarge", "m7g.xlarge"]},
            r"m7i.xlarge \(x86_64\), m7g.xlarge \(arm64\) need different",
        ),
        ({"instance_types": ["m7i.xlrge"]}, "unknown EC2 instance type 'm7i.xlrge': did you mean m7i.xlarge"),
        ({"min_nodes": 0}, "min_nodes: 0 leaves the cluster without DNS"),
        ({"min_nodes": 5}, r"min_nodes: 5 must be between 0 and max_nodes \(4\)"),
        ({"volume_gib": 8}, "volume_gib: 8 is too small; allowed are 20 and more"),
    ],
)
def test_a_mistake_is_answered_with_the_value_and_the_fix(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        SystemNodesArgs(**(builds.NODES | changes))

import base64
import re
from typing import Any

import pytest

from components import GpuPool
from components.compute.user_data import NodeSettings, node_config
from tests.components import builds
from tests.harness import record

GROUP, TEMPLATE = "aws:eks/nodeGroup:NodeGroup", "aws:ec2/launchTemplate:LaunchTemplate"
BLOCK: dict[str, Any] = {
    "instance_types": ["p5.48xlarge"],
    "purchase": "capacity-block",
    "zones": ["us-east-1a"],
    "reservation_id": "cr-0123456789abcdef0",
    "reservation_zone": "us-east-1a",
    "reservation_count": 4,
    "reservation_starts": "2027-01-10T11:30:00Z",
    "reservation_ends": "2027-01-24T11:30:00Z",
}
TAGS = {"team": "vision", "env": "dev", "cost-center": "4410"}


def test_a_pool_is_a_tainted_repaired_node_group_with_a_ceiling() -> None:
    recorded = record(builds.pool(min_nodes=1, labels={"use": "training"}))

    assert recorded.one(GROUP).inputs == {
        "clusterName": "demo",
        "version": "1.35",
        "nodeRoleArn": f"arn:aws:iam::{builds.ACCOUNT}:role/node",
        "subnetIds": ["subnet-a", "subnet-b"],
        "amiType": "AL2023_x86_64_NVIDIA",
        "capacityType": "ON_DEMAND",
        "instanceTypes": ["g6.xlarge"],
        "launchTemplate": {"id": recorded.one(TEMPLATE).id, "version": "1"},
        "scalingConfig": {"desiredSize": 1, "minSize": 1, "maxSize": 4},
        "updateConfig": {"maxUnavailable": 1},
        "nodeRepairConfig": {"enabled": True},
        "labels": {"gpufleet.io/devices": "nvidia", "gpufleet.io/pool": "train", "use": "training"},
        "taints": [{"key": "nvidia.com/gpu", "value": "present", "effect": "NO_SCHEDULE"}],
        "tags": {"Name": "pool"},
    }


def test_faults_of_the_program_cost_nobody_the_node_where_repair_is_lenient() -> None:
    repair = record(builds.pool(repair="lenient")).one(GROUP).inputs["nodeRepairConfig"]

    assert repair["nodeRepairConfigOverrides"] == [
        {
            "minRepairWaitTimeMins": 10,
            "nodeMonitoringCondition": "AcceleratedHardwareReady",
            "nodeUnhealthyReason": f"NvidiaXID{code}Error",
            "repairAction": "NoAction",
        }
        for code in (13, 31)
    ]


def test_what_a_scaler_set_is_left_alone() -> None:
    options = record(builds.pool()).one(GROUP).options

    assert options["ignoreChanges"] == ["scalingConfig.desiredSize"]


def test_the_template_says_all_that_ec2_must_know_and_nothing_that_eks_decides() -> None:
    template = record(builds.pool(tags=TAGS)).one(TEMPLATE).inputs

    assert set(template) == {
        "blockDeviceMappings",
        "metadataOptions",
        "tagSpecifications",
        "updateDefaultVersion",
        "userData",
        "vpcSecurityGroupIds",
    }
    assert template["vpcSecurityGroupIds"] == ["sg-nodes"]


def test_the_root_volume_is_on_the_images_root_device_encrypted_and_large_enough() -> None:
    template = record(builds.pool(volume_gib=500)).one(TEMPLATE).inputs

    assert template["blockDeviceMappings"] == [
        {
            "deviceName": "/dev/xvda",
            "ebs": {
                "volumeType": "gp3",
                "volumeSize": 500,
                "encrypted": "true",
                "kmsKeyId": builds.KEY,
                "deleteOnTermination": "true",
            },
        }
    ]


def test_pods_cannot_take_the_nodes_credentials() -> None:
    assert record(builds.pool()).one(TEMPLATE).inputs["metadataOptions"] == {
        "httpEndpoint": "enabled",
        "httpTokens": "required",
        "httpPutResponseHopLimit": 1,
    }


def test_cost_tags_reach_instances_volumes_and_interfaces() -> None:
    recorded = record(builds.pool(tags=TAGS))

    specifications = recorded.one(TEMPLATE).inputs["tagSpecifications"]
    assert {s["resourceType"]: s["tags"] for s in specifications} == {
        kind: {"Name": "pool", **TAGS} for kind in ("instance", "volume", "network-interface")
    }
    assert recorded.one(GROUP).inputs["tags"] == {"Name": "pool", **TAGS}


def test_local_nvme_is_striped_where_the_type_has_it() -> None:
    striped = record(builds.pool(instance_types=["p5.48xlarge"])).one(TEMPLATE).inputs["userData"]

    assert base64.b64decode(striped).decode() == node_config(NodeSettings(local_storage=True))
    assert "userData" not in record(builds.pool(instance_types=["g5g.xlarge"])).one(TEMPLATE).inputs


@pytest.mark.parametrize(
    ("purchase", "types", "capacity"),
    [
        ("spot", ["g6.12xlarge", "g5.12xlarge"], "SPOT"),
        ("spot", ["g6.xlarge"], "SPOT"),
        ("on-demand", ["g6.xlarge"], "ON_DEMAND"),
    ],
)
def test_how_a_pool_is_bought_is_the_groups_to_say(purchase: str, types: list[str], capacity: str) -> None:
    recorded = record(builds.pool(purchase=purchase, instance_types=types))

    assert recorded.one(GROUP).inputs["capacityType"] == capacity
    assert recorded.one(GROUP).inputs["instanceTypes"] == types
    assert "instanceMarketOptions" not in recorded.one(TEMPLATE).inputs
    assert "instanceType" not in recorded.one(TEMPLATE).inputs


def test_physical_names_are_left_to_the_engine() -> None:
    recorded = record(builds.pool())

    assert "nodeGroupName" not in recorded.one(GROUP).inputs
    assert "name" not in recorded.one(TEMPLATE).inputs


def test_a_name_that_leaves_no_room_for_the_engines_suffix_is_refused() -> None:
    with pytest.raises(ValueError, match="has 56 characters; a node group may have 55, so shorten it"):
        record(lambda: GpuPool("p" * 56, builds.pool_args()))


def test_a_plain_mapping_with_float_numbers_makes_the_same_pool() -> None:
    given: dict[str, Any] = {**builds.POOL, "max_nodes": 4.0}

    recorded = record(lambda: GpuPool("pool", given))  # pyright: ignore[reportArgumentType] -- as other languages call it

    assert recorded.run == record(builds.pool()).run


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"pool_name": "Train"}, "name: 'Train': it becomes a label and part of resources' names"),
        ({"max_nodes": 0}, "nodes.max: 0: a pool without a ceiling is never closed; to close one, remove it"),
        ({"min_nodes": 5}, "nodes.min: 5: the floor lies below the ceiling; allowed: 0 to 4"),
        ({"volume_gib": 100}, "volume_gib: 100: "),
        ({"purchase": "cheap"}, "purchase: 'cheap': no such choice; allowed: on-demand, spot, reservation"),
        ({"instance_types": ["m6i.large"]}, "m6i.large"),
        ({"checkpoint_gib": 10.0}, "checkpoint_gib, checkpoint_path, checkpoint_every_minutes: give all three"),
        (
            {**BLOCK, "reservation_ends": "tomorrow"},
            "reservation_ends: 'tomorrow' is no time; write it in ISO 8601 with its zone",
        ),
        ({"image_id": "ami-0123456789abcdef0"}, "image_id: needs cluster_endpoint, cluster_certificate_authority"),
    ],
)
def test_a_mistake_is_answered_with_the_value_and_the_fix(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        builds.pool_args(**changes)


def test_efa_without_a_group_that_admits_itself_is_refused() -> None:
    without = {"instance_types": ["p5.48xlarge"], "zones": ["us-east-1a"], "efa": True, "efa_security_group_id": None}

    with pytest.raises(ValueError, match="efa_security_group_id: pool train has EFA, which works only in a group"):
        record(builds.pool(**without))

from dataclasses import replace
from typing import Any

import pytest

from components.compute.design.shapes import Interface
from components.scheduling import node_class
from gpufleet.facts import instances
from tests.components import builds as common
from tests.components.scheduling import builds
from tests.components.scheduling.designs import around, design


def spec(changes: dict[str, Any] | None = None, **surroundings: Any) -> node_class.NodeClassSpec:
    return node_class.spec(design(**(changes or {})), around(**surroundings))


def test_a_plain_pool_has_this_node_class_and_nothing_else() -> None:
    assert spec() == {
        "amiFamily": "AL2023",
        "amiSelectorTerms": [{"alias": "al2023@latest"}],
        "role": "karpenter-nodes",
        "subnetSelectorTerms": [{"id": "subnet-a"}, {"id": "subnet-b"}],
        "securityGroupSelectorTerms": [{"id": "sg-nodes"}],
        "blockDeviceMappings": [
            {
                "deviceName": "/dev/xvda",
                "rootVolume": True,
                "ebs": {
                    "volumeType": "gp3",
                    "volumeSize": "200Gi",
                    "encrypted": True,
                    "kmsKeyID": common.KEY,
                    "deleteOnTermination": True,
                },
            }
        ],
        "instanceStorePolicy": "RAID0",
        "metadataOptions": {
            "httpEndpoint": "enabled",
            "httpProtocolIPv6": "disabled",
            "httpPutResponseHopLimit": 1,
            "httpTokens": "required",
        },
        "detailedMonitoring": False,
        "tags": {"team": "vision"},
    }


def test_without_a_way_to_iam_the_class_names_a_profile_and_no_role() -> None:
    closed = spec(role_name=None, instance_profile="nodes")

    assert closed.get("instanceProfile") == "nodes"
    assert "role" not in closed


def test_nvme_is_striped_and_told_to_karpenter_where_every_type_has_it_and_only_there() -> None:
    assert spec({"instance_types": ["p4d.24xlarge"], "efa": False}).get("instanceStorePolicy") == "RAID0"
    assert "instanceStorePolicy" not in spec({"instance_types": ["inf2.xlarge"]})


def test_tags_of_cost_reach_instances_and_volumes_by_the_class() -> None:
    tags = {"team": "vision", "env": "dev", "cost-center": "4410"}

    assert spec(tags=tags)["tags"] == tags


def test_an_image_is_taken_by_its_id_or_by_its_release_or_the_newest() -> None:
    assert spec({"image_id": "ami-1"})["amiSelectorTerms"] == [{"id": "ami-1"}]
    assert spec({"image_release": "1.35.2-20260724"})["amiSelectorTerms"] == [{"alias": "al2023@v20260724"}]
    assert spec({"image": "bottlerocket"})["amiSelectorTerms"] == [{"alias": "bottlerocket@latest"}]


def test_an_image_that_is_neither_is_an_error() -> None:
    nameless = replace(design(), image=replace(design().image, ami_id=None, karpenter_alias=None))

    with pytest.raises(ValueError, match="names neither an id nor an alias"):
        node_class.spec(nameless, around())


def test_bottlerocket_keeps_its_system_on_a_small_volume_under_the_same_key() -> None:
    system, data = spec({"image": "bottlerocket"})["blockDeviceMappings"]

    assert (system["deviceName"], system["ebs"]["volumeSize"], system.get("rootVolume")) == ("/dev/xvda", "4Gi", None)
    assert (data["deviceName"], data["ebs"]["volumeSize"], data.get("rootVolume")) == ("/dev/xvdb", "200Gi", True)
    assert {volume["ebs"]["kmsKeyID"] for volume in (system, data)} == {common.KEY}


def test_efa_interfaces_are_those_of_the_design() -> None:
    interfaces = spec(builds.POOLS["efa"]).get("networkInterfaces", [])

    assert interfaces[:3] == [
        {"networkCardIndex": 0, "deviceIndex": 0, "interfaceType": "interface"},
        {"networkCardIndex": 0, "deviceIndex": 1, "interfaceType": "efa-only"},
        {"networkCardIndex": 1, "deviceIndex": 0, "interfaceType": "efa-only"},
    ]
    assert sum(one["interfaceType"] == "efa-only" for one in interfaces) == 32


def test_a_card_without_efa_gets_no_efa_interface() -> None:
    layout = (Interface(card=0, device=0, kind="interface"), Interface(card=1, device=0, kind="efa-only"))

    interfaces = node_class.spec(replace(design(), interfaces=layout), around()).get("networkInterfaces")

    assert interfaces == [
        {"networkCardIndex": 0, "deviceIndex": 0, "interfaceType": "interface"},
        {"networkCardIndex": 1, "deviceIndex": 0, "interfaceType": "efa-only"},
    ]


def test_a_pool_without_efa_of_types_that_could_have_it_offers_none_to_pods_that_ask() -> None:
    assert instances.get("p4d.24xlarge").efa_interfaces == 4

    assert spec({"instance_types": ["p4d.24xlarge"], "efa": False}).get("networkInterfaces") == [
        {"networkCardIndex": 0, "deviceIndex": 0, "interfaceType": "interface"}
    ]


def test_reserved_nodes_run_in_the_one_reservation_that_is_named() -> None:
    assert spec(reservation_id="cr-1").get("capacityReservationSelectorTerms") == [{"id": "cr-1"}]


def test_nodes_of_a_placement_group_are_put_into_it_by_its_name() -> None:
    assert spec(placement_group="train").get("placementGroupSelector") == {"name": "train"}


def test_the_kubelet_is_told_only_what_there_is_a_reason_for() -> None:
    bounded = replace(design(), kubelet={"maxPods": 51})

    assert node_class.spec(bounded, around()).get("kubelet") == {"maxPods": 51}

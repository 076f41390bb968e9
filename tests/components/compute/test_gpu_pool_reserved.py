"""Pools whose nodes hang on more than their type: EFA, placement, reservations, blocks, tenancy, images."""

import base64
import tomllib
from typing import Any

import pytest

from gpufleet.facts import instances
from tests.components import builds
from tests.harness import Recorded, record

GROUP, TEMPLATE = "aws:eks/nodeGroup:NodeGroup", "aws:ec2/launchTemplate:LaunchTemplate"
PLACEMENT, SCHEDULE = "aws:ec2/placementGroup:PlacementGroup", "aws:autoscaling/schedule:Schedule"
RESERVATION = "aws:ec2/capacityReservation:CapacityReservation"
PURCHASE = "aws:ec2/capacityBlockReservation:CapacityBlockReservation"
ONE_ZONE: dict[str, Any] = {"zones": ["us-east-1a"]}
HELD: dict[str, Any] = {
    **ONE_ZONE,
    "reservation_id": "cr-0123456789abcdef0",
    "reservation_zone": "us-east-1a",
    "reservation_count": 4,
}
BLOCK: dict[str, Any] = {
    **HELD,
    "instance_types": ["p5.48xlarge"],
    "purchase": "capacity-block",
    "reservation_starts": "2027-01-10T11:30:00Z",
    "reservation_ends": "2027-01-24T11:30:00Z",
}


def template(recorded: Recorded) -> dict[str, Any]:
    return dict(recorded.one(TEMPLATE).inputs)


@pytest.mark.parametrize(
    ("name", "efa"), [("p4d.24xlarge", 4), ("p5en.48xlarge", 16), ("p5.48xlarge", 32), ("p6-b300.48xlarge", 16)]
)
def test_efa_interfaces_lie_on_the_cards_that_carry_efa_each_with_both_groups(name: str, efa: int) -> None:
    inputs = template(record(builds.pool(instance_types=[name], efa=True, **ONE_ZONE)))

    found = inputs["networkInterfaces"]
    places = [(one["networkCardIndex"], one["deviceIndex"]) for one in found]
    assert "vpcSecurityGroupIds" not in inputs
    assert places[0] == (0, 0)
    assert found[0]["interfaceType"] == "interface"
    assert len(set(places)) == len(places) == efa + 1
    assert {device for _, device in places} <= {0, 1}
    assert [one["networkCardIndex"] for one in found[1:]] == list(instances.get(name).efa_card_indices)
    assert {one["interfaceType"] for one in found[1:]} == {"efa-only"}
    for one in found:
        assert one["securityGroups"] == ["sg-nodes", "sg-efa"]
        assert one["deleteOnTermination"] == "true"
        assert not {"subnetId", "associatePublicIpAddress"} & one.keys()


def test_an_efa_pool_lies_in_one_zone_and_in_a_placement_group_of_its_own() -> None:
    recorded = record(builds.pool(instance_types=["p5.48xlarge"], efa=True, **ONE_ZONE))

    group = recorded.one(PLACEMENT)
    assert group.inputs["strategy"] == "cluster"
    assert template(recorded)["placement"] == {"groupName": group.id}
    assert recorded.one(GROUP).inputs["subnetIds"] == ["subnet-a"]


def test_efa_over_several_zones_is_refused_with_the_zone_to_name() -> None:
    with pytest.raises(ValueError, match="zones: .*allowed: exactly one zone with EFA; nearest: zones: .us-east-1a."):
        builds.pool_args(instance_types=["p5.48xlarge"], efa=True)


def test_a_type_without_efa_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="efa: True: .*g5.xlarge"):
        builds.pool_args(instance_types=["g5.xlarge"], efa=True, **ONE_ZONE)


def test_an_existing_reservation_is_the_templates_and_no_placement_group_is_forced_on_it() -> None:
    recorded = record(builds.pool(instance_types=["p5.48xlarge"], purchase="reservation", updates="minimal", **HELD))

    inputs = template(recorded)
    assert inputs["capacityReservationSpecification"] == {
        "capacityReservationTarget": {"capacityReservationId": "cr-0123456789abcdef0"}
    }
    assert "placement" not in inputs
    assert "instanceMarketOptions" not in inputs
    group = recorded.one(GROUP).inputs
    assert (group["capacityType"], group["instanceTypes"]) == ("ON_DEMAND", ["p5.48xlarge"])
    assert group["updateConfig"] == {"maxUnavailable": 1, "updateStrategy": "MINIMAL"}
    assert not recorded.all(PLACEMENT) + recorded.all(RESERVATION)


def test_a_reservation_of_its_own_is_targeted_and_ends() -> None:
    recorded = record(
        builds.pool(
            instance_types=["g6e.12xlarge"],
            purchase="reservation",
            reservation_create=True,
            reservation_zone="us-east-1a",
            reservation_count=4,
            reservation_ends="2027-01-31T18:00:00Z",
            **ONE_ZONE,
        )
    )

    made = recorded.one(RESERVATION)
    assert {key: value for key, value in made.inputs.items() if key != "tags"} == {
        "instanceType": "g6e.12xlarge",
        "instancePlatform": "Linux/UNIX",
        "instanceCount": 4,
        "availabilityZone": "us-east-1a",
        "tenancy": "default",
        "instanceMatchCriteria": "targeted",
        "endDateType": "limited",
        "endDate": "2027-01-31T18:00:00Z",
    }
    held = template(recorded)["capacityReservationSpecification"]["capacityReservationTarget"]
    assert held == {"capacityReservationId": made.id}


def test_a_capacity_block_names_type_and_market_in_the_template_and_begins_without_nodes() -> None:
    recorded = record(builds.pool(**BLOCK))

    inputs, group = template(recorded), recorded.one(GROUP).inputs
    assert inputs["instanceType"] == "p5.48xlarge"
    assert inputs["instanceMarketOptions"] == {"marketType": "capacity-block"}
    assert group["capacityType"] == "CAPACITY_BLOCK"
    assert "instanceTypes" not in group
    assert group["scalingConfig"] == {"desiredSize": 0, "minSize": 0, "maxSize": 4}
    assert group["subnetIds"] == ["subnet-a"]


def test_a_blocks_nodes_come_when_it_begins_and_are_gone_before_it_ends() -> None:
    recorded = record(builds.pool(**BLOCK))

    (name,) = {str(one.inputs["autoscalingGroupName"]) for one in recorded.all(SCHEDULE)}
    assert name == recorded.one(GROUP).outputs["resources"][0]["autoscalingGroups"][0]["name"]
    found = {one.inputs["scheduledActionName"]: one.inputs for one in recorded.all(SCHEDULE)}
    sizes = {what: (one["desiredCapacity"], one["minSize"], one["maxSize"]) for what, one in found.items()}
    assert sizes == {"pool-begins": (4, -1, -1), "pool-drains": (0, 0, -1)}
    assert found["pool-begins"]["startTime"] == "2027-01-10T11:30:00Z"
    assert found["pool-drains"]["startTime"] == "2027-01-24T10:50:00Z"


def test_a_block_is_bought_only_by_who_knows_that_it_is_never_refunded_and_never_deleted() -> None:
    bought = {**BLOCK, "reservation_id": None, "block_offering_id": "cb-0123456789abcdef0"}
    with pytest.raises(ValueError, match="acknowledge"):
        builds.pool_args(**bought)

    recorded = record(builds.pool(**bought, block_acknowledged=True))

    block = recorded.one(PURCHASE)
    assert block.inputs["capacityBlockOfferingId"] == "cb-0123456789abcdef0"
    assert (block.protect, block.options["retainOnDelete"]) == (True, True)
    held = template(recorded)["capacityReservationSpecification"]["capacityReservationTarget"]
    assert held == {"capacityReservationId": block.id}


def test_dedicated_hardware_is_the_templates_to_ask_for() -> None:
    assert template(record(builds.pool(dedicated=True)))["placement"] == {"tenancy": "dedicated"}


def test_bottlerocket_keeps_pods_data_on_a_volume_of_its_own_and_both_are_encrypted() -> None:
    recorded = record(builds.pool(image="bottlerocket", instance_types=["g6e.12xlarge"]))

    inputs = template(recorded)
    devices = {one["deviceName"]: one["ebs"] for one in inputs["blockDeviceMappings"]}
    assert sorted(devices) == ["/dev/xvda", "/dev/xvdb"]
    assert {one["kmsKeyId"] for one in devices.values()} == {builds.KEY}
    assert devices["/dev/xvdb"]["volumeSize"] == 200
    assert "volumeSize" not in devices["/dev/xvda"]
    assert recorded.one(GROUP).inputs["amiType"] == "BOTTLEROCKET_x86_64_NVIDIA"
    assert "bootstrap-commands" in tomllib.loads(base64.b64decode(inputs["userData"]).decode())["settings"]


def test_a_pinned_release_is_the_groups_and_a_pinned_id_the_templates() -> None:
    released = record(builds.pool(image_release="1.35.2-20260724", protected=True)).one(GROUP).inputs
    assert (released["amiType"], released["releaseVersion"]) == ("AL2023_x86_64_NVIDIA", "1.35.2-20260724")

    own = record(
        builds.pool(
            image_id="ami-0123456789abcdef0",
            cluster_endpoint="https://demo.eks",
            cluster_certificate_authority="Q0E9PQ==",
            cluster_service_cidr="172.20.0.0/16",
        )
    )
    assert template(own)["imageId"] == "ami-0123456789abcdef0"
    assert not {"amiType", "version", "releaseVersion"} & own.one(GROUP).inputs.keys()
    said = base64.b64decode(template(own)["userData"]).decode()
    assert '"apiServerEndpoint": "https://demo.eks"' in said
    assert '"cidr": "172.20.0.0/16"' in said


def test_the_design_with_its_reasons_is_the_components_output() -> None:
    (pool,) = record(builds.pool()).all("gpufleet:index:GpuPool")

    assert pool.outputs["design"]["pool"] == "train"
    assert {"about", "choice", "because"} == set(pool.outputs["design"]["decisions"][0])

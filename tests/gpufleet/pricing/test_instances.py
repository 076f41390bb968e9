"""What runs instances: floors, ceilings and ways of buying, with the sums written out."""

from decimal import Decimal
from typing import Any

import pytest

from tests.gpufleet.pricing.plans import (
    GROUP,
    INSTANCE,
    NODE_GROUP,
    bill,
    hourly,
    pool,
    reasons,
    resource,
    template,
)

GP3 = 0.08 / 730  # USD per GiB and hour


def test_a_pool_costs_its_cheapest_type_at_the_floor_and_its_dearest_at_the_ceiling() -> None:
    cost = bill(pool("train", ["g6.4xlarge", "g6.2xlarge"], 1, 4), template())
    nodes, volumes = cost.lines
    assert (nodes.what, nodes.purchase, nodes.unit) == ("g6.4xlarge | g6.2xlarge", "on-demand", "hour")
    assert (nodes.quantity_minimum, nodes.quantity_maximum, nodes.unit_usd) == (1, 4, Decimal("1.3232"))
    assert (nodes.minimum_usd, nodes.maximum_usd) == (Decimal("0.9776"), Decimal("5.2928"))
    assert (volumes.what, volumes.unit) == ("volume /dev/xvda, gp3", "gib-month")
    assert (volumes.minimum_usd, volumes.maximum_usd) == (Decimal("16.00"), Decimal("64.00"))
    assert hourly(cost) == pytest.approx((0.9776 + 200 * GP3, 5.2928 + 800 * GP3))
    assert (cost.monthly_minimum, cost.monthly_maximum) == (
        Decimal("0.9776") * 730 + 16,
        Decimal("5.2928") * 730 + 64,
    )
    assert cost.unpriced == ()


def test_a_spot_pool_may_cost_a_tenth_and_never_more_than_on_demand() -> None:
    line = bill(pool("dev", ["g6.2xlarge"], 2, 4, capacityType="SPOT"), template()).lines[0]
    assert (line.minimum_usd, line.maximum_usd) == (Decimal("0.19552"), Decimal("3.9104"))
    assert line.purchase == "spot"
    assert "floor at 10% of on-demand" in line.note


def test_a_capacity_block_is_shown_at_the_on_demand_rate_and_noted_as_prepaid() -> None:
    block = pool("train", [], 0, 4, capacityType="CAPACITY_BLOCK")
    line = bill(block, template(instanceType="p5.48xlarge")).lines[0]
    assert (line.what, line.minimum_usd, line.maximum_usd) == ("p5.48xlarge", 0, Decimal("220.16"))
    assert line.purchase == "capacity-block"
    assert "paid in advance" in line.note


def test_the_launch_template_names_the_type_where_the_pool_names_none() -> None:
    line = bill(pool("train", [], 1, 1), template(instanceType="g6.xlarge")).lines[0]
    assert (line.what, line.maximum_usd) == ("g6.xlarge", Decimal("0.8048"))


def test_a_pool_with_neither_types_nor_template_is_what_eks_makes_of_it() -> None:
    cost = bill(resource(NODE_GROUP, "system", {"scalingConfig": {"minSize": 2, "maxSize": 2}}))
    assert [(line.what, line.maximum_usd) for line in cost.lines] == [
        ("t3.medium", Decimal("0.0832")),
        ("root volume, gp3", Decimal("3.20")),
    ]


def test_a_pool_of_dedicated_tenancy_is_priced_as_shared_and_says_so() -> None:
    line = bill(pool("alone", ["g5.12xlarge"], 0, 2), template(placement={"tenancy": "dedicated"})).lines[0]
    assert line.maximum_usd == Decimal("11.344")
    assert line.note == "tenancy dedicated: dearer than this price of shared tenancy, and 2 USD an hour more"


def test_a_template_that_is_not_in_the_plan_leaves_the_instances_priced() -> None:
    cost = bill(pool("train", ["g6.2xlarge"], 1, 1))
    assert [line.what for line in cost.lines] == ["g6.2xlarge"]
    assert reasons(cost) == ["launchTemplate names a launch template that is not in this plan"]


@pytest.mark.parametrize("name", ["p5e.48xlarge", "p6e-gb200.36xlarge", "trn2.48xlarge"])
def test_a_type_without_a_list_price_is_listed_and_never_zero(name: str) -> None:
    cost = bill(pool("train", [name], 1, 4), template(gib=0))
    assert name not in [line.what for line in cost.lines]
    assert reasons(cost) == [f"no on-demand list price is known for {name} (prices of 2026-07-20)"]


def test_a_fractional_type_has_its_own_price() -> None:
    line = bill(pool("dev", ["g6f.large"], 1, 1), template()).lines[0]
    assert line.maximum_usd == Decimal("0.202")


def test_an_unknown_type_is_listed_with_the_nearest_names_and_the_others_are_priced() -> None:
    cost = bill(pool("dev", ["g6.2xlarge", "g6.3xlrge"], 0, 2), template())
    assert cost.lines[0].maximum_usd == Decimal("1.9552")
    assert cost.lines[0].note == "without g6.3xlrge: no price"
    assert reasons(cost)[0].startswith("unknown EC2 instance type 'g6.3xlrge': did you mean ")


def test_windows_nodes_are_not_priced_as_linux() -> None:
    cost = bill(pool("desk", ["g6.2xlarge"], 1, 1, amiType="WINDOWS_CORE_2022_x86_64"), template())
    assert (cost.lines, reasons(cost)) == ((), ["Windows nodes: the known prices are those of Linux"])


def test_a_group_whose_floor_is_above_its_ceiling_is_listed() -> None:
    cost = bill(pool("dev", ["g6.2xlarge"], 3, 2), template())
    assert reasons(cost) == ["scalingConfig.minSize 3 is above scalingConfig.maxSize 2"]


def test_a_scaling_group_buys_what_its_template_says() -> None:
    group = resource(GROUP, "workers", {"minSize": 1, "maxSize": 3, "launchTemplate": {"name": "workers-lt"}})
    spot = template(name="lt", instanceType="g5.xlarge", instanceMarketOptions={"marketType": "spot"})
    spot["outputs"] = {"name": "workers-lt"}
    line = bill(group, spot).lines[0]
    assert (line.purchase, line.minimum_usd, line.maximum_usd) == ("spot", Decimal("0.1006"), Decimal("3.018"))


def test_a_mixed_scaling_group_keeps_its_on_demand_part_in_the_floor() -> None:
    policy = {
        "launchTemplate": {
            "launchTemplateSpecification": {"launchTemplateId": "lt-id"},
            "overrides": [{"instanceType": "g6.2xlarge"}, {"instanceType": "g6.xlarge"}],
        },
        "instancesDistribution": {"onDemandBaseCapacity": 1, "onDemandPercentageAboveBaseCapacity": 50},
    }
    group = resource(GROUP, "workers", {"minSize": 4, "maxSize": 10, "mixedInstancesPolicy": policy})
    line = bill(group, template()).lines[0]
    # On demand: the base of 1 and half of the other 3, rounded up to 2; spot: 1 at a tenth.
    assert line.minimum_usd == Decimal("3.1") * Decimal("0.8048")
    assert (line.purchase, line.maximum_usd) == ("spot", Decimal("9.776"))


def test_weights_in_a_mixed_scaling_group_are_not_guessed() -> None:
    specification = {"launchTemplateSpecification": {"launchTemplateId": "lt-id"}}
    overrides = [{"instanceType": "g6.2xlarge", "weightedCapacity": "2"}]
    policy = {"launchTemplate": {**specification, "overrides": overrides}}
    group = resource(GROUP, "workers", {"minSize": 4, "maxSize": 10, "mixedInstancesPolicy": policy})
    assert reasons(bill(group, template())) == [
        "weightedCapacity makes the number of instances depend on the types that are found"
    ]


def test_a_single_instance_comes_with_its_volumes_and_its_public_address() -> None:
    inputs = {
        "instanceType": "m7i.xlarge",
        "associatePublicIpAddress": True,
        "rootBlockDevice": {"volumeSize": 100, "volumeType": "gp3"},
        "ebsBlockDevices": [{"deviceName": "/dev/sdf", "volumeSize": 50}],
    }
    cost = bill(resource(INSTANCE, "bastion", inputs))
    assert sorted((line.what, line.maximum_usd) for line in cost.lines) == [
        ("m7i.xlarge", Decimal("0.2016")),
        ("public IPv4 address", Decimal("0.005")),
        ("root volume, gp3", Decimal("8.00")),
        ("volume /dev/sdf, gp2", Decimal("5.0")),
    ]


def test_an_instance_of_dedicated_tenancy_is_listed() -> None:
    cost = bill(resource(INSTANCE, "alone", {"instanceType": "m7i.xlarge", "tenancy": "dedicated"}))
    assert reasons(cost) == ["tenancy 'dedicated': the known prices are those of shared tenancy"]


def test_a_spot_request_is_a_spot_instance() -> None:
    cost = bill(resource("aws:ec2/spotInstanceRequest:SpotInstanceRequest", "one", {"instanceType": "g6.xlarge"}))
    assert (cost.lines[0].minimum_usd, cost.lines[0].maximum_usd) == (Decimal("0.08048"), Decimal("0.8048"))
    assert reasons(cost) == ["root volume: its size is the image's own and not in the plan"]


def test_a_capacity_reservation_is_billed_in_full_used_or_not() -> None:
    inputs = {"instanceType": "g6.12xlarge", "instanceCount": 3, "instancePlatform": "Linux/UNIX"}
    line = bill(resource("aws:ec2/capacityReservation:CapacityReservation", "odcr", inputs)).lines[0]
    assert (line.minimum_usd, line.maximum_usd) == (Decimal("13.8048"), Decimal("13.8048"))
    assert (line.purchase, "billed used or not" in line.note) == ("reservation", True)


@pytest.mark.parametrize(
    ("types", "minimum", "maximum"),
    [
        (["04da6b54-80e4-46f7-96ec-b56ff0331ba9"], 1, 1),
        ([{"a": 1}], 1, 1),
        ("g6.xlarge", 1, 1),
        (["g6.xlarge"], "04da6b54-80e4-46f7-96ec-b56ff0331ba9", 1),
        (["g6.xlarge"], 1, True),
        (["g6.xlarge"], 1, float("nan")),
        (["g6.xlarge"], -1, 1),
        (["g6.xlarge"], None, 1),
    ],
)
def test_values_that_are_unknown_or_of_an_odd_type_are_listed_and_never_crash(
    types: Any, minimum: Any, maximum: Any
) -> None:
    cost = bill(pool("odd", types, minimum, maximum))
    assert cost.lines == ()
    assert len(cost.unpriced) >= 1


def test_a_secret_value_is_read_through_its_wrapping() -> None:
    secret = {"4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", "value": 3}
    assert bill(pool("dev", ["g6.xlarge"], 0, secret), template()).lines[0].quantity_maximum == 3

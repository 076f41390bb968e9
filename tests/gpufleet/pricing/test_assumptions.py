"""What is expected between floor and ceiling, and what only people can tell: traffic and storage."""

from decimal import Decimal

import pytest

from gpufleet.pricing import Assumptions, price
from gpufleet.pricing.assumptions import Stated, utilisation_of
from tests.gpufleet.pricing.plans import NAT, TEMPLATE, TODAY, bill, pool, provider, reasons, resource, template

RESERVATION = "aws:ec2/capacityReservation:CapacityReservation"


@pytest.mark.parametrize(("use", "share"), [("interactive", "0.25"), ("training", "0.5"), ("inference", "0.3")])
def test_a_pools_use_decides_how_much_above_the_floor_is_expected(use: str, share: str) -> None:
    nodes = bill(pool("p", ["g6.xlarge"], 1, 5, labels={"gpufleet.io/use": use}), template()).lines[0]
    assert nodes.quantity_expected == 1 + 4 * Decimal(share)
    assert nodes.expected_usd == nodes.quantity_expected * Decimal("0.8048")


def test_a_use_that_nobody_knows_is_as_none() -> None:
    assert utilisation_of("gaming") == utilisation_of("")


@pytest.mark.parametrize("name", ["train", "us-east-1-pool-train"])
def test_what_was_told_of_a_pool_goes_before_its_use(name: str) -> None:
    told = Assumptions(utilisation={name: Decimal("0.75")})
    labels = {"gpufleet.io/pool": "train", "gpufleet.io/use": "training"}
    nodes = pool("us-east-1-pool-train", ["p5.48xlarge"], 0, 4, labels=labels)
    cost = price([provider(), nodes, template()], today=TODAY, assumptions=told)
    assert (cost.lines[0].pool, cost.lines[0].quantity_expected) == ("train", 3)


def test_expected_on_demand_nodes_are_of_the_first_type_that_is_named() -> None:
    nodes = bill(pool("p", ["g6.2xlarge", "g6.xlarge"], 2, 2), template()).lines[0]
    assert nodes.expected_usd == 2 * Decimal("0.9776")


def test_expected_spot_is_the_assumed_share_of_the_mean_of_all_types() -> None:
    assumed = Assumptions(spot=Stated(Decimal("0.4"), "told"))
    nodes = pool("p", ["g6.2xlarge", "g6.4xlarge"], 2, 2, capacityType="SPOT")
    line = price([provider(), nodes, template()], today=TODAY, assumptions=assumed).lines[0]
    assert line.expected_usd == 2 * Decimal("0.4") * (Decimal("0.9776") + Decimal("1.3232")) / 2
    assert "expected at 40% of on-demand, assumed" in line.note


def test_stated_traffic_is_spread_over_the_gateways_and_the_same_at_floor_and_ceiling() -> None:
    told = Assumptions(usage={"nat_gib_per_month": Decimal(1000)})
    cost = price([provider(), resource(NAT, "a"), resource(NAT, "b")], today=TODAY, assumptions=told)
    traffic = [line for line in cost.lines if line.unit == "gib"]
    assert [(line.name, line.quantity_minimum, line.maximum_usd) for line in traffic] == [
        ("a", 500, Decimal("22.500")),
        ("b", 500, Decimal("22.500")),
    ]


def test_five_petabytes_through_nat_cost_a_quarter_of_a_million() -> None:
    # 5,631 TB of 1024 GB, as AWS counts them, at 4.5 cents.
    told = Assumptions(usage={"nat_gib_per_month": Decimal(5631 * 1024)})
    cost = price([provider(), resource(NAT, "a")], today=TODAY, assumptions=told)
    assert float(cost.monthly_maximum - Decimal("32.85")) == pytest.approx(259476.48)


def test_traffic_between_zones_is_billed_twice() -> None:
    told = Assumptions(usage={"cross_zone_gib_per_month": Decimal(100)})
    cost = price([provider(), resource("aws:ec2/vpc:Vpc", "main")], today=TODAY, assumptions=told)
    assert cost.monthly_maximum == Decimal(2)


def test_a_pool_in_a_reservation_of_the_same_plan_is_counted_once() -> None:
    target = {"capacityReservationTarget": {"capacityReservationId": "cr-id"}}
    plan = (
        resource(RESERVATION, "odcr", {"instanceType": "p5.48xlarge", "instanceCount": 3}, id_="cr-id"),
        pool("train", ["p5.48xlarge"], 0, 4),
        template(gib=1, capacityReservationSpecification=target),
    )
    cost = bill(*plan)
    reserved, inside = (line for line in cost.lines if line.unit == "hour")
    assert (reserved.quantity_minimum, reserved.quantity_maximum) == (3, 3)
    assert (inside.quantity_minimum, inside.quantity_maximum) == (0, 1)
    assert "3 of them run in the reservation odcr and are billed there" in inside.note
    assert sum(line.maximum_usd for line in cost.lines if line.unit == "hour") == 4 * Decimal("55.04")


def test_a_pool_in_a_reservation_of_somebody_elses_says_so_and_is_priced() -> None:
    target = {"capacityReservationTarget": {"capacityReservationId": "cr-0123456789abcdef0"}}
    plan = (pool("train", ["p5.48xlarge"], 0, 4), template(gib=1, capacityReservationSpecification=target))
    nodes = bill(*plan).lines[0]
    assert (nodes.purchase, nodes.quantity_maximum) == ("reservation", 4)
    assert "they run in the reservation cr-0123456789abcdef0, which is billed used or not" in nodes.note


def test_two_pools_share_the_places_of_a_reservation() -> None:
    target = {"capacityReservationTarget": {"capacityReservationId": "cr-id"}}
    plan = (
        resource(RESERVATION, "odcr", {"instanceType": "g6.xlarge", "instanceCount": 3}, id_="cr-id"),
        pool("a", ["g6.xlarge"], 0, 2),
        pool("b", ["g6.xlarge"], 0, 2),
        template(gib=1, capacityReservationSpecification=target),
    )
    left = {line.pool: line.quantity_maximum for line in bill(*plan).lines if line.pool and line.unit == "hour"}
    assert left == {"a": 0, "b": 1}


def test_a_pool_of_dearer_types_than_the_reservations_is_not_inside() -> None:
    target = {"capacityReservationTarget": {"capacityReservationId": "cr-id"}}
    plan = (
        resource(RESERVATION, "odcr", {"instanceType": "g6.xlarge", "instanceCount": 3}, id_="cr-id"),
        pool("a", ["g6.xlarge", "g6.48xlarge"], 0, 2),
        resource(TEMPLATE, "lt", {"capacityReservationSpecification": target}),
    )
    assert [line.quantity_maximum for line in bill(*plan).lines if line.pool] == [2]


def test_what_a_team_has_alone_is_marked_as_its_own() -> None:
    key = resource("aws:kms/key:Key", "k", {"tags": {"gpufleet-workspace": "vision"}})
    assert [line.workspace for line in bill(key, resource("aws:kms/key:Key", "shared")).lines] == ["vision", ""]


def test_a_load_balancer_that_a_service_asks_for_is_listed() -> None:
    service = resource("kubernetes:core/v1:Service", "web", {"spec": {"type": "LoadBalancer"}})
    assert reasons(bill(service)) == ["a Service of type LoadBalancer creates a load balancer; not in the plan"]


def test_an_advanced_parameter_is_listed() -> None:
    parameter = resource("aws:ssm/parameter:Parameter", "p", {"tier": "Advanced"})
    assert reasons(bill(parameter)) == [
        "a parameter of the tier 'Advanced' is billed by the month and by use; no price rule"
    ]

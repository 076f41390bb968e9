"""The services around the nodes."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from tests.gpufleet.pricing.plans import CLUSTER, ENDPOINT, KEY, LUSTRE, NAT, VOLUME, bill, reasons, resource


@pytest.mark.parametrize(
    ("version", "policy", "today", "usd"),
    [
        ("1.35", {"supportType": "EXTENDED"}, date(2026, 11, 30), "0.1"),
        ("1.34", {"supportType": "EXTENDED"}, date(2026, 12, 2), "0.1"),
        ("1.34", {"supportType": "EXTENDED"}, date(2026, 12, 3), "0.6"),
        ("1.34", {"supportType": "STANDARD"}, date(2026, 12, 3), "0.1"),
        ("1.33", None, date(2026, 11, 30), "0.6"),
        ("1.99", {"supportType": "EXTENDED"}, date(2026, 11, 30), "0.1"),
        (None, None, date(2026, 11, 30), "0.1"),
    ],
)
def test_a_control_plane_costs_six_times_as_much_in_extended_support(
    version: str | None, policy: Any, today: date, usd: str
) -> None:
    inputs = {"version": version, "upgradePolicy": policy}
    cost = bill(resource(CLUSTER, "main", inputs), today=today)
    assert [line.maximum_usd for line in cost.lines] == [Decimal(usd)]


def test_what_a_control_plane_adds_beyond_its_hour_is_listed() -> None:
    inputs = {"computeConfig": {"enabled": True}, "controlPlaneScalingConfig": {"tier": "tier-xl"}}
    assert reasons(bill(resource(CLUSTER, "main", inputs))) == [
        "EKS Auto Mode: the nodes it starts, and its fee on them, are not in the plan",
        "control plane tier 'tier-xl' is billed above the standard one",
    ]


def test_a_nat_gateway_costs_its_hour_and_says_that_traffic_is_extra() -> None:
    line = bill(resource(NAT, "a", {"subnetId": "subnet-1"})).lines[0]
    assert (line.maximum_usd, line.note) == (Decimal("0.045"), "data processed is billed on top, by the GB")


def test_a_regional_nat_gateway_costs_an_hour_in_each_of_its_zones() -> None:
    zones = [{"availabilityZone": "us-east-1a"}, {"availabilityZone": "us-east-1b"}]
    inputs = {"availabilityMode": "regional", "availabilityZoneAddresses": zones}
    assert bill(resource(NAT, "all", inputs)).lines[0].maximum_usd == Decimal("0.090")
    assert len(bill(resource(NAT, "all", {"availabilityMode": "regional"})).unpriced) == 1


def test_an_interface_endpoint_costs_an_hour_in_each_subnet() -> None:
    inputs = {
        "vpcEndpointType": "Interface",
        "serviceName": "com.amazonaws.us-east-1.ecr.api",
        "subnetIds": ["subnet-1", "subnet-2", "04da6b54-80e4-46f7-96ec-b56ff0331ba9"],
    }
    line = bill(resource(ENDPOINT, "ecr", inputs)).lines[0]
    assert (line.what, line.quantity_maximum, line.maximum_usd) == (
        "Interface endpoint us-east-1.ecr.api",
        3,
        Decimal("0.03"),
    )


@pytest.mark.parametrize("inputs", [{}, {"vpcEndpointType": "Gateway"}])
def test_a_gateway_endpoint_is_free(inputs: dict[str, Any]) -> None:
    cost = bill(resource(ENDPOINT, "s3", inputs))
    assert (cost.lines, cost.unpriced) == ((), ())


def test_an_interface_endpoint_without_subnets_is_listed() -> None:
    cost = bill(resource(ENDPOINT, "ecr", {"vpcEndpointType": "Interface"}))
    assert reasons(cost) == ["the endpoint names no subnet: where it is present is not in the plan"]


def test_an_address_and_a_key_cost_their_list_price() -> None:
    cost = bill(resource("aws:ec2/eip:Eip", "nat"), resource(KEY, "data"))
    assert [(line.what, line.unit, line.maximum_usd) for line in cost.lines] == [
        ("public IPv4 address", "hour", Decimal("0.005")),
        ("KMS key", "month", Decimal("1.0")),
    ]
    assert cost.monthly_maximum == Decimal("4.65")


@pytest.mark.parametrize(("throughput", "usd"), [(125, "696"), (250, "1008"), (500, "1632"), (1000.0, "2880")])
def test_lustre_costs_its_capacity_at_the_price_of_its_throughput(throughput: float, usd: str) -> None:
    inputs = {"deploymentType": "PERSISTENT_2", "storageCapacity": 4800, "perUnitStorageThroughput": throughput}
    cost = bill(resource(LUSTRE, "scratch", inputs))
    assert cost.monthly_maximum == Decimal(usd)
    assert cost.unpriced == ()


@pytest.mark.parametrize(
    "inputs",
    [
        {"deploymentType": "SCRATCH_2", "storageCapacity": 1200},
        {"deploymentType": "PERSISTENT_2", "storageType": "INTELLIGENT_TIERING"},
        {"deploymentType": "PERSISTENT_2", "storageCapacity": 1200, "perUnitStorageThroughput": 333},
        {"deploymentType": "PERSISTENT_2", "perUnitStorageThroughput": 125},
    ],
)
def test_lustre_that_has_no_price_is_listed(inputs: dict[str, Any]) -> None:
    cost = bill(resource(LUSTRE, "scratch", inputs))
    assert (cost.lines, len(cost.unpriced)) == ((), 1)


def test_a_gp3_volume_pays_for_what_exceeds_its_baseline() -> None:
    cost = bill(resource(VOLUME, "data", {"size": 100, "type": "gp3", "iops": 4000, "throughput": 500}))
    assert [(line.what, line.unit, line.maximum_usd) for line in cost.lines] == [
        ("volume, MiB/s above 125", "mibps-month", Decimal("15.00")),
        ("volume, gp3", "gib-month", Decimal("8.00")),
        ("volume, IOPS above 3000", "iops-month", Decimal("5.000")),
    ]


@pytest.mark.parametrize("inputs", [{"size": 100, "type": "io2", "iops": 9000}, {"type": "gp3"}, {"size": "big"}])
def test_a_volume_that_has_no_price_is_listed(inputs: dict[str, Any]) -> None:
    cost = bill(resource(VOLUME, "data", inputs))
    assert (cost.lines, len(cost.unpriced)) == ((), 1)


def test_a_secret_costs_once_for_itself_and_once_for_each_copy() -> None:
    secret = "aws:secretsmanager/secret:Secret"
    copies = [{"region": "eu-west-1"}, {"region": "eu-central-1"}]
    cost = bill(resource(secret, "plain"), resource(secret, "copied", {"replicas": copies}))
    assert [(line.name, line.maximum_usd, line.unit) for line in cost.lines] == [
        ("copied", Decimal("1.2"), "month"),
        ("plain", Decimal("0.4"), "month"),
    ]


@pytest.mark.parametrize(
    ("inputs", "expected"),
    [
        ({"scanType": "BASIC"}, []),
        (
            {"scanType": "ENHANCED"},
            ["scanning of kind 'ENHANCED' is Amazon Inspector's, by use: images scanned first and again"],
        ),
    ],
)
def test_scanning_by_inspector_is_listed_and_ecrs_own_is_free(inputs: dict[str, Any], expected: list[str]) -> None:
    scanning = "aws:ecr/registryScanningConfiguration:RegistryScanningConfiguration"
    cost = bill(resource(scanning, "all", inputs))
    assert cost.lines == ()
    assert reasons(cost) == expected

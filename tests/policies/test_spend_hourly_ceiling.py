from typing import Any

import pulumi
import pulumi_aws as aws
import pytest

from gpufleet.facts import prices
from policies.rules.spend_hourly_ceiling import RULE
from tests.policies.judging import later, messages
from tests.policies.pools import pool

P5 = 55.04
"""USD an hour of one p5.48xlarge in us-east-1."""


class _Budget(pulumi.ComponentResource):
    def __init__(self, ceiling: Any) -> None:
        super().__init__("gpufleet:index:SpendBudget", "budget", {"maxHourlyUsd": ceiling})
        self.register_outputs({"maxHourlyUsd": ceiling})


def _fault(name: str, total: float, origin: str, allowed: float, dearest: str) -> str:
    return (
        f"{name}: everything at its ceiling costs {total:.2f} USD an hour; {origin} allows {allowed:.2f}. "
        f"Dearest: {dearest}."
    )


def test_pools_that_add_up_above_the_ceiling_are_reported_dearest_first(preview: bool) -> None:
    def build() -> None:
        pool("train", types=("p5.4xlarge", "p5.48xlarge"), maximum=9)
        pool("dev", maximum=10, capacity_type="SPOT")

    small = prices.instance_hour("g6.2xlarge", "us-east-1")
    assert small is not None
    assert messages(RULE, build, preview=preview) == [
        _fault(
            "train",
            9 * P5 + 10 * small.usd,
            "the default of this rule",
            500,
            f"train (9 x p5.48xlarge) {9 * P5:.2f}, dev (10 x g6.2xlarge) {10 * small.usd:.2f}",
        )
    ]


def test_the_lower_of_pack_and_budget_holds(preview: bool) -> None:
    def build() -> None:
        _Budget(100)
        pool("train", types=("p5.48xlarge",), maximum=2)

    fault = "train (2 x p5.48xlarge) 110.08"
    assert messages(RULE, build, preview=preview) == [_fault("train", 2 * P5, "budget budget", 100, fault)]
    assert messages(RULE, build, preview=preview, config={"max_hourly_usd": 50}) == [
        _fault("train", 2 * P5, "max_hourly_usd of this rule", 50, fault)
    ]


def test_machines_reservations_groups_gateways_and_endpoints_count(preview: bool) -> None:
    def build() -> None:
        aws.ec2.Instance("machine", ami="ami-1", instance_type="p5.48xlarge")
        aws.ec2.CapacityReservation(
            "reserved",
            instance_type="p5.48xlarge",
            instance_count=2,
            instance_platform="Linux/UNIX",
            availability_zone="us-east-1a",
        )
        template = aws.ec2.LaunchTemplate("template", instance_type="p5.48xlarge")
        aws.autoscaling.Group("group", min_size=0, max_size=3, launch_template={"id": template.id})
        aws.ec2.NatGateway("nat", subnet_id="subnet-1")
        aws.eks.Cluster("cluster", role_arn="r", vpc_config={"subnet_ids": []})
        aws.ec2.VpcEndpoint(
            "ecr",
            vpc_id="vpc-1",
            service_name="s",
            vpc_endpoint_type="Interface",
            subnet_ids=[later("subnet-1"), "subnet-2"],
        )

    total = 6 * P5 + 0.045 + 0.10 + 2 * 0.01
    dearest = "group (3 x p5.48xlarge) 165.12, reserved (2 x p5.48xlarge) 110.08, machine (1 x p5.48xlarge) 55.04"
    assert messages(RULE, build, preview=preview, config={"max_hourly_usd": 1}) == [
        _fault("group", total, "max_hourly_usd of this rule", 1, dearest)
    ]


def test_what_a_budget_promises_holds_above_the_default(preview: bool) -> None:
    def build() -> None:
        _Budget(600)
        pool("train", types=("p5.48xlarge",), maximum=10)

    assert messages(RULE, build, preview=preview) == []
    assert len(messages(RULE, build, preview=preview, config={"max_hourly_usd": 550})) == 1


def test_a_type_without_a_price_counts_as_the_dearest_of_its_kind(preview: bool) -> None:
    assert prices.instance_hour("p5e.48xlarge", "us-east-1") is None
    told = "p5e.48xlarge (no list price is known; counted as p5en.48xlarge)"
    assert messages(RULE, lambda: pool(types=("p5e.48xlarge",), maximum=8), preview=preview) == [
        _fault("gpu", 8 * 63.296, "the default of this rule", 500, f"gpu (8 x {told}) {8 * 63.296:.2f}")
    ]
    assert messages(RULE, lambda: pool(types=("p5e.48xlarge",), maximum=7), preview=preview) == []


def test_a_stack_under_its_ceiling_is_quiet(preview: bool) -> None:
    def build() -> None:
        _Budget(200)
        pool("train", types=("p5.48xlarge",), maximum=3)
        pool("unpriced-cpu", types=("x2idn.16xlarge",), maximum=3)

    assert messages(RULE, build, preview=preview) == []


def test_an_unknown_ceiling_adds_nothing_and_hides_no_known_one() -> None:
    def build() -> None:
        pool("later", types=("p5.48xlarge",), maximum=later(9))
        pool("train", types=("p5.48xlarge",), maximum=10)

    (preview,) = messages(RULE, build, preview=True)
    assert "costs 550.40 USD" in preview
    (update,) = messages(RULE, build)
    assert "costs 1045.76 USD" in update


@pytest.mark.parametrize("promised", ["30", 30])
def test_a_budget_that_is_unknown_is_quiet_until_it_is_known(promised: Any) -> None:
    def build() -> None:
        _Budget(later(promised))
        pool("train", types=("p5.48xlarge",), maximum=1)

    assert messages(RULE, build, preview=True) == []
    assert len(messages(RULE, build)) == 1

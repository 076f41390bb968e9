"""Bars by component, and what no line counts."""

import pulumi
import pulumi_aws as aws

from gpufleet import pricing
from gpufleet.report import money
from gpufleet.report.estate import Estate
from tests.gpufleet.report.world import TODAY, Box, estate_of


def bill_of(estate: Estate) -> money.Bill:
    return money.bill(pricing.price(estate.resources, today=TODAY).as_document(), estate)


def fleet() -> None:
    for number in range(14):
        box = pulumi.ResourceOptions(parent=Box(f"box-{number:02}"))
        aws.ec2.Instance(f"i-{number:02}", instance_type="g6.xlarge", region="us-east-1", opts=box)
    aws.eks.NodeGroup(
        "big",
        cluster_name="c",
        node_role_arn="arn:r",
        subnet_ids=["s"],
        instance_types=["p5.48xlarge"],
        scaling_config={"min_size": 1, "max_size": 4, "desired_size": 1},
        region="us-east-1",
    )
    aws.s3.Bucket("data", region="us-east-1")


def test_the_dearest_component_has_the_widest_bar_and_the_small_ones_share_one():
    bars = bill_of(estate_of(fleet)).bars
    assert [bar.name for bar in bars][:2] == ["big", "box-00"]
    assert bars[-1].name == "4 smaller components"
    assert len(bars) == 12
    assert '<rect class="ceiling" width="100.00" height="10"/><rect class="floor" width="25' in bars[0].drawing


def test_bars_sum_up_to_the_bill():
    bill = bill_of(estate_of(fleet))
    assert round(sum(bar.ceiling for bar in bill.bars), 4) == round(bill.cost["hourly_maximum"], 4)
    assert round(sum(bar.floor for bar in bill.bars), 4) == round(bill.cost["hourly_minimum"], 4)


def test_what_has_no_line_is_counted_with_its_reason():
    assert ("Bucket", 1) in [(what, count) for what, count, _ in bill_of(estate_of(fleet)).unpriced]


def test_a_plan_that_costs_nothing_has_no_bar():
    bill = bill_of(estate_of(lambda: aws.iam.User("u")))
    assert (bill.bars, bill.promised_hourly, bill.promised_monthly) == ([], None, "")


def test_the_promise_is_the_budgets():
    def build():
        aws.budgets.Budget("b", budget_type="COST", time_unit="MONTHLY", limit_amount="4000.00", limit_unit="USD")

    assert bill_of(estate_of(build)).promised_monthly == "4,000"

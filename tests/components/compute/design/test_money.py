"""Quotas and prices."""

from dataclasses import replace

import pytest

from components.compute.design import decide
from tests.components.compute.design.requests import bought, wish


@pytest.mark.parametrize(
    ("purchase", "code", "counted"),
    [
        ("on-demand", "L-417A185B", True),
        ("spot", "L-C4BD4855", True),
        ("reservation", "L-417A185B", True),
        ("capacity-block", "L-417A185B", False),
    ],
)
def test_each_purchase_draws_on_its_quota_and_a_block_on_none(purchase: str, code: str, counted: bool) -> None:
    quota = decide(bought(wish("p5.48xlarge"), purchase)).quota
    assert (quota.code, quota.vcpus_at_ceiling, quota.counted) == (code, 384, counted)


def test_types_that_draw_on_several_quotas_name_them_all() -> None:
    quotas = decide(wish("g5.48xlarge", "p4d.24xlarge", "g6.xlarge", purchase="spot")).quotas
    assert [(quota.code, quota.vcpus_at_ceiling) for quota in quotas] == [("L-3819A6DF", 384), ("L-7212CCBC", 192)]


@pytest.mark.parametrize(
    ("purchase", "least", "most"),
    [("on-demand", 0.8048, 2.4144), ("spot", 0.0805, 2.4144), ("reservation", 2.4144, 2.4144)],
)
def test_the_range_runs_from_the_floor_to_the_ceiling(purchase: str, least: float, most: float) -> None:
    kept = bought(wish("g6.xlarge", max_nodes=3), purchase)
    if purchase == "reservation":
        assert kept.reservation is not None
        price = decide(replace(kept, reservation=replace(kept.reservation, count=3))).price
    else:
        price = decide(wish("g6.xlarge", max_nodes=3, min_nodes=1, purchase=purchase)).price
    assert (price.minimum_usd_per_hour, price.maximum_usd_per_hour) == (least, most)
    assert not price.assumed


def test_a_block_is_priced_by_a_stand_in_and_says_so() -> None:
    price = decide(bought(wish("p5.48xlarge"), "capacity-block")).price
    assert (price.minimum_usd_per_hour, price.maximum_usd_per_hour, price.assumed) == (110.08, 110.08, True)


def test_an_unknown_price_is_none_and_warned_of() -> None:
    design = decide(bought(wish("p6e-gb200.36xlarge"), "capacity-block"))
    assert (design.price.minimum_usd_per_hour, design.price.maximum_usd_per_hour) == (None, None)
    assert "no list price of p6e-gb200.36xlarge is known: budgets cannot count the pool" in design.warnings

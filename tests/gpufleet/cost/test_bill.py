"""`gpufleet cost`: the sums written out, from every side."""

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from gpufleet.cost import bill, command, options
from gpufleet.errors import UsageError
from tests.gpufleet.cost import shop

TODAY = date(2026, 11, 30)
GP3 = 100 * 0.08 / 730


def document(program: Path, *overrides: str, **told: Any) -> dict[str, Any]:
    unchanged = shop.load(program) if overrides else None
    found = bill.of(shop.load(program, *overrides), options.assumptions(**told), unchanged=unchanged, today=TODAY)
    return found.as_document()


def test_a_pool_has_a_floor_an_expectation_and_a_ceiling_with_its_volumes(program: Path) -> None:
    train = document(program)["pools"][0]
    assert (train["pool"], train["purchase"], train["utilisation"]) == ("train", "on-demand", 0.5)
    assert (train["nodes_minimum"], train["nodes_expected"], train["nodes_maximum"]) == (0, 2, 4)
    assert train["hourly_minimum"] == 0
    assert train["hourly_expected"] == pytest.approx(2 * (55.04 + GP3), abs=1e-5)
    assert train["hourly_maximum"] == pytest.approx(4 * (55.04 + GP3), abs=1e-5)


def test_spot_is_expected_at_half_of_on_demand_where_no_history_is_known(program: Path) -> None:
    dev = document(program)["pools"][1]
    assert (dev["nodes_expected"], dev["utilisation_why"]) == (1.5, "people work some 42 of a week's 168 hours")
    assert dev["hourly_expected"] == pytest.approx(1.5 * ((0.9776 + 1.3232) / 4 + GP3), abs=1e-5)


def test_the_options_say_what_the_expected_nodes_cost_bought_otherwise(program: Path) -> None:
    train, dev = document(program)["pools"]
    assert [(option["purchase"], option["hourly_expected"]) for option in train["options"]] == [
        ("on-demand", 110.08),
        ("spot", 55.04),
        ("reservation", 220.16),
        ("capacity-block", 220.16),
    ]
    block = dev["options"][3]
    assert (block["hourly_expected"], block["possible"]) == (None, False)
    assert block["note"] == "a capacity block is of one type and for a node group of its own"


def test_the_sums_by_component_and_by_workspace_are_the_total(program: Path) -> None:
    found = document(program, usage={"s3_gib": 1000.0})
    for side in ("by_component", "by_workspace", "by_region", "by_purchase"):
        for key in ("hourly_minimum", "hourly_expected", "hourly_maximum", "monthly_maximum"):
            assert sum(group[key] for group in found[side]) == pytest.approx(found[key], abs=1e-4)
    assert {group["name"]: group["monthly_minimum"] for group in found["by_workspace"]}["vision"] == 23.0


def test_every_assumption_is_shown_with_its_price_whether_stated_or_not(program: Path) -> None:
    shown = {entry["option"]: entry for entry in document(program, usage={"nat_gib_per_month": 200.0})["assumptions"]}
    assert shown["--nat-gib-per-month"] == {
        "option": "--nat-gib-per-month",
        "what": "data through NAT gateways",
        "value": 200.0,
        "unit": "GiB a month",
        "monthly_usd": 9.0,
        "stated": True,
        "note": "0.045 USD a GiB",
    }
    assert (shown["--log-gib-per-month"]["value"], shown["--log-gib-per-month"]["stated"]) == (0, False)
    assert shown["--spot-ratio"]["value"] == 0.5


def test_traffic_that_nothing_carries_is_said_to_go_nowhere(program: Path) -> None:
    shown = {entry["option"]: entry for entry in document(program, usage={"registry_gib": 5.0})["assumptions"]}
    assert shown["--registry-gib"]["note"].endswith("the stack has no Repository for it")


def test_a_change_shows_what_it_costs_by_component(program: Path) -> None:
    found = document(program, "pools.train.max=8")["difference"]
    assert found["hourly_minimum"] == 0
    assert found["hourly_maximum"] == pytest.approx(4 * (55.04 + GP3), abs=1e-5)
    assert [(row["name"], row["hourly_expected"]) for row in found["by_component"]] == [
        ("train", pytest.approx(2 * (55.04 + GP3), abs=1e-5))
    ]


def test_without_a_change_there_is_no_difference(program: Path) -> None:
    assert document(program)["difference"] is None


def test_prices_older_than_ninety_days_are_called_stale(program: Path) -> None:
    found = document(program)["prices"]
    assert found == {
        "from": "built-in",
        "as_of": "2026-07-20",
        "age_days": 133,
        "stale_after_days": 90,
        "stale": True,
        "stale_lines": 2,
        "oldest": "2026-07-20",
        "assumed_lines": 0,
    }


def test_a_capacity_block_is_shown_apart(program: Path) -> None:
    found = document(program, "pools=[{name: block, types: [p5.48xlarge], min: 0, max: 2, capacity: CAPACITY_BLOCK}]")
    assert (found["prepaid"]["lines"], found["prepaid"]["hourly_maximum"]) == (1, 110.08)


def test_a_bill_is_the_same_twice(program: Path) -> None:
    assert document(program) == document(program)


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ({"utilisation": ["train"]}, "--utilisation train: must be POOL=SHARE"),
        ({"utilisation": ["train=1.5"]}, "--utilisation train=1.5: must be POOL=SHARE with a share of 0 to 1"),
        ({"utilisation": ["train=nan"]}, "--utilisation train=nan: must be POOL=SHARE with a share of 0 to 1"),
        ({"utilisation": ["tarin=0.5"]}, "there is no such pool\n  allowed: dev, train"),
        ({"spot_ratio": 0.05}, "--spot-ratio 0.05: allowed are 0.1 to 1"),
        ({"usage": {"s3_gib": -1.0}}, "--s3-gib -1: must be 0 or more"),
    ],
)
def test_a_wrong_assumption_is_refused_by_name(program: Path, told: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError) as refusal:
        document(program, **told)
    assert message in str(refusal.value)


def test_the_tables_name_pools_options_assumptions_and_what_is_stale(
    program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    changed = shop.load(program, "pools.train.max=8")
    assert command.run(changed, unchanged=shop.load(program), utilisation=["train=0.8"])
    printed = capsys.readouterr().out
    for said in ("Pools, volumes included", "bought otherwise", "By component", "What --set changes", "Assumptions"):
        assert said in printed
    assert "busy, training: as told by --utilisation" in printed
    assert "0, not stated" in printed
    assert "stale:" in printed


def test_the_document_is_one_json_object(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.run(shop.load(program), as_json=True)
    found = json.loads(capsys.readouterr().out)
    assert (found["schema"], found["stack"], len(found["pools"])) == (1, "dev", 2)

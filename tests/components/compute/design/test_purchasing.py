"""How nodes are bought, in the words of EKS, EC2 and Karpenter."""

import pytest

from components.compute.design import decide
from components.compute.design.request import PoolRequest
from tests.components.compute.design.requests import HELD, bought, reason, refusal, wish


def test_spot_is_the_groups_own_capacity_type_and_nothing_in_the_template() -> None:
    design = decide(wish("g6.12xlarge", "g5.12xlarge", purchase="spot", scaler="node-group", min_nodes=1))
    assert (design.capacity_type, design.market_type, design.type_in_template) == ("SPOT", None, False)
    assert design.instance_types == ("g6.12xlarge", "g5.12xlarge")
    assert design.warnings == ()


def test_spot_with_a_single_type_is_warned_of() -> None:
    assert [text for text in decide(wish("g6.12xlarge", purchase="spot")).warnings if "alone" in text] == [
        "spot with g6.12xlarge alone: when it runs out there is nothing to fall back on; name three types or more"
    ]


def test_a_capacity_block_has_its_type_and_market_in_the_template_and_begins_empty() -> None:
    design = decide(bought(wish("p5.48xlarge", max_nodes=2), "capacity-block"))
    assert (design.capacity_type, design.market_type, design.type_in_template) == (
        "CAPACITY_BLOCK",
        "capacity-block",
        True,
    )
    assert (design.reservation_id, design.reservation_preference) == ("cr-0123456789abcdef0", None)
    assert (design.desired_at_first, design.update_strategy, design.scaler) == (0, "DEFAULT", "node-group")


def test_a_reservation_is_on_demand_that_runs_nowhere_else() -> None:
    design = decide(bought(wish("p5.48xlarge"), "reservation"))
    assert (design.capacity_type, design.karpenter_capacity_type, design.market_type) == ("ON_DEMAND", "reserved", None)
    assert design.reservation_preference == "capacity-reservations-only"
    assert (design.desired_at_first, reason(design, "size at first")) == (2, "they are paid for, used or not")


@pytest.mark.parametrize(
    ("request_", "rule"),
    [
        (wish("p6e-gb200.36xlarge"), "not-sold-on-demand"),
        (wish("trn2u.48xlarge", region="us-east-2"), "accelerators-untold"),
        (wish("p6e-gb200.36xlarge", purchase="spot"), "not-sold-as-spot"),
        (bought(wish("g6.xlarge"), "capacity-block"), "not-sold-as-block"),
        (bought(wish("p5.48xlarge", dedicated=True), "capacity-block"), "dedicated-block"),
        (wish("p5.48xlarge", reservation=HELD), "reservation-not-used"),
        (wish("p5.48xlarge", purchase="bid"), "unknown-value"),
    ],
)
def test_what_is_not_sold_so_is_refused_by_name(request_: PoolRequest, rule: str) -> None:
    assert refusal(request_).rule == rule


def test_dedicated_hardware_is_tenancy_in_the_template_and_its_price_a_stand_in() -> None:
    design = decide(wish("g6.xlarge", dedicated=True, scaler="node-group", min_nodes=1))
    assert (design.tenancy, design.price.assumed) == ("dedicated", True)
    assert "of shared tenancy" in design.price.basis

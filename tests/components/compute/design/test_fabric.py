"""EFA: interfaces, zone, placement."""

import pytest

from components.compute.design import decide
from components.compute.design.fabric import is_local_zone, layout
from components.compute.design.request import Sharing
from gpufleet.facts import instances
from tests.components.compute.design.requests import HELD, bought, reason, refusal, wish

THREE = ("us-west-2a", "us-west-2b", "us-west-2c")


@pytest.mark.parametrize(
    ("name", "count", "first"),
    [
        ("p4d.24xlarge", 4, (0, 1)),
        ("p5.48xlarge", 32, (0, 1)),
        ("p5en.48xlarge", 16, (0, 1)),
        ("p6-b200.48xlarge", 8, (0, 1)),
        ("p6-b300.48xlarge", 16, (1, 0)),
        ("p6e-gb200.36xlarge", 16, (1, 0)),
        ("trn1.32xlarge", 8, (0, 1)),
    ],
)
def test_efa_interfaces_lie_on_the_cards_that_carry_efa_and_on_no_other(
    name: str, count: int, first: tuple[int, int]
) -> None:
    primary, *others = layout(instances.get(name))
    assert (primary.card, primary.device, primary.kind) == (0, 0, "interface")
    assert (others[0].card, others[0].device) == first
    assert [(i.device, i.kind) for i in others[1:]] == [(0, "efa-only")] * (count - 1)


def test_a_card_zero_without_efa_is_told_in_the_reason() -> None:
    design = decide(wish("p6-b300.48xlarge", use="training"))
    assert design.efa_per_node == 16
    assert reason(design, "network interfaces").endswith("without addresses of its own; card 0 cannot carry EFA")


def test_efa_on_a_type_without_is_refused_and_the_smallest_sibling_with_it_is_named() -> None:
    refused = refusal(wish("g5.xlarge", efa=True))
    assert refused.rule == "efa-not-on-type"
    assert refused.reason == "g5.xlarge has no network card that carries EFA"
    assert refused.nearest == "efa: false; or instance_types: [g5.8xlarge]"


def test_efa_over_several_zones_is_refused_and_asks_for_one() -> None:
    refused = refusal(wish("p4d.24xlarge", region="us-west-2", zones=THREE, efa=True))
    assert (refused.rule, refused.path, refused.allowed) == ("efa-one-zone", "zones", "exactly one zone with EFA")
    assert decide(wish("p4d.24xlarge", region="us-west-2", zones=THREE[1:2], efa=True)).zones == ("us-west-2b",)


def test_types_whose_efa_lies_on_different_cards_do_not_share_a_pool() -> None:
    assert refusal(wish("p4d.24xlarge", "p5.48xlarge", efa=True)).rule == "efa-types-differ"
    assert decide(wish("p4d.24xlarge", "p4de.24xlarge", efa=True)).efa_per_node == 4


@pytest.mark.parametrize(
    ("fields", "on", "because"),
    [
        ({"use": "training"}, True, "every type has it, and training is what it is for"),
        ({"use": "interactive"}, False, "interactive on on-demand nodes talks little between them"),
        ({"use": "training", "max_nodes": 1}, False, "the pool never has a second node to talk to"),
        ({"use": "training", "efa": False}, False, "the settings say so"),
        (
            {"use": "training", "sharing": Sharing(kind="mig", profile="1g.5gb")},
            False,
            "a GPU that pods share does not talk over EFA",
        ),
    ],
)
def test_left_alone_efa_is_on_where_it_is_of_use(fields: dict[str, object], on: bool, because: str) -> None:
    design = decide(wish("p4d.24xlarge", **fields))
    assert (design.efa, reason(design, "EFA")) == (on, because)


def test_reserved_capacity_has_efa_whatever_its_use() -> None:
    assert decide(bought(wish("p4d.24xlarge", use="inference"), "capacity-block")).efa


@pytest.mark.parametrize(
    ("purchase", "group"), [("on-demand", True), ("spot", True), ("reservation", False), ("capacity-block", False)]
)
def test_no_placement_group_is_forced_onto_reserved_capacity(purchase: str, group: bool) -> None:
    assert decide(bought(wish("p4d.24xlarge", efa=True), purchase)).placement_group is group


def test_a_pool_without_efa_has_no_placement_group_and_keeps_its_zones() -> None:
    design = decide(wish("g6.2xlarge", region="us-west-2", zones=THREE[::-1]))
    assert (design.placement_group, design.zones) == (False, THREE)


def test_a_reservation_draws_the_pool_into_its_zone() -> None:
    zones = ("us-east-1a", "us-east-1b")
    design = decide(wish("g6.2xlarge", zones=zones, purchase="reservation", reservation=HELD))
    assert (design.zones, reason(design, "zones")) == (("us-east-1a",), "the reservation lies there")


def test_a_reservation_in_a_zone_that_the_pool_does_not_have_is_refused() -> None:
    chosen = wish("g6.2xlarge", zones=("us-east-1b",), zones_are_chosen=True, purchase="reservation", reservation=HELD)
    assert (refusal(chosen).rule, refusal(chosen).path) == ("zone-of-reservation", "zones")
    given = wish("g6.2xlarge", zones=("us-east-1b",), purchase="reservation", reservation=HELD)
    assert (refusal(given).rule, refusal(given).path) == ("zone-of-reservation", "reservation.zone")


def test_the_plugin_is_new_enough_for_the_type() -> None:
    design = decide(wish("p6-b200.48xlarge", use="training"))
    assert design.efa_plugin is not None
    assert (design.efa_plugin.least_app_version, design.efa_per_node) == ("v0.5.10", 8)


def test_local_zones_are_known_by_their_names() -> None:
    assert [is_local_zone(zone) for zone in ("us-east-1-dfw-2a", "us-east-1a", "us-gov-west-1b")] == [
        True,
        False,
        False,
    ]

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.network.addresses import Demand, PodAddresses, check, interface_addresses
from components.network.cidrs import SubnetPlan, plan

A, B, C = "us-east-1a", "us-east-1b", "us-east-1c"
SMALL = plan("10.20.0.0/20", [A, B, C])  # a private subnet is a /24
P5 = "p5.48xlarge"
PREFIXES = PodAddresses(prefixes=True)


def demand(**changes: object) -> Demand:
    defaults: dict[str, object] = {"what": "pool train", "zones": [A], "nodes": 8, "instance_types": [P5]}
    return Demand(**{**defaults, **changes})  # pyright: ignore[reportArgumentType] -- each test gives fitting values


def one_subnet(cidr: str) -> SubnetPlan:
    return SubnetPlan(private={A: cidr}, public={}, intra={})


def test_eight_nodes_whose_32_cards_all_take_an_address_do_not_fit_a_24() -> None:
    [short] = check(SMALL, [demand(efa="efa", pods_per_node=0)])

    assert (short.tier, short.zone, short.cidr) == ("private", A, "10.20.0.0/24")
    assert (short.need, short.available) == (256, 251)
    assert str(short) == (
        "the private subnet of us-east-1a, 10.20.0.0/24, has 251 addresses and needs 256: pool train 8 x 32 = 256; "
        "give the network a larger cidr or its pods a pod_cidr, spread the nodes over more zones, lower the pools' "
        "ceilings, or make EFA interfaces efa-only"
    )


def test_the_same_nodes_fit_when_efa_interfaces_take_none() -> None:
    assert check(SMALL, [demand(efa="efa-only", pods_per_node=0)]) == []
    assert interface_addresses(P5, "efa-only") == 1


@pytest.mark.parametrize(
    ("instance_type", "addresses"),
    [("p4d.24xlarge", 4), ("p5.48xlarge", 32), ("p6-b300.48xlarge", 17), ("g6.xlarge", 1), ("unheard-of.xlarge", 1)],
)
def test_a_card_that_cannot_be_efa_still_holds_the_primary_interface(instance_type: str, addresses: int) -> None:
    assert interface_addresses(instance_type, "efa") == addresses


def test_the_network_plugin_fills_whole_interfaces_whether_pods_use_them_or_not() -> None:
    # g6.xlarge: 4 interfaces of 15 addresses. 30 pods use 3 (14 each), and one is kept warm.
    [short] = check(SMALL, [demand(nodes=5, instance_types=["g6.xlarge"])])

    assert short.parts == ("pool train 5 x 60 = 300",)


def test_a_node_never_holds_more_interfaces_than_its_card_has() -> None:
    [short] = check(SMALL, [demand(nodes=5, instance_types=["g6.xlarge"], pods_per_node=110)])

    assert short.parts == ("pool train 5 x 60 = 300",)


def test_an_efa_only_interface_on_card_0_leaves_no_room_for_a_further_one() -> None:
    with_efa = check(one_subnet("10.20.0.0/26"), [demand(nodes=2, efa="efa-only")])
    without = check(one_subnet("10.20.0.0/26"), [demand(nodes=2)])

    assert with_efa[0].parts == ("pool train 2 x 50 = 100",)
    assert without[0].parts == ("pool train 2 x 100 = 200",)


def test_a_warm_target_of_addresses_takes_the_place_of_whole_interfaces() -> None:
    pods = PodAddresses(warm_addresses=2, least_addresses=20)
    tiny = one_subnet("10.20.0.0/28")

    [few] = check(tiny, [demand(nodes=1, instance_types=["g6.xlarge"], pods_per_node=5)], pods=pods)
    [more] = check(tiny, [demand(nodes=1, instance_types=["g6.xlarge"], pods_per_node=30)], pods=pods)

    assert few.need == 20 + 2  # one further interface for the last 6
    assert more.need == 32 + 3


# The figures of the plugin's own table for t3.small (4 addresses an interface), here with g4ad.xlarge (4 as well).
@pytest.mark.parametrize(
    ("pods", "settings", "prefixes", "interfaces"),
    [
        (5, PREFIXES, 2, 1),
        (16, PREFIXES, 2, 1),
        (17, PREFIXES, 3, 1),
        (58, PREFIXES, 5, 2),
        (17, PodAddresses(prefixes=True, warm_addresses=1, least_addresses=1), 2, 1),
        (58, PodAddresses(prefixes=True, warm_addresses=7, least_addresses=20), 5, 2),
    ],
)
def test_prefixes_are_counted_as_the_plugin_counts_them(
    pods: int, settings: PodAddresses, prefixes: int, interfaces: int
) -> None:
    wanted = demand(nodes=1, instance_types=["g4ad.xlarge"], pods_per_node=pods)

    [short] = check(one_subnet("10.20.0.0/29"), [wanted], pods=settings)

    assert short.need == 16 * prefixes + interfaces


def test_a_subnet_too_small_for_a_whole_prefix_is_refused_and_the_next_larger_one_is_not() -> None:
    wanted = [demand(nodes=1, pods_per_node=10)]
    pods = PodAddresses(prefixes=True, warm_prefixes=0)

    [short] = check(one_subnet("10.20.0.0/27"), wanted, pods=pods)

    assert (short.need, short.available, short.unit) == (1, 0, "whole /28 blocks")
    assert "has 0 whole /28 blocks and needs 1: pool train 1" in str(short)
    assert check(one_subnet("10.20.0.0/26"), wanted, pods=pods) == []


def test_prefixes_need_whole_blocks_even_where_there_are_addresses_enough() -> None:
    # A /24 has 14 whole blocks: what AWS keeps spoils the first and the last.
    pods = PodAddresses(prefixes=True, warm_prefixes=0)

    [short] = check(SMALL, [demand(nodes=15, pods_per_node=10)], pods=PodAddresses(prefixes=True, warm_prefixes=0))

    assert (short.need, short.available) == (255, 251)
    fits_by_number = [demand(nodes=14, pods_per_node=10), demand(what="system", nodes=1, pods_per_node=0)]
    assert check(SMALL, fits_by_number, pods=pods) == []
    [blocks] = check(one_subnet("10.20.0.0/25"), [demand(nodes=7, pods_per_node=10)], pods=pods)
    assert (blocks.need, blocks.available, blocks.parts) == (7, 6, ("pool train 7 x 1 = 7",))


def test_with_a_pod_tier_further_interfaces_leave_the_private_subnet() -> None:
    subnets = plan("10.20.0.0/20", [A, B, C], "100.64.0.0/18")
    wanted = [demand(nodes=40, instance_types=["g6.xlarge"], zones=[A])]

    [alone] = check(plan("10.20.0.0/20", [A, B, C]), wanted)
    shared = {short.tier: short for short in check(subnets, wanted)}

    assert alone.need == 40 * 60
    assert shared["private"].need == 40 * 15
    assert "pod" not in shared  # 40 x 45 = 1800 of 2043
    [pods] = check(subnets, [demand(nodes=46, instance_types=["g6.xlarge"], zones=[A])])[1:]
    assert (pods.tier, pods.cidr, pods.need, pods.available) == ("pod", "100.64.0.0/21", 46 * 45, 2043)


def test_nodes_spread_evenly_over_their_zones_and_everybody_is_counted() -> None:
    pool = demand(nodes=10, zones=[A, B, C], instance_types=["g6.xlarge"])
    system = demand(what="system nodes", nodes=6, zones=[A, B, C], instance_types=["m7i.xlarge"])

    shorts = check(SMALL, [pool, system])

    assert [short.zone for short in shorts] == [A, B, C]
    assert shorts[0].parts == ("pool train 4 x 60 = 240", "system nodes 2 x 60 = 120")


def test_the_hungriest_type_of_a_pool_counts() -> None:
    [short] = check(SMALL, [demand(nodes=3, instance_types=["g6.xlarge", "g6e.12xlarge"], pods_per_node=50)])

    assert short.parts == ("pool train 3 x 90 = 270",)


def test_endpoints_and_the_control_plane_share_the_intra_subnets() -> None:
    assert check(SMALL, [], endpoints=43) == []

    short = check(SMALL, [], endpoints=44)[0]

    assert (short.tier, short.cidr) == ("intra", "10.20.10.0/26")
    assert short.parts == ("control plane 16", "endpoints 44")
    assert str(short).endswith("give the network a larger cidr, or fewer endpoints")


def test_a_type_of_which_nothing_is_known_is_taken_to_be_the_hungriest() -> None:
    [short] = check(SMALL, [demand(nodes=3, instance_types=["p9.large"])])

    assert short.parts == ("pool train 3 x 100 = 300",)


def test_the_shipped_sizes_hold_the_largest_pools_of_a_usual_network() -> None:
    subnets = plan("10.20.0.0/16", [A, B, C])

    assert check(subnets, [demand(nodes=20), demand(what="serve", nodes=60, zones=[A, B, C])], endpoints=20) == []


@given(st.integers(0, 2000), st.integers(0, 110), st.sampled_from(["none", "efa-only", "efa"]), st.booleans())
def test_more_nodes_never_need_less(nodes: int, pods: int, efa: str, prefixes: bool) -> None:
    def needs(count: int) -> int:
        wanted = [demand(nodes=count, efa=efa, pods_per_node=pods)]
        found = check(one_subnet("10.20.0.0/28"), wanted, pods=PodAddresses(prefixes=prefixes))
        return found[0].need if found else 0

    assert needs(nodes) <= needs(nodes + 1)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"efa": "yes"}, "efa: 'yes' is not known; allowed are none, efa-only, efa"),
        ({"zones": []}, "pool train: names no zone or no instance type"),
    ],
)
def test_a_mistake_is_answered_with_the_value_and_the_fix(changes: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        demand(**changes)


def test_a_zone_that_the_network_does_not_have_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="pool train: zones us-east-1d are none of us-east-1a, us-east-1b, us-east-1c"):
        check(SMALL, [demand(zones=["us-east-1d"])])

from collections.abc import Sequence
from ipaddress import IPv4Network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.network.cidrs import SubnetPlan, plan, region_of

ZONES = [f"us-east-1{letter}" for letter in "abcdefgh"]
zone_lists = st.lists(st.sampled_from(ZONES), min_size=1, max_size=8, unique=True)


@st.composite
def vpcs(draw: st.DrawFn) -> str:
    prefix = draw(st.integers(16, 20))
    host = draw(st.integers(0, 2**24 - 1))
    return str(IPv4Network((0x0A000000 + host, prefix), strict=False))


@st.composite
def pod_blocks(draw: st.DrawFn) -> str:
    prefix = draw(st.integers(16, 18))
    host = draw(st.integers(0, 2**22 - 1))
    return str(IPv4Network((int(IPv4Network("100.64.0.0/10").network_address) + host, prefix), strict=False))


def blocks(subnets: SubnetPlan) -> list[IPv4Network]:
    tiers = (subnets.private, subnets.public, subnets.intra, subnets.pod)
    return [IPv4Network(cidr) for tier in tiers for cidr in tier.values()]


def test_the_map_of_a_16_is_as_documented() -> None:
    subnets = plan("10.20.0.0/16", ["us-east-1a", "us-east-1h"])

    assert subnets.private == {"us-east-1a": "10.20.0.0/20", "us-east-1h": "10.20.112.0/20"}
    assert subnets.public == {"us-east-1a": "10.20.128.0/22", "us-east-1h": "10.20.156.0/22"}
    assert subnets.intra == {"us-east-1a": "10.20.160.0/22", "us-east-1h": "10.20.188.0/22"}


@given(vpcs(), zone_lists)
def test_subnets_lie_inside_the_vpc_and_apart(cidr: str, zones: list[str]) -> None:
    subnets = blocks(plan(cidr, zones))

    assert len(subnets) == 3 * len(zones)
    assert all(block.subnet_of(IPv4Network(cidr)) for block in subnets)
    ordered = sorted(subnets)
    assert all(a.broadcast_address < b.network_address for a, b in zip(ordered, ordered[1:], strict=False))


@given(vpcs(), zone_lists, zone_lists)
def test_adding_dropping_and_reordering_zones_moves_no_subnet(cidr: str, some: list[str], others: list[str]) -> None:
    one, other = plan(cidr, some), plan(cidr, others)

    for zone in set(some) & set(others):
        assert (one.private[zone], one.public[zone], one.intra[zone]) == (
            other.private[zone],
            other.public[zone],
            other.intra[zone],
        )


@given(vpcs(), pod_blocks(), zone_lists, zone_lists)
def test_a_pod_tier_moves_no_subnet_and_is_moved_by_no_zone(
    cidr: str, pod_cidr: str, some: list[str], others: list[str]
) -> None:
    without, one, other = plan(cidr, some), plan(cidr, some, pod_cidr), plan(cidr, others, pod_cidr)

    assert (one.private, one.public, one.intra) == (without.private, without.public, without.intra)
    assert without.pod == {}
    assert {zone: one.pod[zone] for zone in set(some) & set(others)} == {
        zone: other.pod[zone] for zone in set(some) & set(others)
    }


@given(vpcs(), pod_blocks(), zone_lists)
def test_pod_subnets_lie_inside_their_block_apart_and_large(cidr: str, pod_cidr: str, zones: list[str]) -> None:
    subnets = plan(cidr, zones, pod_cidr)

    pods = sorted(IPv4Network(block) for block in subnets.pod.values())
    assert list(subnets.pod) == sorted(zones)
    assert all(block.subnet_of(IPv4Network(pod_cidr)) and block.num_addresses >= 2048 for block in pods)
    assert all(a.broadcast_address < b.network_address for a, b in zip(pods, pods[1:], strict=False))
    assert not any(block.overlaps(IPv4Network(cidr)) for block in pods)


def test_each_zone_has_an_eighth_of_the_pod_block() -> None:
    assert plan("10.20.0.0/16", ["us-east-1a", "us-east-1h"], "100.64.0.0/16").pod == {
        "us-east-1a": "100.64.0.0/19",
        "us-east-1h": "100.64.224.0/19",
    }


@pytest.mark.parametrize(
    ("cidr", "pod_cidr", "message"),
    [
        ("10.20.0.0/16", "100.64.0.0/15", "pod_cidr: 100.64.0.0/15 cannot be the block of pods; allowed is /16 to /18"),
        ("10.20.0.0/16", "100.64.0.0/19", "allowed is /16 to /18 inside 100.64.0.0/10, such as 100.64.0.0/16"),
        ("10.20.0.0/16", "10.21.0.0/16", "pod_cidr: 10.21.0.0/16 cannot be the block of pods"),
        ("10.20.0.0/16", "100.128.0.0/16", "pod_cidr: 100.128.0.0/16 cannot be the block of pods"),
        ("10.20.0.0/16", "100.64.0.1/16", "pod_cidr: '100.64.0.1/16' is not an IPv4 network"),
        ("100.64.0.0/16", "100.64.0.0/18", "pod_cidr: 100.64.0.0/18 overlaps the VPC's own block 100.64.0.0/16"),
    ],
)
def test_a_pod_block_that_cannot_be_is_answered_with_what_is_allowed(cidr: str, pod_cidr: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        plan(cidr, ["us-east-1a"], pod_cidr)


@given(vpcs(), zone_lists)
def test_every_private_subnet_has_256_addresses_at_least(cidr: str, zones: list[str]) -> None:
    assert all(IPv4Network(block).prefixlen <= 24 for block in plan(cidr, zones).private.values())


@given(vpcs(), zone_lists)
def test_the_last_quarter_is_kept_free(cidr: str, zones: list[str]) -> None:
    last = list(IPv4Network(cidr).subnets(prefixlen_diff=2))[-1]

    assert not any(block.overlaps(last) for block in blocks(plan(cidr, zones)))


def test_zones_come_back_sorted() -> None:
    assert list(plan("10.20.0.0/16", ["us-east-1c", "us-east-1a"]).private) == ["us-east-1a", "us-east-1c"]


@pytest.mark.parametrize(
    ("cidr", "zones", "message"),
    [
        ("10.20.0.0/24", ["us-east-1a"], "cidr: 10.20.0.0/24 is a /24; allowed is /16 to /20"),
        ("10.20.0.0/22", ["us-east-1a", "us-east-1b", "us-east-1c"], "cidr: 10.20.0.0/22 is a /22; allowed is /16"),
        ("10.0.0.0/8", ["us-east-1a"], "cidr: 10.0.0.0/8 is a /8; allowed is /16 to /20"),
        ("10.20.0.1/16", ["us-east-1a"], "'10.20.0.1/16' is not an IPv4 network .*write one like 10.20.0.0/16"),
        ("8.8.0.0/16", ["us-east-1a"], "public address space; allowed is a private range such as 10.20.0.0/16"),
        ("10.20.0.0/16", ["us-east-1a", "us-east-1a"], "us-east-1a given more than once; name each zone once"),
        (
            "10.20.0.0/16",
            ["us-east-1-bos-1a"],
            "'us-east-1-bos-1a' is not an availability zone; allowed are names like",
        ),
        ("10.20.0.0/16", ["us-east-1"], "'us-east-1' is not an availability zone"),
    ],
)
def test_a_mistake_is_answered_with_the_value_what_is_allowed_and_the_fix(
    cidr: str, zones: Sequence[str], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        plan(cidr, zones)


@pytest.mark.parametrize("region", ["us-east-1", "us-gov-west-1", "cn-northwest-1", "ap-southeast-3", "eusc-de-east-1"])
def test_a_zone_tells_its_region(region: str) -> None:
    assert region_of(f"{region}b") == region

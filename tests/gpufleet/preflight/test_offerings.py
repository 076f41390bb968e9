"""Instance types in zones: the pools of a managed group need each of them, Karpenter needs some."""

from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

from gpufleet.preflight.checks import offerings, zones
from gpufleet.preflight.results import COULD_NOT_ASK, FAILED, PASSED
from tests.gpufleet.preflight.conftest import Ask
from tests.gpufleet.preflight.fleet import Network, at_least, said
from tests.gpufleet.preflight.recorded import Recorded

OFFERED = {"p4d.24xlarge": "bc", "g5.12xlarge": "abc"}


def offering(asked: Mapping[str, Any]) -> Mapping[str, Any]:
    assert asked["LocationType"] == "availability-zone"
    wanted = {value for one in asked.get("Filters") or () for value in one["Values"]}
    rows = [
        {"InstanceType": name, "LocationType": "availability-zone", "Location": f"us-west-2{letter}"}
        for name, letters in OFFERED.items()
        if not wanted or name in wanted
        for letter in letters
    ]
    return {"InstanceTypeOfferings": rows}


def pool(types: list[str], where: str, **more: Any) -> Callable[[], object]:
    return lambda: Network().pool("train", types, zones=where, **more)


def test_a_type_that_one_zone_lacks_is_named_with_the_zone(ask: Ask, recorded: Recorded) -> None:
    recorded.answers["DescribeInstanceTypeOfferings"] = offering
    (result,) = ask(offerings.check, pool(["p4d.24xlarge"], "ab"))
    assert (result.status, result.what) == (FAILED, "pool train: p4d.24xlarge is not offered in us-west-2a")
    assert result.fix == "give the pool subnets of us-west-2b, us-west-2c only, or leave p4d.24xlarge out"


def test_one_of_several_types_is_not_passed_over_in_silence(ask: Ask, recorded: Recorded) -> None:
    recorded.answers["DescribeInstanceTypeOfferings"] = offering
    results = ask(offerings.check, pool(["g5.12xlarge", "p4d.24xlarge"], "ab", capacity="SPOT"))
    assert said(results) == [(FAILED, "pool train: p4d.24xlarge is not offered in us-west-2a")]


def test_a_pool_where_every_type_is_offered_passes(ask: Ask, recorded: Recorded) -> None:
    recorded.answers["DescribeInstanceTypeOfferings"] = offering
    assert said(ask(offerings.check, pool(["p4d.24xlarge"], "bc"))) == [
        (PASSED, "pool train: p4d.24xlarge is offered in us-west-2b, us-west-2c")
    ]


def test_moto_knows_offerings_too(ask: Ask) -> None:
    assert [one.status for one in ask(offerings.check, pool(["g5.12xlarge"], "abc"))] == [PASSED]


def test_a_type_that_the_region_lacks_is_looked_for_elsewhere(ask: Ask, recorded: Recorded) -> None:
    recorded.answers["DescribeInstanceTypeOfferings"] = offering
    (result,) = ask(offerings.check, pool(["p5.48xlarge"], "a"))
    assert (result.status, result.what) == (FAILED, "pool train: p5.48xlarge is not offered in us-west-2a")
    assert result.fix.startswith("take another type or region, gpufleet preflight --suggest ranks them; known to offer")


def test_an_answer_without_any_offering_is_no_answer(ask: Ask, recorded: Recorded) -> None:
    recorded.answers["DescribeInstanceTypeOfferings"] = {"InstanceTypeOfferings": []}
    (result,) = ask(offerings.check, pool(["p4d.24xlarge"], "ab"))
    assert (result.status, result.permission) == (COULD_NOT_ASK, "")


def test_karpenter_takes_what_there_is(ask: Ask, recorded: Recorded) -> None:
    recorded.answers["DescribeInstanceTypeOfferings"] = offering
    types = [at_least("node.kubernetes.io/instance-type", "p4d.24xlarge", "p5.48xlarge")]
    (result,) = ask(offerings.check, lambda: Network().karpenter("burst", types, limits={"cpu": "96"}))
    assert (result.status, result.what) == (
        PASSED,
        "pool burst: 1 of 2 types in us-west-2b, 1 of 2 types in us-west-2c",
    )
    assert result.fix == "nothing of it is offered in us-west-2a: Karpenter will pass over it"


def test_karpenter_with_nothing_to_take_fails(ask: Ask, recorded: Recorded) -> None:
    recorded.answers["DescribeInstanceTypeOfferings"] = offering
    types = [
        at_least("node.kubernetes.io/instance-type", "p4d.24xlarge"),
        at_least("topology.kubernetes.io/zone", "us-west-2a"),
    ]
    (result,) = ask(offerings.check, lambda: Network().karpenter("burst", types, limits={"cpu": "96"}))
    assert (result.status, result.what) == (FAILED, "pool burst: none of its 1 types is offered in us-west-2a")


def test_subnets_that_are_there_already_are_asked_for_their_zones(ask: Ask, recorded: Recorded, session: Any) -> None:
    subnet = session.client("ec2", region_name="us-west-2").describe_subnets()["Subnets"][0]

    def entry() -> None:
        network: Any = Network()
        network.subnets = {"a": SimpleNamespace(id=subnet["SubnetId"])}
        network.pool("train", ["g5.12xlarge"], zones="a")

    (result,) = ask(offerings.check, entry)
    assert result.what == f"pool train: g5.12xlarge is offered in {subnet['AvailabilityZone']}"
    recorded.refuse("DescribeSubnets", code="UnauthorizedOperation")
    (result,) = ask(offerings.check, entry)
    assert (result.status, result.permission) == (COULD_NOT_ASK, "ec2:DescribeSubnets")


def test_zones_that_the_account_has_pass_and_others_fail(ask: Ask, recorded: Recorded) -> None:
    assert said(ask(zones.check, Network)) == [(PASSED, "us-west-2a, us-west-2b, us-west-2c are there")]
    rows = [{"ZoneName": f"us-west-2{letter}", "State": "available"} for letter in "bcd"]
    recorded.answers["DescribeAvailabilityZones"] = {"AvailabilityZones": rows}
    (result,) = ask(zones.check, Network)
    assert (result.status, result.what) == (FAILED, "us-west-2a cannot be used by this account in us-west-2")
    assert result.fix == "take zones out of us-west-2b, us-west-2c, us-west-2d"

"""Where else a pool could be."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import pytest

from gpufleet.preflight import suggest
from tests.gpufleet.preflight import fleet
from tests.gpufleet.preflight.fleet import Network
from tests.gpufleet.preflight.recorded import Recorded, quota

TYPES = ["g5.12xlarge", "g6.12xlarge", "g6e.12xlarge"]
REGIONS = ("eu-west-1", "us-east-1", "us-west-2")


def spot() -> None:
    Network().pool("burst", TYPES, zones="ab", capacity="SPOT", most=4)


@pytest.fixture
def three_regions(recorded: Recorded) -> Recorded:
    recorded.answers["DescribeRegions"] = {"Regions": [{"RegionName": name} for name in REGIONS]}

    def scores(asked: Mapping[str, Any]) -> Mapping[str, Any]:
        assert asked["RegionNames"] == list(REGIONS)
        rows = [("eu-west-1", "euw1-az1", 9), ("us-east-1", "use1-az6", 9), ("us-west-2", "usw2-az2", 4)]
        return {"SpotPlacementScores": [{"Region": r, "AvailabilityZoneId": z, "Score": s} for r, z, s in rows]}

    recorded.answers["GetSpotPlacementScores"] = scores
    now = datetime.now(UTC)
    prices = [
        {"InstanceType": "g5.12xlarge", "AvailabilityZone": "us-east-1a", "SpotPrice": "2.50", "Timestamp": now},
        {"InstanceType": "g6.12xlarge", "AvailabilityZone": "us-east-1a", "SpotPrice": "1.75", "Timestamp": now},
    ]
    recorded.answers["DescribeSpotPriceHistory"] = {"SpotPriceHistory": prices}
    return recorded


def ranked(session: Any, entry: Any = spot) -> suggest.Suggestion:
    (site,) = fleet.sites(entry, session)
    return suggest.rank(site, site.pools[0], lambda line: None)


def test_regions_are_ranked_by_score_and_then_by_price(three_regions: Recorded, session: Any) -> None:
    found = ranked(session)
    first, second, *_ = found.candidates
    assert (first.region, first.zone, first.score, first.usd_hour, first.price) == (
        *("us-east-1", "us-east-1a", 9),
        *(1.75, "spot"),
    )
    assert (second.region, second.score, second.price) == ("eu-west-1", 9, "list of us-east-1")
    assert {one.region for one in found.candidates} == set(REGIONS)
    assert [one.zone for one in found.candidates if one.here] == ["us-west-2a", "us-west-2b"]
    assert found.unasked == ()


def test_a_quota_that_is_too_small_ranks_last(three_regions: Recorded, session: Any) -> None:
    def enough_in_europe(asked: Mapping[str, Any]) -> Mapping[str, Any]:
        return {"Quota": {**quota(asked)["Quota"], "Value": 191.0}}

    three_regions.answers["GetServiceQuota"] = enough_in_europe
    found = ranked(session)
    assert {(one.vcpus, one.quota, one.fits) for one in found.candidates} == {(192, 191.0, False)}


def test_a_zone_names_only_what_it_offers(three_regions: Recorded, session: Any) -> None:
    def offering(asked: Mapping[str, Any]) -> Mapping[str, Any]:
        row = {"InstanceType": "g6.12xlarge", "LocationType": "availability-zone", "Location": "somewhere-1a"}
        return {"InstanceTypeOfferings": [row]}

    three_regions.answers["DescribeInstanceTypeOfferings"] = offering
    assert {one.types for one in ranked(session).candidates} == {("g6.12xlarge",)}


def test_an_on_demand_pool_is_ranked_by_list_price_and_without_scores(three_regions: Recorded, session: Any) -> None:
    found = ranked(session, lambda: Network().pool("serve", ["g6e.12xlarge"], most=4))
    assert {one.score for one in found.candidates} == {None}
    assert {one.price for one in found.candidates} <= {"list", "list of us-east-1"}
    assert "GetSpotPlacementScores" not in {operation for _, operation, _ in three_regions.asked}


@pytest.mark.parametrize(
    ("operation", "said"),
    [
        ("GetSpotPlacementScores", "spot placement scores: ec2:GetSpotPlacementScores is missing"),
        ("DescribeSpotPriceHistory", "spot prices: ec2:DescribeSpotPriceHistory is missing"),
        ("DescribeRegions", "the regions of the account: ec2:DescribeRegions is missing"),
    ],
)
def test_without_one_permission_the_rest_is_still_ranked(
    three_regions: Recorded, session: Any, operation: str, said: str
) -> None:
    three_regions.answers["GetSpotPlacementScores"] = {"SpotPlacementScores": []}
    three_regions.refuse(operation)
    found = ranked(session)
    assert found.candidates
    assert said in found.unasked


def test_the_command_ranks_as_table_and_as_json(
    three_regions: Recorded, tmp_path: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    from gpufleet.plan import project
    from gpufleet.preflight import command

    (tmp_path / "Pulumi.yaml").write_text("name: trial\nruntime: python\n")
    (tmp_path / "Pulumi.dev.yaml").write_text("config: {}\n")
    (tmp_path / "__main__.py").write_text("from tests.gpufleet.preflight.test_suggest import spot\n\nspot()\n")
    stack = project.load(tmp_path, "dev")
    assert command.run(stack, rank=True, pool="burst", as_json=True) is True
    (document,) = json.loads(capsys.readouterr().out)["suggestions"]
    assert (document["pool"], document["region"], document["purchase"]) == ("burst", "us-west-2", "spot")
    assert document["candidates"][0]["zone"] == "us-east-1a"
    assert command.run(stack, rank=True) is True
    assert "us-east-1a" in capsys.readouterr().out

"""`gpufleet prices refresh`: recorded answers of the price list and the spot history become a price file."""

import importlib
import json
import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from moto import mock_aws

from gpufleet.cost.refresh import command, spot_prices
from gpufleet.errors import MissingError, UsageError
from gpufleet.facts import prices

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


def product(name: str, usd: str, unit: str = "Hrs") -> str:
    """An entry as the price list has it: JSON in a string."""
    dimension = {"unit": unit, "pricePerUnit": {"USD": usd}, "description": f"${usd} per On Demand Linux {name}"}
    return json.dumps(
        {
            "product": {
                "productFamily": "Compute Instance",
                "attributes": {"instanceType": name, "operation": "RunInstances"},
            },
            "terms": {"OnDemand": {"SKU.JRTCKXETXF": {"priceDimensions": {"SKU.JRTCKXETXF.6YS6EN2CT7": dimension}}}},
        }
    )


def sample(name: str, zone: str, usd: str, at: datetime) -> dict[str, Any]:
    return {
        "InstanceType": name,
        "AvailabilityZone": zone,
        "ProductDescription": "Linux/UNIX",
        "SpotPrice": usd,
        "Timestamp": at,
    }


@pytest.fixture
def session() -> Any:
    return importlib.import_module("boto3").Session(aws_access_key_id="testing", aws_secret_access_key="testing")


@pytest.fixture
def answers(session: Any) -> Callable[..., command.Clients]:
    """Clients that answer with recordings, and refuse any other question."""
    stubber: Any = importlib.import_module("botocore.stub").Stubber

    def make(pages: list[dict[str, Any]], spot: list[dict[str, Any]], denied: str = "") -> command.Clients:
        pricing = session.client("pricing", region_name="us-east-1")
        ec2 = session.client("ec2", region_name="eu-west-1")
        listed, history = stubber(pricing), stubber(ec2)
        for page in pages:
            listed.add_response("get_products", page)
        if denied:
            history.add_client_error("describe_spot_price_history", denied)
        else:
            for number in range(10):
                history.add_response("describe_spot_price_history", {"SpotPriceHistory": spot if number == 0 else []})
        listed.activate()
        history.activate()
        return lambda service, region: {"pricing": pricing, "ec2": ec2}[service]

    return make


PAGES = [
    {"PriceList": [product("g6.xlarge", "0.9200000000"), product("m5.large", "0.107")], "NextToken": "more"},
    {"PriceList": [product("p5.48xlarge", "60.5"), product("g6.2xlarge", "0"), product("g6.4xlarge", "1", "Quantity")]},
]


def test_the_list_prices_of_the_catalogues_types_are_written_and_read_back(
    answers: Callable[..., command.Clients], tmp_path: Path
) -> None:
    output = tmp_path / "prices.json"
    assert command.run(regions_=["eu-west-1"], output=output, spot_days=0, clients=answers(PAGES, []), now=NOW)
    written = json.loads(output.read_bytes())
    assert written["instance_hours"] == [
        {
            "region": "eu-west-1",
            "date": "2026-11-30",
            "source": "AWS price list, pricing:GetProducts of AmazonEC2",
            "usd": {"g6.xlarge": 0.92, "p5.48xlarge": 60.5},
        }
    ]
    prices.use(output)
    found = prices.instance_hour("g6.xlarge", "eu-west-1")
    assert found is not None
    assert (found.usd, found.assumed, prices.as_of()) == (0.92, False, "2026-11-30")
    prices.use(None)


def test_the_question_is_for_linux_on_demand_with_shared_tenancy(session: Any, tmp_path: Path) -> None:
    pricing = session.client("pricing", region_name="us-east-1")
    stub: Any = importlib.import_module("botocore.stub").Stubber(pricing)
    filters = {
        "regionCode": "us-east-1",
        "operatingSystem": "Linux",
        "tenancy": "Shared",
        "preInstalledSw": "NA",
        "capacitystatus": "Used",
        "marketoption": "OnDemand",
    }
    asked = [{"Type": "TERM_MATCH", "Field": key, "Value": value} for key, value in filters.items()]
    stub.add_response(
        "get_products", {"PriceList": [product("g6.xlarge", "1")]}, {"ServiceCode": "AmazonEC2", "Filters": asked}
    )
    with stub:
        command.run(output=tmp_path / "p.json", spot_days=0, clients=lambda service, region: pricing, now=NOW)
    stub.assert_no_pending_responses()


def test_spot_prices_weigh_as_long_as_they_held_and_zones_alike() -> None:
    since, until = datetime(2026, 11, 20, tzinfo=UTC), datetime(2026, 11, 30, tzinfo=UTC)

    class Client:
        def get_paginator(self, _: str) -> Any:
            return self

        def paginate(self, **_: Any) -> Any:
            old = datetime(2026, 11, 1, tzinfo=UTC)
            return [
                {
                    "SpotPriceHistory": [
                        sample("g6.xlarge", "a", "0.5", datetime(2026, 11, 28, tzinfo=UTC)),
                        sample("g6.xlarge", "a", "0.3", old),
                        sample("g6.xlarge", "b", "0.2", old),
                    ]
                }
            ]

    # Zone a: eight days at 0.3 and two at 0.5; zone b: 0.2 throughout.
    found = spot_prices.hours(Client(), ["g6.xlarge", "g6.2xlarge"], since, until)
    assert found == {"g6.xlarge": {"mean": 0.27, "low": 0.2, "high": 0.5}}


def test_the_spot_history_is_written_beside_the_list_prices(
    answers: Callable[..., command.Clients], tmp_path: Path
) -> None:
    output = tmp_path / "prices.json"
    spot = [sample("g6.xlarge", "eu-west-1a", "0.4", NOW)]
    assert command.run(regions_=["eu-west-1"], output=output, clients=answers(PAGES, spot), now=NOW)
    (group,) = json.loads(output.read_bytes())["spot_hours"]
    assert (group["since"], group["until"]) == ("2026-11-23", "2026-11-30")
    assert group["usd"] == {"g6.xlarge": {"mean": 0.4, "low": 0.4, "high": 0.4}}


def test_a_missing_permission_is_named_and_the_rest_is_written(
    answers: Callable[..., command.Clients], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "prices.json"
    clients = answers(PAGES, [], denied="UnauthorizedOperation")
    assert not command.run(regions_=["eu-west-1"], output=output, clients=clients, now=NOW)
    assert "missing permission: ec2:DescribeSpotPriceHistory for eu-west-1" in capsys.readouterr().out
    assert json.loads(output.read_bytes())["spot_hours"] == []


def test_another_region_of_the_file_stays_and_the_date_is_the_oldest(
    answers: Callable[..., command.Clients], tmp_path: Path
) -> None:
    output = tmp_path / "prices.json"
    before = {"region": "us-west-2", "date": "2026-10-01", "source": "here", "usd": {"g6.xlarge": 0.8}}
    output.write_text(json.dumps({"schema": 1, "as_of": "2026-10-01", "instance_hours": [before]}), encoding="utf-8")
    command.run(regions_=["eu-west-1"], output=output, spot_days=0, clients=answers(PAGES, []), now=NOW)
    written = json.loads(output.read_bytes())
    assert [group["region"] for group in written["instance_hours"]] == ["eu-west-1", "us-west-2"]
    assert written["as_of"] == "2026-10-01"


def test_what_has_changed_is_told(
    answers: Callable[..., command.Clients], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    clients = answers(PAGES, [])
    command.run(regions_=["eu-west-1"], output=tmp_path / "p.json", spot_days=0, clients=clients, now=NOW, as_json=True)
    changes = json.loads(capsys.readouterr().out)["changes"]
    assert changes[0] == {
        "region": "eu-west-1",
        "type": "g6.xlarge",
        "was": 0.8048,
        "usd": 0.92,
        "share": 0.1431,
        "stood_in": True,
    }


def test_another_file_is_not_written_over(tmp_path: Path) -> None:
    output = tmp_path / "package.json"
    output.write_text('{"name": "x"}', encoding="utf-8")
    with pytest.raises(UsageError, match="holds something else, which is not written over"):
        command.run(output=output)
    assert output.read_text(encoding="utf-8") == '{"name": "x"}'


def test_a_price_list_without_a_price_writes_nothing(answers: Callable[..., command.Clients], tmp_path: Path) -> None:
    clients = answers([{"PriceList": []}], [])
    assert not command.run(regions_=["eu-west-1"], output=tmp_path / "p.json", spot_days=0, clients=clients, now=NOW)
    assert not (tmp_path / "p.json").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"regions_": ["mars-north-1"]}, "--region mars-north-1: not a region of the partition aws"),
        ({"regions_": ["cn-north-1"]}, "--region cn-north-1: not a region of the partition aws"),
        ({"spot_days": 91}, "--spot-days 91: allowed are 0 to 90"),
    ],
)
def test_a_wrong_argument_is_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError) as refusal:
        command.run(**arguments)
    assert message in str(refusal.value)


def test_what_aws_refuses_is_one_message(tmp_path: Path, session: Any) -> None:
    pricing = session.client("pricing", region_name="us-east-1")
    stub: Any = importlib.import_module("botocore.stub").Stubber(pricing)
    stub.add_client_error("get_products", "ExpiredTokenException", "the token is old")
    with stub, pytest.raises(MissingError, match="AWS could not be asked: .*the token is old"):
        command.run(output=tmp_path / "p.json", clients=lambda service, region: pricing, now=NOW)


def test_a_page_of_a_proxy_in_place_of_an_answer_is_one_message(tmp_path: Path) -> None:
    parsers: Any = importlib.import_module("botocore.parsers")

    def proxied(service: str, region: str) -> Any:
        raise parsers.ResponseParserError("<html>")

    with pytest.raises(MissingError, match="what answered is not AWS: its answer cannot be read"):
        command.run(output=tmp_path / "p.json", clients=proxied, now=NOW)


def test_without_credentials_it_says_which_questions_need_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        monkeypatch.delenv(name)
    for name in ("AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE"):
        monkeypatch.setenv(name, os.devnull)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    with pytest.raises(MissingError, match="needs credentials of any account, and there are none"):
        command.run(output=tmp_path / "p.json")


def test_the_spot_question_is_one_that_ec2_answers(session: Any) -> None:
    with mock_aws():
        client = session.client("ec2", region_name="us-east-1")
        found = spot_prices.hours(client, ["g6.xlarge"], datetime(2026, 11, 20, tzinfo=UTC), NOW)
        assert found.keys() <= {"g6.xlarge"}

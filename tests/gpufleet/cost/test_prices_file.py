"""A price file of one's own lies over the built-in prices, is named in what is printed, and is never looked for."""

import json
from pathlib import Path
from typing import Any

import pytest

from gpufleet.cost import bill, options
from gpufleet.errors import UsageError
from gpufleet.facts import prices
from tests.gpufleet.cost import shop

FILE: dict[str, Any] = {
    "schema": 1,
    "as_of": "2026-11-29",
    "instance_hours": [
        {"region": "us-east-1", "date": "2026-11-29", "source": "here", "usd": {"p5.48xlarge": 50.0}},
        {"region": "eu-west-1", "date": "2026-11-29", "source": "here", "usd": {"g6.xlarge": 0.9}},
    ],
    "services": [
        {
            "key": "nat-gateway",
            "region": "eu-west-1",
            "usd": 0.048,
            "unit": "hour",
            "date": "2026-11-29",
            "source": "here",
        }
    ],
    "spot_hours": [
        {
            "region": "us-east-1",
            "since": "2026-11-22",
            "until": "2026-11-29",
            "source": "here",
            "usd": {"g6.2xlarge": {"mean": 0.4, "low": 0.3, "high": 0.5}},
        }
    ],
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "prices.json"
    path.write_text(json.dumps(FILE), encoding="utf-8")
    return path


def hour(name: str, region: str) -> tuple[float, bool]:
    found = prices.instance_hour(name, region)
    assert found is not None
    return found.usd, found.assumed


def test_what_the_file_has_comes_first_and_the_rest_stays(file: Path) -> None:
    prices.use(file)
    assert hour("p5.48xlarge", "us-east-1") == (50.0, False)
    assert hour("p5.48xlarge", "eu-west-1") == (50.0, True)
    assert hour("g6.xlarge", "eu-west-1") == (0.9, False)
    assert hour("g6.xlarge", "us-east-1") == (0.8048, False)
    nat = prices.service("nat-gateway", "eu-west-1")
    assert nat is not None
    assert (nat.usd, nat.assumed) == (0.048, False)


def test_spot_history_is_of_its_own_region_only(file: Path) -> None:
    prices.use(file)
    found = prices.spot_hour("g6.2xlarge", "us-east-1")
    assert found is not None
    assert (found.mean, found.low, found.high, found.since) == (0.4, 0.3, 0.5, "2026-11-22")
    assert prices.spot_hour("g6.2xlarge", "eu-west-1") is None


def test_the_file_is_taken_away_again(file: Path) -> None:
    prices.use(file)
    assert (prices.as_of(), prices.source()) == ("2026-11-29", str(file))
    prices.use(None)
    assert (prices.as_of(), prices.source()) == ("2026-07-20", "built-in")


def test_the_environment_may_name_it(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(prices.VARIABLE, str(file))
    assert hour("p5.48xlarge", "us-east-1") == (50.0, False)


def test_spot_is_expected_at_its_history_and_the_bill_names_the_file(file: Path, program: Path) -> None:
    options.use_prices(file)
    found = bill.of(shop.load(program, "pools.dev.types=[g6.2xlarge]"), options.assumptions()).as_document()
    dev = next(line for line in found["lines"] if line["pool"] == "dev" and line["unit"] == "hour")
    assert dev["hourly_expected"] == pytest.approx(1.5 * 0.4)
    assert "expected at the spot history of 2026-11-22 to 2026-11-29" in dev["note"]
    assert (found["prices"]["from"], found["prices"]["as_of"]) == (str(file), "2026-11-29")


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("not JSON", "Expecting value"),
        ("[]", "it holds no JSON object"),
        ('{"schema": 2, "as_of": "x"}', "schema 2, not 1"),
        ('{"schema": 1}', "'as_of' is missing"),
        (
            json.dumps({**FILE, "instance_hours": [{"region": "a", "date": "b", "source": "c", "usd": {"d": 0}}]}),
            "d: 0 is",
        ),
    ],
)
def test_something_else_is_refused_with_the_reason(tmp_path: Path, content: str, why: str) -> None:
    path = tmp_path / "prices.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(UsageError) as refusal:
        options.use_prices(path)
    assert str(refusal.value).startswith(f"{path}: is not a price file: ")
    assert why in str(refusal.value)
    assert prices.source() == "built-in"


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read: No such file or directory"):
        options.use_prices(tmp_path / "none.json")

"""List prices and their stand-ins."""

import pytest

from gpufleet.facts import instances, prices


def test_a_price_of_its_own_region_is_not_assumed() -> None:
    found = prices.instance_hour("p5.48xlarge", "us-east-1")
    assert found is not None
    assert (found.usd, found.unit, found.region, found.date, found.assumed) == (
        55.04,
        "hour",
        "us-east-1",
        "2026-07-20",
        False,
    )


def test_a_price_of_another_region_stands_in_and_says_so() -> None:
    found = prices.instance_hour("g6.2xlarge", "eu-west-1")
    assert found is not None
    assert (found.usd, found.region, found.assumed) == (0.9776, "us-east-1", True)


@pytest.mark.parametrize("name", ["p5e.48xlarge", "p6e-gb200.36xlarge", "trn2.48xlarge", "no-such-type"])
def test_a_type_without_a_list_price_has_none(name: str) -> None:
    assert prices.instance_hour(name, "us-east-1") is None


@pytest.mark.parametrize(
    ("key", "usd", "unit"),
    [
        ("nat-gateway", 0.045, "hour"),
        ("interface-endpoint", 0.01, "hour"),
        ("eks-cluster", 0.1, "hour"),
        ("eks-cluster-extended", 0.6, "hour"),
        ("public-ipv4", 0.005, "hour"),
        ("ebs-gp3", 0.08, "gib-month"),
        ("kms-key", 1.0, "month"),
        ("fsx-lustre-persistent2-125", 0.145, "gib-month"),
        ("fsx-lustre-persistent2-250", 0.21, "gib-month"),
        ("fsx-lustre-persistent2-500", 0.34, "gib-month"),
        ("fsx-lustre-persistent2-1000", 0.6, "gib-month"),
    ],
)
def test_a_service_has_its_list_price(key: str, usd: float, unit: str) -> None:
    found = prices.service(key, "us-east-1")
    assert found is not None
    assert (found.usd, found.unit, found.assumed) == (usd, unit, False)


def test_an_unknown_service_has_no_price() -> None:
    assert prices.service("no-such-service", "us-east-1") is None


def test_every_figure_names_its_source_and_its_date() -> None:
    services = [prices.service(key, "us-east-1") for key in prices.service_keys()]
    hours = [prices.instance_hour(name, "us-east-1") for name in instances.names()]
    for found in [*services, *hours]:
        if found is not None:
            assert found.usd > 0
            assert found.source
            assert len(found.date) == len("2026-07-20")


def test_the_constants_come_from_the_file() -> None:
    assert (prices.AS_OF, prices.HOURS_PER_MONTH, prices.SPOT_FLOOR_RATIO) == ("2026-07-20", 730, 0.1)

"""The pinned charts."""

import re

import pytest

from gpufleet.facts import charts


@pytest.mark.parametrize("name", charts.names())
def test_a_chart_is_pinned_to_one_version_and_says_where_that_stands(name: str) -> None:
    chart = charts.get(name)
    assert re.fullmatch(r"v?\d+\.\d+\.\d+", chart.version)
    assert re.fullmatch(r"\d{4}-\d{2}-\d{2}", chart.date)
    assert chart.source.startswith("https://")
    assert re.fullmatch(r"(oci|https)://\S+[^/]", chart.repository)


@pytest.mark.parametrize("name", charts.names())
def test_an_image_is_named_with_its_registry_and_its_tag(name: str) -> None:
    for image in charts.get(name).images:
        assert re.fullmatch(r"[\w-]+(\.[\w-]+)+/[\w./-]+:[\w.-]+(@sha256:[0-9a-f]{64})?", image), image


def test_karpenter_and_its_definitions_are_of_one_version() -> None:
    assert charts.get("karpenter").version == charts.get("karpenter-crd").version == "1.14.1"
    assert charts.get("karpenter").address == "oci://public.ecr.aws/karpenter/karpenter"


def test_a_chart_in_a_repository_with_an_index_goes_by_its_name() -> None:
    chart = charts.Chart(
        "kueue", "https://charts.example.com", "1.0.0", "1.0.0", (), "https://example.com", "2026-01-01"
    )
    assert (chart.is_oci, chart.address) == (False, "kueue")


def test_a_chart_that_runs_nothing_has_no_images() -> None:
    definitions = charts.find("karpenter-crd")
    assert definitions is not None
    assert definitions.images == ()
    assert charts.find("karpentr") is None


def test_an_unknown_chart_is_answered_with_those_there_are() -> None:
    with pytest.raises(charts.UnknownChart, match="chart 'karpentr' is not in the catalogue; it has .*karpenter-crd"):
        charts.get("karpentr")

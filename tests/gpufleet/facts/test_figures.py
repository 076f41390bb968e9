"""Single figures."""

import pytest

from gpufleet.facts import figures


def test_every_figure_has_its_unit_its_source_and_its_date():
    for key in figures.keys():  # noqa: SIM118 -- a function of the module, no dict
        found = figures.get(key)
        assert found.value > 0
        assert found.unit
        assert found.source
        assert len(found.date) == len("2026-11-30")


def test_a_figure_that_is_assumed_says_so():
    assert figures.get("spot-interruptions-per-node-day").assumed
    assert not figures.get("s3-gets-per-second").assumed


def test_an_unknown_figure_is_an_error():
    with pytest.raises(KeyError):
        figures.get("no-such-figure")

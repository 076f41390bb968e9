"""Dates that S3's rules come to."""

from datetime import UTC, datetime

import pytest

from gpufleet.cleanup.lifecycle import Lifecycle
from tests.gpufleet.cleanup import world
from tests.gpufleet.cleanup.world import ABORT, EXPIRE, OLD, SCRATCH

WRITTEN = datetime(2026, 1, 15, 10, 30, tzinfo=UTC)


def test_days_are_rounded_up_to_the_next_midnight():
    found = world.read({"ID": "a", "Expiration": {"Days": 3}}).expires_at("a", 1, WRITTEN)
    assert found == datetime(2026, 1, 19, tzinfo=UTC)


def test_an_old_version_counts_from_when_it_was_replaced():
    assert world.read(OLD).removed_at("a", 1, WRITTEN, 0) == datetime(2026, 1, 17, tzinfo=UTC)


def test_an_unfinished_upload_counts_from_when_it_was_begun():
    assert world.read(ABORT).aborted_at("a", WRITTEN) == datetime(2026, 1, 23, tzinfo=UTC)


def test_the_earliest_of_several_rules_counts():
    early = {"ID": "early", "Filter": {"Prefix": "tmp/"}, "Expiration": {"Days": 1}}
    both = world.read(EXPIRE, early)
    assert both.expires_at("tmp/a", 1, WRITTEN) == datetime(2026, 1, 17, tzinfo=UTC)
    assert both.expires_at("a", 1, WRITTEN) == datetime(2026, 1, 30, tzinfo=UTC)


def test_a_rule_with_a_date_counts_that_date():
    date = datetime(2026, 2, 1, tzinfo=UTC)
    assert world.read({"ID": "a", "Expiration": {"Date": date}}).expires_at("a", 1, WRITTEN) == date


@pytest.mark.parametrize(("newer", "goes"), [(0, False), (1, False), (2, True)])
def test_the_newest_old_versions_stay_where_a_rule_keeps_them(newer: int, goes: bool):
    kept = {"ID": "a", "NoncurrentVersionExpiration": {"NoncurrentDays": 1, "NewerNoncurrentVersions": 2}}
    assert (world.read(kept).removed_at("a", 1, WRITTEN, newer) is not None) is goes


@pytest.mark.parametrize(("size", "goes"), [(10, False), (11, True), (19, True), (20, False)])
def test_sizes_of_a_filter_are_exclusive(size: int, goes: bool):
    sized = {"ID": "a", "Filter": {"And": {"ObjectSizeGreaterThan": 10, "ObjectSizeLessThan": 20}}}
    found = world.read({**sized, "Expiration": {"Days": 1}}).expires_at("a", size, WRITTEN)
    assert (found is not None) is goes


def test_a_rule_of_the_old_form_has_its_prefix_outside_of_a_filter():
    old_form = world.read({"ID": "a", "Filter": None, "Prefix": "tmp/", "Expiration": {"Days": 1}})
    assert old_form.expires_at("a", 1, WRITTEN) is None
    assert old_form.expires_at("tmp/a", 1, WRITTEN) is not None


def test_a_rule_that_is_switched_off_does_nothing():
    assert world.read({**EXPIRE, "Status": "Disabled"}) == Lifecycle()


def test_a_rule_that_asks_for_tags_is_shown_and_not_counted():
    tagged = world.read({**EXPIRE, "Filter": {"Tag": {"Key": "keep", "Value": "no"}}})
    assert tagged.expires_at("a", 1, WRITTEN) is None
    (sentence,) = tagged.sentences()
    assert sentence.endswith("after they were written (of objects with certain tags: not counted here)")


def test_rules_are_told_in_sentences():
    markers = {"ID": "markers", "Expiration": {"ExpiredObjectDeleteMarker": True}}
    tiers = {"ID": "tiers", "Filter": {"Prefix": "raw/"}, "Transitions": [{"StorageClass": "INTELLIGENT_TIERING"}]}
    assert world.read(*SCRATCH, markers, tiers).sentences() == [
        "abort-abandoned-uploads: unfinished uploads go 7 days after they began",
        "expire-objects: objects expire 14 days after they were written",
        "expire-old-versions: old versions go 1 day after they were replaced",
        "markers: removes spent delete markers",
        "tiers: moves to INTELLIGENT_TIERING below raw/",
    ]

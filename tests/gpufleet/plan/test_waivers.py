"""Where waivers are read, and how a wrong one is answered."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from gpufleet.errors import UsageError
from gpufleet.plan import waivers
from gpufleet.plan.waivers import Waiver

GIVEN = {
    "rule": "s3-bucket-versioned",
    "resource": "scratch",
    "reason": "made again by every job",
    "owner": "ml-platform",
    "expires": "2027-01-31",
}


@dataclass(frozen=True)
class Project:
    """A project without a program."""

    config: Mapping[str, str] = field(default_factory=lambda: {})
    name: str = "fleet"
    source: str = "Pulumi.prod.yaml"


def expected(origin: str, **changed: Any) -> Waiver:
    values: dict[str, Any] = {**GIVEN, "expires": date(2027, 1, 31), "origin": origin, **changed}
    return Waiver(**values)


def read(entry: Any) -> tuple[Waiver, ...]:
    return waivers.read(Project({"gpufleet:waivers": json.dumps([entry])}))


def test_a_stack_lists_them_in_its_settings_and_any_program_under_a_key_of_its_own():
    config = {
        "fleet:settings": json.dumps({"account_id": "1", "waivers": [GIVEN]}),
        "gpufleet:waivers": json.dumps([{**GIVEN, "resource": "other"}]),
    }
    assert waivers.read(Project(config)) == (
        expected("Pulumi.prod.yaml: fleet:settings.waivers.0"),
        expected("Pulumi.prod.yaml: gpufleet:waivers.0", resource="other"),
    )


@pytest.mark.parametrize("settings", ["", "[secret fleet:settings]", "[1]", '{"waivers": null}'])
def test_settings_without_any_have_none(settings: str):
    assert waivers.read(Project({"fleet:settings": settings})) == ()
    assert waivers.read(Project()) == ()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rule": None}, ".rule: missing\n  allowed: text that is not empty\n  fix: add rule"),
        ({"rule": "all"}, ".rule: 'all'\n  allowed: the id of one rule\n  fix: copy it from the violation"),
        ({"rule": "every rule"}, ".rule: 'every rule'\n  allowed: the id of one rule\n  fix: copy it"),
        ({"rule": "plan-preview-equals-update"}, "any rule but plan-preview-equals-update, waiver-expired"),
        ({"rule": "waiver-expired"}, ".rule: 'waiver-expired'\n  allowed: any rule but"),
        ({"resource": " "}, ".resource: ' '\n  allowed: text that is not empty\n  fix: write resource"),
        ({"reason": "because"}, ".reason: 'because'\n  allowed: at least 10 characters\n  fix: say why"),
        ({"owner": 7}, ".owner: 7\n  allowed: text that is not empty"),
        ({"expires": "soon"}, ".expires: 'soon'\n  allowed: a quoted date, YYYY-MM-DD\n  fix: write expires: \"2027"),
        ({"expires": "20270131"}, ".expires: '20270131'\n  allowed: a quoted date"),
        ({"expires": "2027-02-30"}, ".expires: '2027-02-30'\n  allowed: a quoted date"),
        ({"until": "x"}, ".until: 'x'\n  allowed: rule, resource, reason, owner, expires\n  fix: take until out"),
    ],
)
def test_a_wrong_one_is_answered_with_path_value_allowed_and_fix(change: Mapping[str, Any], message: str):
    entry = {key: value for key, value in {**GIVEN, **change}.items() if value is not None}
    with pytest.raises(UsageError) as refused:
        read(entry)
    assert str(refused.value).startswith("Pulumi.prod.yaml: gpufleet:waivers.0")
    assert message in str(refused.value)


@pytest.mark.parametrize("given", ["7", '{"rule": "x"}', "not json"])
def test_what_is_no_list_is_refused(given: str):
    with pytest.raises(UsageError, match=r"gpufleet:waivers: .*\n  allowed: a list of waivers"):
        waivers.read(Project({"gpufleet:waivers": given}))


def test_an_entry_that_is_no_mapping_is_refused():
    with pytest.raises(UsageError, match=r"gpufleet:waivers\.0: 's3-bucket-versioned'\n  allowed: a mapping with rule"):
        read("s3-bucket-versioned")


def test_a_file_of_its_own_may_write_days_as_yaml_does(tmp_path: Path):
    path = tmp_path / "waivers.yaml"
    path.write_text(
        "- rule: s3-bucket-versioned\n  resource: scratch\n  reason: made again by every job\n"
        "  owner: ml-platform\n  expires: 2027-01-31\n"
    )
    assert waivers.read_file(path) == (expected(f"{path}.0"),)


@pytest.mark.parametrize("text", ["a: [", None])
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, text: str | None):
    path = tmp_path / "waivers.yaml"
    if text is not None:
        path.write_text(text)
    with pytest.raises(UsageError, match=r"waivers\.yaml: cannot be read as YAML"):
        waivers.read_file(path)


URN = "urn:pulumi:prod::fleet::gpufleet:index:EncryptedBucket$aws:s3/bucket:Bucket::us-east-1-scratch"


@pytest.mark.parametrize(
    ("resource", "covered"),
    [
        ("us-east-1-scratch", True),
        ("*-scratch", True),
        ("*", True),
        (URN, True),
        ("*::aws:s3/bucket:Bucket::*", False),
        ("*$aws:s3/bucket:Bucket::*", True),
        ("scratch", False),
        ("US-EAST-1-SCRATCH", False),
    ],
)
def test_a_glob_is_held_against_the_urn_and_against_the_name(resource: str, covered: bool):
    assert expected("", resource=resource).covers(URN) is covered


def test_it_holds_on_its_last_day_and_not_on_the_next():
    waiver = expected("")
    assert not waiver.ended(date(2027, 1, 31))
    assert waiver.ended(date(2027, 2, 1))


def test_the_exceptions_of_a_pack_configuration_have_exact_urns_and_no_day():
    config = {
        "version": 2,
        "exceptions": {"EXC-1": {"reason": "old", "match": [{"policies": ["a-rule"], "targets": ["urn:x[1]"]}]}},
    }
    [found] = waivers.exceptions(config, Path("c.json"))
    assert found.as_document() == {
        "rule": "a-rule",
        "resource": "urn:x[[]1]",
        "reason": "old",
        "owner": "the policy configuration",
        "expires": None,
    }
    assert found.covers("urn:x[1]")
    assert not found.ended(date.max)
    assert found.told() == "waived by the policy configuration: old"


@pytest.mark.parametrize("config", [{}, {"version": 2}, {"exceptions": {}}, {"exceptions": "mandatory"}])
def test_a_pack_configuration_without_exceptions_waives_nothing(config: Mapping[str, Any]):
    assert waivers.exceptions(config, Path("c.json")) == ()


@pytest.mark.parametrize("exceptions", [[], {"E": 1}, {"E": {"reason": "x"}}, {"E": {"reason": " ", "match": []}}])
def test_exceptions_that_the_engine_would_not_take_are_refused(exceptions: Any):
    with pytest.raises(UsageError, match=r"c\.json: exceptions"):
        waivers.exceptions({"version": 2, "exceptions": exceptions}, Path("c.json"))

"""The file by which the engine honours waivers."""

import json
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pulumi_aws as aws
import pytest

from gpufleet.check import exceptions
from gpufleet.errors import MissingError
from gpufleet.plan import police, waivers
from gpufleet.plan.waivers import Waiver
from tests.gpufleet.check.verdicts import PREFIX, WAIVER
from tests.harness import record

DAY = date(2027, 1, 31)
URNS = [f"{PREFIX}datasets", f"{PREFIX}scratch", f"{PREFIX}other-scratch"]
OURS = {
    "waiver-0": {
        "reason": "made again by every job (waived by ml-platform until 2027-01-31)",
        "match": [{"policies": ["versioned"], "targets": [f"{PREFIX}scratch"]}],
    }
}


def written(
    *given: Waiver, config: Any = None, tmp_path: Path | None = None, today: date = DAY, pack: tuple[str, ...] = ()
) -> Any:
    path = None
    if config is not None and tmp_path is not None:
        path = tmp_path / "config.json"
        path.write_text(json.dumps(config))
    return exceptions.document(given, URNS, path, today=today, pack=pack)


def test_a_waiver_becomes_an_exception_with_exact_urns():
    assert written(WAIVER) == {"version": 2, "policies": {}, "exceptions": OURS}
    everywhere = written(replace(WAIVER, resource="*scratch"))["exceptions"]["waiver-0"]
    assert everywhere["match"] == [{"policies": ["versioned"], "targets": URNS[1:]}]


def test_one_that_ended_or_covers_nothing_is_not_written():
    assert written(WAIVER, today=date(2027, 2, 1)) == {}
    assert written(replace(WAIVER, resource="nobody")) == {}


def test_the_packs_own_configuration_is_kept(tmp_path: Path):
    assert written(WAIVER, config={"all": "advisory", "versioned": {"days": 3}}, tmp_path=tmp_path) == {
        "version": 2,
        "policies": {"all": "advisory", "versioned": {"days": 3}},
        "exceptions": OURS,
    }
    own: Any = {"reason": "old", "match": [{"policies": ["x"], "targets": ["urn:pulumi:a::b::c::d"]}]}
    second = {"version": 2, "policies": {"all": "advisory"}, "exceptions": {"EXC-1": own}}
    assert written(WAIVER, config=second, tmp_path=tmp_path) == {**second, "exceptions": {"EXC-1": own, **OURS}}
    assert written(config={"all": "advisory"}, tmp_path=tmp_path) == {"all": "advisory"}


def test_a_pack_that_can_tell_when_a_waiver_ended_is_told_its_day(tmp_path: Path):
    told = {"waivers": [{**WAIVER.as_document(), "origin": "Pulumi.prod.yaml: waivers.0"}]}
    pack = ("versioned", "waiver-expired")
    assert written(WAIVER, pack=pack) == {"version": 2, "policies": {"waiver-expired": told}, "exceptions": OURS}
    over = written(WAIVER, pack=pack, today=date(2027, 2, 1))
    assert over == {"version": 2, "policies": {"waiver-expired": told}, "exceptions": {}}
    level = written(WAIVER, pack=pack, config={"waiver-expired": "advisory"}, tmp_path=tmp_path)
    assert level["policies"] == {"waiver-expired": {"enforcementLevel": "advisory", **told}}
    assert written(pack=pack) == {}


def test_environments_stay_where_the_engine_looks_for_them(tmp_path: Path):
    assert written(WAIVER, config={"environments": ["team/prod"]}, tmp_path=tmp_path) == {
        "version": 2,
        "environments": ["team/prod"],
        "policies": {},
        "exceptions": OURS,
    }


def test_what_is_written_is_read_back_as_waivers(tmp_path: Path):
    path = tmp_path / "deep" / "waived.json"
    exceptions.write(path, written(WAIVER))
    [back] = waivers.exceptions(police.read_config_file(path), path)
    assert (back.rule, [urn for urn in URNS if back.covers(urn)]) == ("versioned", [f"{PREFIX}scratch"])
    assert police.read_config(path) == {}


def test_a_run_gets_a_file_for_its_own_resources_and_its_pack(tmp_path: Path):
    pack = Path(__file__).parents[3] / "policies"
    run = record(lambda: aws.s3.Bucket("scratch"), project="fleet", stack="prod").run
    path = exceptions.for_run([replace(WAIVER, expires=date(2099, 1, 31))], run, pack, None, tmp_path)
    found = json.loads(path.read_text())
    assert found["exceptions"]["waiver-0"]["match"] == [{"policies": ["versioned"], "targets": [f"{PREFIX}scratch"]}]
    assert list(found["policies"]) == ["waiver-expired"]


def test_a_configurations_own_exceptions_are_waivers_too(tmp_path: Path):
    path = tmp_path / "config.json"
    exceptions.write(path, written(WAIVER))
    assert [waiver.rule for waiver in exceptions.of_config(path)] == ["versioned"]
    assert exceptions.of_config(None) == ()


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path):
    (tmp_path / "file").write_text("")
    with pytest.raises(MissingError, match="waived.json: cannot be written"):
        exceptions.write(tmp_path / "file" / "waived.json", {})

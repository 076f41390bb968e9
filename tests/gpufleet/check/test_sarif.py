"""SARIF: valid, and each thing where code scanning looks for it."""

import json
import os
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from gpufleet.check import sarif
from tests.gpufleet.check.sarif_contract import LOG
from tests.gpufleet.check.verdicts import EVERYTHING, PREFIX, VIOLATIONS, verdict


def run(**changed: Any) -> Any:
    document = sarif.document(verdict(*changed.get("violations", VIOLATIONS), source=changed.get("source", SOURCE)))
    return json.loads(json.dumps(document))["runs"][0]


SOURCE = Path("/elsewhere/Pulumi prod.yaml")


def test_the_log_is_valid():
    for document in (sarif.document(EVERYTHING), sarif.document(verdict())):
        jsonschema.Draft202012Validator(LOG).validate(  # pyright: ignore[reportUnknownMemberType] -- untyped
            json.loads(json.dumps(document))
        )


def test_the_log_is_valid_by_the_standards_own_schema():
    copy = os.environ.get("GPUFLEET_SARIF_SCHEMA")
    if copy is None:
        pytest.skip("GPUFLEET_SARIF_SCHEMA names no copy of the schema")
    schema = json.loads(Path(copy).read_text(encoding="utf-8"))
    jsonschema.Draft4Validator(schema).validate(  # pyright: ignore[reportUnknownMemberType] -- untyped
        json.loads(json.dumps(sarif.document(EVERYTHING)))
    )


def test_a_rule_brings_its_help_its_level_and_its_score():
    rules = {rule["id"]: rule for rule in run()["tool"]["driver"]["rules"]}
    assert list(rules) == ["encrypted", "logged", "off", "quiet", "versioned"]
    assert rules["encrypted"] == {
        "id": "encrypted",
        "shortDescription": {"text": "What encrypted guards against."},
        "fullDescription": {"text": "What encrypted guards against."},
        "help": {
            "text": "What encrypted guards against.\n\nFix: Mend encrypted.",
            "markdown": "What encrypted guards against.\n\n**Fix:** Mend encrypted.\n\nAnswers CIS 1.\n\n"
            "[Read on](https://example.com/encrypted)",
        },
        "helpUri": "https://example.com/encrypted",
        "defaultConfiguration": {"level": "error", "enabled": True},
        "properties": {
            "tags": ["security", "data", "CIS 1"],
            "precision": "very-high",
            "problem.severity": "error",
            "security-severity": "9.5",
        },
    }
    assert rules["off"]["defaultConfiguration"] == {"level": "none", "enabled": False}
    assert rules["logged"]["defaultConfiguration"] == {"level": "warning", "enabled": True}
    assert [rules[name]["properties"]["security-severity"] for name in ("quiet", "versioned", "logged", "off")] == [
        "8.0",
        "5.0",
        "2.0",
        "1.0",
    ]


def test_a_result_lies_in_the_stacks_file_and_on_the_resource():
    first = run()["results"][0]
    assert (first["ruleId"], first["ruleIndex"], first["level"], first["kind"]) == ("encrypted", 0, "error", "fail")
    assert first["message"] == {"text": "100% open,\nand: so on \x00\n\nFix: Mend encrypted."}
    assert first["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": "file:///elsewhere/Pulumi%20prod.yaml", "index": 0},
                "region": {"startLine": 1},
            },
            "logicalLocations": [{"name": "datasets", "fullyQualifiedName": f"{PREFIX}datasets", "kind": "resource"}],
        }
    ]
    assert "suppressions" not in first


def test_a_violation_of_the_whole_stack_is_the_stack_resources():
    [logical] = run()["results"][2]["locations"][0]["logicalLocations"]
    assert logical["fullyQualifiedName"] == "urn:pulumi:prod::fleet::pulumi:pulumi:Stack::fleet-prod"


def test_a_waived_one_is_a_suppressed_result_that_says_why():
    assert run()["results"][3]["suppressions"] == [
        {
            "kind": "external",
            "status": "accepted",
            "justification": "waived by ml-platform until 2027-01-31: made again by every job",
        }
    ]


def test_fingerprints_tell_violations_apart_and_do_not_hang_on_the_message():
    hashes = [result["partialFingerprints"]["primaryLocationLineHash"] for result in run()["results"]]
    assert len(set(hashes)) == 4
    assert [entry[-2:] for entry in hashes] == [":1", ":2", ":1", ":1"]
    reworded = VIOLATIONS[2].__class__("logged", "", "nobody logs, for 3 days", "advisory", "low", "")
    [other] = run(violations=(reworded,))["results"]
    assert other["partialFingerprints"]["primaryLocationLineHash"] == hashes[2]


def test_stacks_keep_their_alerts_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    one = run(source=tmp_path / "stacks/Pulumi.prod.yaml")
    assert one["automationDetails"] == {"id": "gpufleet/check/fleet/prod/"}
    assert one["artifacts"] == [{"location": {"uri": "stacks/Pulumi.prod.yaml"}}]
    assert one["invocations"] == [{"executionSuccessful": True, "exitCode": 1}]
    assert run(violations=())["invocations"][0]["exitCode"] == 0

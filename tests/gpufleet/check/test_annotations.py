"""Workflow commands, parsed back as GitHub's runner does."""

import re
from pathlib import Path

import pytest

from gpufleet.check import annotations
from tests.gpufleet.check.verdicts import EVERYTHING, verdict

COMMAND = re.compile(r"::(?P<kind>\w+) (?P<properties>.*?)::(?P<message>.*)")


def parsed(line: str) -> tuple[str, dict[str, str], str]:
    found = COMMAND.fullmatch(line)
    assert found is not None, line
    properties = dict(entry.split("=", 1) for entry in found["properties"].split(","))
    return found["kind"], {key: unescaped(value) for key, value in properties.items()}, unescaped(found["message"])


def unescaped(text: str) -> str:
    for escape, character in (("%2C", ","), ("%3A", ":"), ("%0A", "\n"), ("%0D", "\r"), ("%25", "%")):
        text = text.replace(escape, character)
    return text


def test_each_violation_is_a_command_and_the_log_gets_a_line():
    *commands, last = annotations.text(EVERYTHING).splitlines()
    file = "/elsewhere/Pulumi.prod.yaml"
    assert [parsed(line) for line in commands] == [
        (
            "error",
            {"file": file, "line": "1", "title": "encrypted on datasets"},
            "100% open,\nand: so on \x00\nfix: Mend encrypted.",
        ),
        (
            "error",
            {"file": file, "line": "1", "title": "encrypted on datasets"},
            "a second fault\nfix: Mend encrypted.",
        ),
        ("warning", {"file": file, "line": "1", "title": "logged on the stack"}, "nobody logs\nfix: Mend logged."),
        (
            "notice",
            {"file": file, "line": "1", "title": "versioned on scratch"},
            "no versions\nwaived by ml-platform until 2027-01-31: made again by every job",
        ),
    ]
    assert last == "fleet/prod: 5 rules, 2 mandatory, 1 advisory, 1 waived"


def test_a_verdict_without_violations_is_the_line_alone():
    assert annotations.text(verdict()) == "fleet/prod: 5 rules, 0 mandatory, 0 advisory, 0 waived\n"


def test_a_file_below_the_working_directory_is_named_from_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    text = annotations.text(verdict(EVERYTHING.violations[1], source=tmp_path / "stacks" / "Pulumi.a,b.yaml"))
    assert text.startswith("::error file=stacks/Pulumi.a%2Cb.yaml,line=1,")

"""`gpufleet triage`: several files at once, standard input, the table and the document."""

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from gpufleet.errors import UsageError
from gpufleet.triage import command, thresholds
from tests.gpufleet.triage import samples


class Stdin:
    def __init__(self, text: str) -> None:
        self.buffer = io.BytesIO(text.encode())


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("smi.csv").write_text(samples.smi())
    Path("nccl.log").write_text(samples.TCP)
    Path("dmesg").write_text(samples.DMESG)


def document(capsys: pytest.CaptureFixture[str], *files: str) -> dict[str, Any]:
    command.run(files, as_json=True)
    return json.loads(capsys.readouterr().out)


def test_nothing_found_is_the_good_answer(capsys: pytest.CaptureFixture[str]):
    assert command.run(["smi.csv"]) is True
    out = capsys.readouterr().out
    assert "nothing found in the readings of 2 GPUs" in out
    assert "not looked at: communication; give step times with comm, or the job's log with NCCL_DEBUG=INFO" in out


def test_a_cause_is_told_with_evidence_and_what_to_try(capsys: pytest.CaptureFixture[str]):
    assert command.run(["dmesg", "nccl.log"]) is False
    out = capsys.readouterr().out
    assert "1. NCCL talks between nodes over TCP instead of EFA  critical, communication" in out
    assert "Using network Socket  nccl.log:4" in out
    assert "try: use an instance type with EFA" in out
    assert "3 causes, in the order in which to look: utilisation, memory, communication, faults" in out


def test_the_document_has_all_of_it(capsys: pytest.CaptureFixture[str]):
    found = document(capsys, "nccl.log")
    assert list(found) == ["schema", "inputs", "order", "findings", "not_looked_at"]
    assert found["schema"] == 1
    assert found["inputs"] == [{"file": "nccl.log", "format": "log", "lines": 16, "notes": []}]
    (finding,) = found["findings"]
    assert list(finding) == ["cause", "category", "severity", "title", "evidence", "next"]
    assert finding["evidence"][1] == {"text": "Using network Socket", "file": "nccl.log", "line": 4}
    assert [missing["category"] for missing in found["not_looked_at"]] == ["utilisation", "memory", "faults"]


def test_standard_input_is_a_file_too(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "stdin", Stdin(samples.DMESG))
    found = document(capsys, "-", "smi.csv")
    assert [one["file"] for one in found["inputs"]] == ["stdin", "smi.csv"]
    assert found["findings"][0]["evidence"][0]["file"] == "stdin"


def test_a_note_is_told(capsys: pytest.CaptureFixture[str]):
    Path("cut.csv").write_text(samples.smi()[:-40])
    command.run(["cut.csv"])
    assert "note: line 121, the last one, is cut off and was left out" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("files", "message"),
    [([], "no file"), (["dmesg", "dmesg"], "dmesg: is given twice"), (["gone"], "gone: cannot be")],
)
def test_what_cannot_be_asked_is_refused(files: list[str], message: str):
    with pytest.raises(UsageError, match=message):
        command.run(files)


def test_markup_in_a_log_is_text(capsys: pytest.CaptureFixture[str]):
    Path("odd.log").write_text("[red]CUDA out of memory[/red]\n")
    command.run(["odd.log"])
    assert "[red]CUDA out of memory[/red]" in capsys.readouterr().out


def test_every_xid_has_an_action_and_every_threshold_a_source():
    folder = Path(thresholds.__file__).with_name("data")
    table = json.loads((folder / "xid.json").read_text())
    numbers = json.loads((folder / "thresholds.json").read_text())["thresholds"]
    assert {entry["action"] for entry in table["xids"].values()} == table["actions"].keys()
    assert list(table["xids"]) == sorted(table["xids"], key=int)
    assert all(entry.keys() == {"value", "unit", "source"} for entry in numbers.values())


def test_the_actions_are_those_of_the_published_table():
    by_action: dict[str, set[int]] = {}
    table = json.loads((Path(thresholds.__file__).with_name("data") / "xid.json").read_text())
    for code, entry in table["xids"].items():
        by_action.setdefault(entry["action"], set()).add(int(code))
    assert by_action["reboot"] == {79}
    assert by_action["reset"] == {48, 64, 95, 109, 110, 119, 120, 136, 140, 143, 155, 156, 158}
    assert by_action["isolate"] == {54}
    assert by_action["nvlink"] == {74}
    assert by_action["monitor"] == set(range(144, 151))
    assert by_action["restart"] == {13, 31, 94}
    assert by_action["note"] == {43, 45, 63, 92, 121}

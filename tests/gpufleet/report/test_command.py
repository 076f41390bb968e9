"""`gpufleet report`: where the page goes, and what the command answers."""

from datetime import date
from pathlib import Path

import pytest

from gpufleet.errors import MissingError, UsageError
from gpufleet.plan import project
from gpufleet.plan.project import Project
from gpufleet.report import command

PROGRAM = """
import pulumi_aws as aws
aws.sqs.Queue("jobs")
"""


@pytest.fixture
def loaded(tmp_path: Path) -> Project:
    program = tmp_path / "program"
    program.mkdir()
    (program / "Pulumi.yaml").write_text("name: shop\nruntime: python\n")
    (program / "__main__.py").write_text(PROGRAM)
    (program / "Pulumi.dev.yaml").write_text("config: {}\n")
    return project.load(program, "dev")


def test_the_page_is_written_and_the_verdict_given(loaded: Project, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    output = tmp_path / "page.html"
    assert command.run(loaded, output=output, policy_pack=None, today=date(2026, 11, 30)) is True
    assert output.read_text().startswith("<!doctype html>")
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.splitlines()[-1].startswith(f"{output}: ")
    assert captured.err.splitlines()[-1].endswith(" KiB, the plan holds")
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["page.html"]


def test_a_page_that_is_there_is_replaced(loaded: Project, tmp_path: Path):
    output = tmp_path / "page.html"
    output.write_text("old")
    command.run(loaded, output=output, policy_pack=None)
    assert "old" not in output.read_text()[:100]


def test_a_folder_is_no_file(loaded: Project, tmp_path: Path):
    with pytest.raises(UsageError, match=f"--output {tmp_path}: is a folder"):
        command.run(loaded, output=tmp_path, policy_pack=None)


def test_the_folder_must_be_there(loaded: Project, tmp_path: Path):
    with pytest.raises(UsageError, match="there is no folder .*/nowhere\n  fix: mkdir -p"):
        command.run(loaded, output=tmp_path / "nowhere" / "page.html", policy_pack=None)


def test_a_file_that_cannot_be_written_is_said_in_one_line(
    loaded: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    def refuse(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", refuse)
    with pytest.raises(MissingError, match="cannot be written: No space left on device"):
        command.run(loaded, output=tmp_path / "page.html", policy_pack=None)

"""What a session does before there is an engine to speak of, and with one that fails."""

import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from gpufleet.errors import UsageError
from gpufleet.rehearsal import standing, workspace
from gpufleet.rehearsal.engine import Engine
from gpufleet.rehearsal.operation import EngineFailed
from gpufleet.rehearsal.rehearse import rehearse
from gpufleet.rehearsal.session import UNNAMED_ACCOUNT, Session, Subject

Write = Callable[[str, str], Path]

# An engine that makes the stack and then does as the test says.
ENGINE = 'case "$*" in *"stack init"*) exit 0;; esac\n'


@dataclass(frozen=True)
class Program:
    """A project without a program."""

    directory: Path
    name: str = "fleet"
    stack: str = "dev"
    config: Mapping[str, str] = field(default_factory=lambda: {})


@pytest.fixture
def fake(tmp_path: Path, executable: Write, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Session]:
    """Make a session whose engine is a shell script; its folder is made below the test's own."""
    folders = tmp_path / "folders"
    folders.mkdir()

    def folder(prefix: str) -> str:
        (folders / prefix).mkdir()
        return str(folders / prefix)

    monkeypatch.setattr(workspace.tempfile, "mkdtemp", folder)

    def make(script: str) -> Session:
        engine = Engine(path=executable("pulumi", script), version="3.274.1", origin="path")
        return Session(Subject.of(Program(tmp_path)), engine)

    return make


@pytest.mark.parametrize(
    ("config", "account"),
    [
        ({"fleet:settings": '{"account_id": "111122223333"}'}, "111122223333"),
        ({"fleet:settings": '{"account_id": 5}'}, UNNAMED_ACCOUNT),
        ({"fleet:settings": "[1]"}, UNNAMED_ACCOUNT),
        ({"fleet:settings": "{broken"}, UNNAMED_ACCOUNT),
        ({}, UNNAMED_ACCOUNT),
    ],
)
def test_the_account_is_the_one_of_the_settings(tmp_path: Path, config: dict[str, str], account: str) -> None:
    assert Subject.of(Program(tmp_path, config=config)).account_id == account


def test_an_engine_that_refuses_the_stack_is_an_error_and_leaves_only_logs(
    fake: Callable[[str], Session], tmp_path: Path
) -> None:
    session = fake('echo "error: no such thing" >&2; exit 5')
    with pytest.raises(EngineFailed, match="pulumi stack init failed with status 5: error: no such thing"), session:
        pass
    assert [path.name for path in session.workspace.folder.iterdir()] == ["logs"]


def test_an_engine_that_fails_before_it_logs_events_is_quoted_from_what_it_printed(
    fake: Callable[[str], Session],
) -> None:
    with fake(ENGINE + 'echo "warning: w"; echo "error: stack is locked"; exit 255') as session:
        operation = session.up()
    assert not operation.ok
    assert [problem.message for problem in operation.problems] == ["stack is locked"]
    assert operation.problems[0].detail == "warning: w\nerror: stack is locked"


def test_progress_names_the_whole_only_when_it_is_known(
    fake: Callable[[str], Session], monkeypatch: pytest.MonkeyPatch
) -> None:
    event = '{"resOutputsEvent": {"metadata": {"urn": "a::b::c::vpc", "op": "create", "type": "c"}}}'
    script = ENGINE + f"while [ $# -gt 1 ]; do shift; done\necho '{event}' >> \"$1\""
    told: list[str] = []
    session = fake(script)
    monkeypatch.setattr(session, "_progress", told.append)
    with session:
        session.preview()
        session.up()
    assert told == ["preview: resource 1 (vpc)", "up: 1 of 1 resources (vpc)"]


def test_only_a_destroy_has_deletion_protection_lifted(fake: Callable[[str], Session], tmp_path: Path) -> None:
    log = tmp_path / "lifted"
    with fake(ENGINE + f'echo "$GPUFLEET_REHEARSAL_CLEAR_THE_WAY" >> {log}') as session:
        session.up()
        session.destroy()
        session.refresh()
    # The second is `state unprotect`, a short command of the engine's before the destroy.
    assert log.read_text().splitlines() == ["", "", "1", ""]


def test_a_session_that_went_well_leaves_nothing(fake: Callable[[str], Session], tmp_path: Path) -> None:
    with fake(ENGINE) as session:
        assert session.up().ok
    assert not session.workspace.folder.exists()


def test_an_engine_that_refuses_the_stack_fails_the_first_step_of_a_rehearsal(
    tmp_path: Path, executable: Write
) -> None:
    engine = Engine(path=executable("pulumi", 'echo "error: bad name" >&2; exit 5'), version="3.274.1", origin="path")
    report = rehearse(Subject.of(Program(tmp_path)), engine=engine)
    assert [(step.name, step.ok, step.detail) for step in report.steps] == [
        ("up", False, "pulumi stack init failed with status 5: error: bad name")
    ]
    assert report.logs is not None
    shutil.rmtree(report.logs.parent)


def test_a_folder_that_is_no_kept_rehearsal_is_not_removed(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="not the folder of a rehearsal that was kept"):
        standing.stop(tmp_path)
    assert tmp_path.is_dir()

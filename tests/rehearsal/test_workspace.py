"""The private folder and the engine's environment."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gpufleet.rehearsal.cloud import Cloud
from gpufleet.rehearsal.engine import Engine
from gpufleet.rehearsal.workspace import LANGUAGE_HOST, Workspace, has_language_host

Write = Callable[[str, str], Path]
CLOUD = Cloud.attach("http://127.0.0.1:1", "444455556666")


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    made = Workspace.create()
    yield made
    made.remove(keep_logs=False)
    assert not made.folder.exists()


def engine_at(path: Path) -> Engine:
    """An engine that need not be there."""
    return Engine(path=path, version="3.274.1", origin="cache")


def test_what_leads_to_a_real_account_or_backend_does_not_reach_the_engine(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("AWS_PROFILE", "AWS_REGION", "PULUMI_ACCESS_TOKEN", "PULUMI_CONFIG_PASSPHRASE_FILE"):
        monkeypatch.setenv(name, "real")
    monkeypatch.setenv("KEPT", "yes")
    environment = workspace.environment(engine_at(tmp_path / "pulumi"), CLOUD)
    assert "real" not in environment.values()
    assert environment["KEPT"] == "yes"
    assert environment["AWS_ENDPOINT_URL"] == environment["GPUFLEET_REHEARSAL_ENDPOINT"] == "http://127.0.0.1:1"
    assert environment["PULUMI_BACKEND_URL"] == workspace.state.as_uri()
    assert environment["PATH"].split(":")[:2] == [str(workspace.bin), str(tmp_path)]


def test_the_language_host_is_ours_only_where_the_official_one_is_missing(
    workspace: Workspace, executable: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    engine = engine_at(executable("engine/pulumi", ""))
    assert not has_language_host(engine)
    workspace.write_plugins(engine, {})
    assert [path.name for path in workspace.bin.iterdir()] == [LANGUAGE_HOST]

    executable(f"engine/{LANGUAGE_HOST}", "")
    assert has_language_host(engine)
    link = tmp_path / "link" / "pulumi"
    link.parent.mkdir()
    link.symlink_to(engine.path)
    assert has_language_host(engine_at(link))


def test_a_plugin_runs_its_module_and_nothing_in_the_current_directory(workspace: Workspace, tmp_path: Path) -> None:
    (tmp_path / "json.py").write_text("raise SystemExit('taken over')\n", encoding="utf-8")
    workspace.write_plugins(engine_at(tmp_path), {"pulumi-resource-tool": "json.tool"})
    command = [workspace.bin / "pulumi-resource-tool", "--compact"]
    answer = subprocess.run(command, input="[1, 2]", capture_output=True, text=True, cwd=tmp_path, check=True)
    assert answer.stdout == "[1,2]\n"


def test_structured_configuration_is_written_as_structure(workspace: Workspace) -> None:
    workspace.write_config("fleet", {"fleet:settings": '{"a": [1]}', "fleet:text": "{not json", "aws:region": "x"})
    config = json.loads(workspace.config_file.read_text(encoding="utf-8"))["config"]
    assert config == {"fleet:settings": {"a": [1]}, "fleet:text": "{not json", "aws:region": "x"}
    stub = json.loads((workspace.stub / "Pulumi.yaml").read_text(encoding="utf-8"))
    assert stub == {"name": "fleet", "runtime": "python"}


def test_after_a_failure_only_the_logs_are_left(workspace: Workspace) -> None:
    (workspace.logs / "up.log").write_text("said", encoding="utf-8")
    workspace.config_file.write_text("{}", encoding="utf-8")
    workspace.remove(keep_logs=True)
    assert [str(path.relative_to(workspace.folder)) for path in workspace.folder.rglob("*")] == ["logs", "logs/up.log"]


def test_the_program_is_run_by_the_interpreter_that_runs_this(workspace: Workspace, tmp_path: Path) -> None:
    environment = workspace.environment(engine_at(tmp_path / "pulumi"), CLOUD)
    assert environment["PULUMI_PYTHON_CMD"] == sys.executable

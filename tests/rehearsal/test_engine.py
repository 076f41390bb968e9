"""Finding the engine, with shell scripts in its place."""

from collections.abc import Callable
from pathlib import Path

import pytest

from gpufleet.rehearsal import engine
from gpufleet.rehearsal.engine import Engine

Write = Callable[[str, str], Path]


@pytest.fixture(autouse=True)
def empty_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing on PATH but the system's shell and an empty cache."""
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def test_nothing_is_found_on_an_empty_machine() -> None:
    assert engine.survey() == (None, [])


def test_a_new_enough_pulumi_on_path_is_taken(executable: Write) -> None:
    path = executable("bin/pulumi", "echo v3.280.1")
    assert engine.find_engine() == Engine(path=path, version="3.280.1", origin="path")


def test_an_old_pulumi_on_path_is_passed_over_with_the_reason(executable: Write) -> None:
    path = executable("bin/pulumi", "echo v3.100.0")
    found, passed_over = engine.survey()
    assert found is None
    assert passed_over == [f"{path} is 3.100.0, older than 3.260.0: older engines run Python policy packs another way"]


def test_a_broken_pulumi_on_path_gives_way_to_the_cache(executable: Write) -> None:
    executable("bin/pulumi", "exit 1")
    cached = executable(f"cache/gpufleet/engine/v{engine.pinned_version()}/pulumi", "echo v3.274.1")
    assert engine.find_engine() == Engine(path=cached, version="3.274.1", origin="cache")


def test_a_truncated_binary_in_the_cache_is_no_engine(tmp_path: Path) -> None:
    path = engine.built_path(engine.pinned_version())
    path.parent.mkdir(parents=True)
    path.write_bytes(b"\x7fELF\x02\x01\x01")
    path.chmod(0o755)
    assert engine.survey() == (None, [f"{path} does not answer `pulumi version`"])


def test_the_engine_is_asked_without_the_users_pulumi_settings(
    executable: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PULUMI_BACKEND_URL", "s3://real")
    monkeypatch.setenv("PULUMI_HOME", "/real/home")
    executable("bin/pulumi", 'test -z "$PULUMI_BACKEND_URL" -a "$PULUMI_HOME" != /real/home && echo v3.280.0')
    found = engine.find_engine()
    assert found is not None
    assert found.version == "3.280.0"


def test_a_development_version_is_read(executable: Write) -> None:
    path = executable("pulumi", "echo v3.281.0-dev.0+abc")
    assert engine.version_of(path) == "3.281.0-dev.0+abc"


def test_the_pinned_version_is_that_of_the_go_module() -> None:
    text = (engine.module_directory() / "go.mod").read_text(encoding="utf-8")
    assert f"require github.com/pulumi/pulumi/pkg/v3 v{engine.pinned_version()}\n" in text

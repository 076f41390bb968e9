"""Making an engine, with a shell script in Go's place."""

import socket
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from gpufleet.rehearsal import engine, engine_build

Write = Callable[[str, str], Path]

# Writes the file that `-o` names, the way `go build` does, and leaves one line for each build in `builds`.
GO = """
echo building >> "$BUILDS"
echo some/package >&2
while [ "$1" != -o ]; do shift; done
printf '#!/bin/sh\\necho v3.274.1\\n' > "$2"
chmod 755 "$2"
"""


@pytest.fixture(autouse=True)
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No engine, an empty cache, no internet, and whatever `bin` is given by the test."""
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("BUILDS", str(tmp_path / "builds"))

    def refuse(*_: object, **__: object) -> socket.socket:
        raise OSError("Network is unreachable")

    monkeypatch.setattr(socket, "create_connection", refuse)


def builds(tmp_path: Path) -> int:
    """How often Go was run."""
    path = tmp_path / "builds"
    return len(path.read_text(encoding="utf-8").splitlines()) if path.exists() else 0


def test_the_engine_is_built_once_and_then_found(executable: Write, tmp_path: Path) -> None:
    executable("bin/go", GO)
    first = engine.ensure_engine()
    second = engine.ensure_engine()
    assert (first.origin, second.origin) == ("built", "cache")
    assert first.path == second.path == engine.built_path(engine.pinned_version())
    assert builds(tmp_path) == 1


def test_two_builders_at_once_build_once(executable: Write, tmp_path: Path) -> None:
    executable("bin/go", GO)
    made: list[engine.Engine] = []
    threads = [threading.Thread(target=lambda: made.append(engine.ensure_engine())) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found.path for found in made] == [engine.built_path(engine.pinned_version())] * 2
    assert builds(tmp_path) == 1


def test_a_corrupted_engine_in_the_cache_is_built_again(executable: Write, tmp_path: Path) -> None:
    executable("bin/go", GO)
    path = engine.ensure_engine().path
    path.write_bytes(b"half a bina")
    assert engine.ensure_engine().version == "3.274.1"
    assert builds(tmp_path) == 2


def test_what_a_killed_builder_left_is_cleared_away(executable: Write) -> None:
    executable("bin/go", GO)
    stale = engine.cache_directory() / f".v{engine.pinned_version()}.dead"
    stale.mkdir(parents=True)
    engine.ensure_engine()
    assert sorted(path.name for path in engine.cache_directory().iterdir()) == [
        f"v{engine.pinned_version()}",
        f"v{engine.pinned_version()}.lock",
    ]


def test_progress_tells_what_is_done_and_for_how_long(executable: Write) -> None:
    executable("bin/go", GO)
    told: list[str] = []
    engine.ensure_engine(told.append)
    assert told[0].startswith(f"building the Pulumi engine {engine.pinned_version()} with Go, once (0 s): ")


def test_a_failed_build_is_reported_with_gos_own_words(executable: Write) -> None:
    executable("bin/go", "echo 'dial tcp: lookup modules.example: no such host' >&2; exit 1")
    with pytest.raises(engine.EngineMissing) as caught:
        engine.ensure_engine()
    message = str(caught.value)
    assert "Go: failed with status 1\ndial tcp: lookup modules.example: no such host" in message


def test_without_engine_go_or_network_one_line_names_the_three_ways_and_others_what_was_tried() -> None:
    with pytest.raises(engine.EngineMissing) as caught:
        engine.ensure_engine()
    ways, *tried = str(caught.value).splitlines()
    assert ways.startswith("the rehearsal needs the Pulumi engine, and there is none: put `pulumi` 3.260.0 or newer on")
    assert "or install Go (https://go.dev/dl/) and it is built once, or be online" in ways
    assert tried == [
        "  tried: Go: there is no `go` on PATH",
        "  tried: Pulumi's installer: get.pulumi.com cannot be reached (Network is unreachable)",
    ]
    assert caught.value.exit_status == 3


def test_a_build_that_makes_no_engine_is_refused(executable: Write) -> None:
    executable("bin/go", 'while [ "$1" != -o ]; do shift; done; printf nothing > "$2"')
    with pytest.raises(engine_build.WayBarred, match="does not answer `pulumi version`"):
        engine_build.build(engine.pinned_version(), lambda line: None)
    assert not engine.built_path(engine.pinned_version()).exists()


def test_a_cache_that_cannot_be_written_is_named(
    executable: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    executable("bin/go", GO)
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    with pytest.raises(engine_build.WayBarred, match="cannot be written: Not a directory"):
        engine_build.build("1.2.3", lambda line: None)

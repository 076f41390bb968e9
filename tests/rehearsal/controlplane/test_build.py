"""Building the programs, with a shell script in Go's place."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from gpufleet.rehearsal.controlplane import binaries, build, releases
from gpufleet.rehearsal.controlplane.binaries import PROGRAMS, ControlPlaneMissing

Write = Callable[[str, str], Path]
ROOT = Path(__file__).parents[3]

# Writes the program that `-o` names, the way `go build` does, and leaves a line for each in `builds`.
GO = """
echo some/package >&2
while [ "$1" != -o ]; do shift; done
echo "${2##*/}" >> "$BUILDS"
case "$2" in */etcd) words='etcd Version: 3.6.5';; *) words='Kubernetes v1.35.4';; esac
printf '#!/bin/sh\\necho "%s"\\n' "$words" > "$2"
chmod 755 "$2"
"""

# Says which build it is and never ends.
ENDLESS_GO = """
echo $$ > "$BUILDS"
exec sleep 600
"""

# A shell that starts the tests in the background has them ignore Ctrl-C, and so would this.
BUILDER = """
import signal
from gpufleet.rehearsal.controlplane.binaries import ensure_binaries
signal.signal(signal.SIGINT, signal.default_int_handler)
ensure_binaries("1.35", print)
"""


@pytest.fixture(autouse=True)
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No programs and an empty cache."""
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("BUILDS", str(tmp_path / "builds"))
    monkeypatch.delenv(binaries.ASSETS_VARIABLE, raising=False)


def release() -> releases.Release:
    found = releases.find("1.35")
    assert found is not None
    return found


def builds(tmp_path: Path) -> list[str]:
    """Which programs were built, in order."""
    path = tmp_path / "builds"
    return path.read_text(encoding="utf-8").split() if path.exists() else []


def cached() -> list[str]:
    """What lies in the cache."""
    top = binaries.cache_directory()
    return sorted(str(path.relative_to(top)) for path in top.rglob("*") if path.is_file())


def test_the_programs_are_built_once_and_then_found(executable: Write, tmp_path: Path) -> None:
    executable("bin/go", GO)
    first = binaries.ensure_binaries("1.35")
    second = binaries.ensure_binaries("1.35")
    assert {program.origin for program in first.programs.values()} == {"built"}
    assert {program.origin for program in second.programs.values()} == {"cache"}
    assert builds(tmp_path) == list(PROGRAMS)
    version = release().version
    assert cached() == [f"v{version}.lock", *(f"v{version}/{name}" for name in PROGRAMS)]


def test_only_what_is_missing_is_built(executable: Write, tmp_path: Path) -> None:
    executable("bin/go", GO)
    executable("bin/kube-apiserver", "echo 'Kubernetes v1.35.9'")
    found = binaries.ensure_binaries("1.35")
    assert found.programs["kube-apiserver"].origin == "path"
    assert builds(tmp_path) == ["etcd", "kube-controller-manager", "kube-scheduler"]


def test_two_builders_at_once_build_once(executable: Write, tmp_path: Path) -> None:
    executable("bin/go", GO)
    threads = [threading.Thread(target=binaries.ensure_binaries, args=("1.35",)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert builds(tmp_path) == list(PROGRAMS)


def test_a_corrupted_program_in_the_cache_is_built_again_alone(executable: Write, tmp_path: Path) -> None:
    executable("bin/go", GO)
    found = binaries.ensure_binaries("1.35")
    found["kube-scheduler"].write_bytes(b"half a bina")
    assert binaries.ensure_binaries("1.35").programs["kube-scheduler"].origin == "built"
    assert builds(tmp_path) == [*PROGRAMS, "kube-scheduler"]


def test_progress_tells_what_is_built_and_for_how_long(executable: Write) -> None:
    executable("bin/go", GO)
    told: list[str] = []
    binaries.ensure_binaries("1.35", told.append)
    assert told[0] == f"building etcd {release().etcd} with Go, once (0 s): starting"


def test_a_full_disk_is_reported_with_gos_own_words_and_leaves_no_half_program(executable: Write) -> None:
    executable("bin/go", 'while [ "$1" != -o ]; do shift; done; echo half > "$2"; echo "no space left" >&2; exit 1')
    with pytest.raises(ControlPlaneMissing, match="Go: failed with status 1\nno space left"):
        binaries.ensure_binaries("1.35")
    assert cached() == [f"v{release().version}.lock"]


def test_a_build_that_makes_no_program_is_refused(executable: Write) -> None:
    executable("bin/go", 'while [ "$1" != -o ]; do shift; done; printf nothing > "$2"')
    with pytest.raises(build.WayBarred, match="etcd was made but does not answer --version"):
        build.build(release(), ["etcd"], lambda line: None)
    assert cached() == [f"v{release().version}.lock"]


def test_a_cache_that_cannot_be_written_is_named(
    executable: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    executable("bin/go", GO)
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    with pytest.raises(build.WayBarred, match="cannot be written: Not a directory"):
        build.build(release(), ["etcd"], lambda line: None)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_a_builder_that_is_ended_leaves_no_process_and_no_scratch(
    number: signal.Signals, executable: Write, tmp_path: Path, ends: Callable[[int], bool]
) -> None:
    executable("bin/go", ENDLESS_GO)
    command = [sys.executable, "-c", BUILDER]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT, env=os.environ) as builder:
        assert builder.stdout is not None
        while not builds(tmp_path):
            builder.stdout.readline()
        builder.send_signal(number)
    go = int(builds(tmp_path)[0])
    assert ends(go)
    # The scratch folder is the last thing to go; whoever builds next clears it in any case.
    executable("bin/go", GO)
    binaries.ensure_binaries("1.35")
    version = release().version
    assert cached() == [f"v{version}.lock", *(f"v{version}/{name}" for name in PROGRAMS)]

"""Finding the programs, with shell scripts in their place."""

from collections.abc import Callable
from pathlib import Path

import pytest

from gpufleet.rehearsal.controlplane import binaries, releases
from gpufleet.rehearsal.controlplane.binaries import PROGRAMS, ControlPlaneMissing

Write = Callable[[str, str], Path]


@pytest.fixture(autouse=True)
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No programs, no Go and an empty cache."""
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv(binaries.ASSETS_VARIABLE, raising=False)


def answer(version: str) -> str:
    return f"echo 'Kubernetes v{version}'"


def answer_etcd(version: str) -> str:
    return f"echo 'etcd Version: {version}'; echo 'Git SHA: none'"


def install(executable: Write, folder: str, version: str, *names: str) -> None:
    for name in names:
        executable(f"{folder}/{name}", answer_etcd("3.6.5") if name == "etcd" else answer(version))


def test_programs_on_path_are_used_where_their_version_fits(executable: Write, tmp_path: Path) -> None:
    install(executable, "bin", "1.35.9", *PROGRAMS)
    found = binaries.ensure_binaries("1.35")
    assert {name: found[name] for name in PROGRAMS} == {name: tmp_path / "bin" / name for name in PROGRAMS}
    assert found.version == "1.35.9"
    assert {program.origin for program in found.programs.values()} == {"path"}


def test_the_assets_of_controller_tests_come_first_and_the_rest_from_elsewhere(
    executable: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(binaries.ASSETS_VARIABLE, str(tmp_path / "assets"))
    install(executable, "assets", "1.35.0", "etcd", "kube-apiserver")
    install(executable, "bin", "1.35.9", *PROGRAMS)
    found = binaries.survey("1.35").found
    assert {name: (program.origin, program.version) for name, program in found.items()} == {
        "etcd": ("assets", "3.6.5"),
        "kube-apiserver": ("assets", "1.35.0"),
        "kube-controller-manager": ("path", "1.35.9"),
        "kube-scheduler": ("path", "1.35.9"),
    }


def test_programs_in_the_cache_are_found(executable: Write) -> None:
    release = releases.find("1.35")
    assert release is not None
    install(executable, f"cache/gpufleet/controlplane/v{release.version}", release.version, *PROGRAMS)
    found = binaries.ensure_binaries("1.35")
    assert {program.origin for program in found.programs.values()} == {"cache"}
    assert found["etcd"] == binaries.built_path(release, "etcd")


def test_another_minor_version_is_passed_over_and_said(executable: Write, tmp_path: Path) -> None:
    install(executable, "bin", "1.34.4", *PROGRAMS)
    looked = binaries.survey("1.35")
    assert list(looked.found) == ["etcd"]
    assert looked.missing == ("kube-apiserver", "kube-controller-manager", "kube-scheduler")
    assert looked.passed_over["kube-apiserver"] == [f"{tmp_path / 'bin' / 'kube-apiserver'} is 1.34.4, not a 1.35"]


def test_an_etcd_that_is_too_old_is_passed_over(executable: Write, tmp_path: Path) -> None:
    executable("bin/etcd", answer_etcd("3.4.30"))
    assert binaries.survey("1.35").passed_over["etcd"] == [
        f"{tmp_path / 'bin' / 'etcd'} is 3.4.30, older than 3.5, which Kubernetes needs"
    ]


def test_a_program_that_is_broken_is_passed_over(executable: Write, tmp_path: Path) -> None:
    executable("bin/etcd", "exit 1")
    assert binaries.survey("1.35").passed_over["etcd"] == [f"{tmp_path / 'bin' / 'etcd'} does not answer --version"]


def test_what_is_missing_is_said_with_the_ways_to_get_it() -> None:
    release = releases.find("1.35")
    assert release is not None
    with pytest.raises(ControlPlaneMissing) as caught:
        binaries.ensure_binaries("1.35")
    lines = str(caught.value).splitlines()
    assert lines[0] == (
        "the rehearsal needs Kubernetes 1.35's etcd, kube-apiserver, kube-controller-manager and kube-scheduler, "
        "and there is none here. Either of these gives it one:"
    )
    assert lines[1].startswith("  - put them into the folder that KUBEBUILDER_ASSETS names, or on PATH")
    assert lines[2].startswith(f"  - install Go (https://go.dev/dl/), and {release.version} is built once")
    assert lines[3:] == ["What was tried:", "  - Go: there is no `go` on PATH"]
    assert caught.value.exit_status == 3


def test_a_version_that_cannot_be_built_says_which_can() -> None:
    with pytest.raises(ControlPlaneMissing) as caught:
        binaries.ensure_binaries("1.31")
    minors = [release.minor for release in releases.available()]
    assert "Go: there is no module for Kubernetes 1.31, only for " + ", ".join(minors[:-1]) in str(caught.value)
    assert str(caught.value).splitlines()[0].endswith("and there is none here. This gives it one:")

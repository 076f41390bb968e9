"""What doctor finds, on a machine that the test makes."""

from collections.abc import Callable
from pathlib import Path

import pytest

from gpufleet.rehearsal.controlplane import binaries, doctor
from gpufleet.rehearsal.controlplane.doctor import Finding

Write = Callable[[str, str], Path]


@pytest.fixture(autouse=True)
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing at all."""
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv(binaries.ASSETS_VARIABLE, raising=False)


def named(name: str, part: str | None = None) -> Finding:
    (found,) = [one for one in doctor.examine(["1.35"]) if one.name == name and part in (None, one.part)]
    return found


def test_on_an_empty_machine_nothing_is_found_and_each_thing_says_what_follows() -> None:
    found = {one.name: one for one in doctor.examine(["1.35"])}
    assert not found["pulumi"].found
    assert found["pulumi"].note == "built or installed by the first rehearsal"
    assert found["kube-apiserver"].note.endswith(" is built by the first rehearsal that needs it")
    assert found["go"].note == "nothing can be built without it: https://go.dev/dl/"
    assert found["pulumi-resource-kubernetes"].note == "a rehearsal uses its own stand-in"
    assert found["moto"].found


def test_what_is_found_says_where_and_which_version(executable: Write, tmp_path: Path) -> None:
    executable("bin/etcd", "echo 'etcd Version: 3.6.5'; echo")
    assert named("etcd") == Finding(
        part="kubernetes 1.35",
        name="etcd",
        found=True,
        version="3.6.5",
        where=str(tmp_path / "bin" / "etcd"),
        origin="path",
        note="",
    )


def test_what_is_passed_over_says_why(executable: Write, tmp_path: Path) -> None:
    executable("bin/kube-scheduler", "echo 'Kubernetes v1.34.4'")
    found = named("kube-scheduler")
    assert not found.found
    assert found.note.startswith(f"{tmp_path / 'bin' / 'kube-scheduler'} is 1.34.4, not a 1.35; ")


def test_an_engine_without_language_host_says_that_ours_is_used(executable: Write) -> None:
    executable("bin/pulumi", "echo v3.274.1")
    assert (named("pulumi").version, named("pulumi").origin) == ("3.274.1", "path")
    assert named("pulumi-language-python").note == "ours is used in its place"


def test_gos_version_is_told(executable: Write) -> None:
    executable("bin/go", "echo go1.26.8")
    assert named("go").version == "1.26.8"


def test_every_version_that_can_be_built_is_looked_for() -> None:
    parts = {one.part for one in doctor.examine()}
    assert "kubernetes 1.35" in parts


def test_a_version_that_cannot_be_built_says_where_to_put_it() -> None:
    found = next(one for one in doctor.examine(["1.31"]) if one.name == "etcd")
    assert found.note == "not built by gpufleet: put it on PATH or into KUBEBUILDER_ASSETS"

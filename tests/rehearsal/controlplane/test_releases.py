"""The releases that can be built, and the tool that writes their modules."""

import re

import pytest

from gpufleet.facts import kubernetes
from gpufleet.rehearsal.controlplane import releases
from tools.controlplane import generate

UPSTREAM = {
    "Go": "1.25.0",
    "Require": [{"Path": "go.etcd.io/etcd/server/v3", "Version": "v3.6.5"}],
    "Replace": [
        {"Old": {"Path": "k8s.io/client-go"}, "New": {"Path": "./staging/src/k8s.io/client-go"}},
        {"Old": {"Path": "k8s.io/api"}, "New": {"Path": "./staging/src/k8s.io/api"}},
        {"Old": {"Path": "example.com/fork"}, "New": {"Path": "example.com/ours", "Version": "v1.0.0"}},
    ],
}


def test_the_version_that_clusters_get_can_be_built() -> None:
    release = releases.find(kubernetes.DEFAULT_VERSION)
    assert release is not None
    assert release.version.startswith(f"{kubernetes.DEFAULT_VERSION}.")
    assert release.etcd.startswith("3.")


def test_a_version_without_a_module_is_not_found() -> None:
    assert releases.find("1.99") is None


def test_releases_are_sorted_by_number_and_not_by_letter() -> None:
    versions = [release.version for release in releases.available()]
    assert versions == sorted(versions, key=releases.numbers)
    assert releases.numbers("1.9.10") < releases.numbers("1.35.4")


@pytest.mark.parametrize("minor", [release.minor for release in releases.available()])
def test_every_library_of_a_release_is_of_that_release(minor: str) -> None:
    release = releases.find(minor)
    assert release is not None
    replaced = re.findall(r"^\t(k8s\.io/\S+) => (\S+) (\S+)$", (release.module / "go.mod").read_text(), re.MULTILINE)
    assert len(replaced) >= 30
    assert {(old == new, version) for old, new, version in replaced} == {(True, "v0" + release.version[1:])}
    assert f"k8s.io/kubernetes v{release.version} h1:" in (release.module / "go.sum").read_text()


def test_the_generator_repeats_the_replacements_of_kubernetes_own_go_mod() -> None:
    assert generate.go_mod("1.35.4", UPSTREAM) == (
        "module gpufleet/tools/controlplane\n"
        "\n"
        "go 1.25.0\n"
        "\n"
        "require (\n"
        "\tgo.etcd.io/etcd/server/v3 v3.6.5\n"
        "\tk8s.io/kubernetes v1.35.4\n"
        ")\n"
        "\n"
        "replace (\n"
        "\tk8s.io/api => k8s.io/api v0.35.4\n"
        "\tk8s.io/client-go => k8s.io/client-go v0.35.4\n"
        ")\n"
    )


def test_the_generator_asks_for_a_whole_release(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        generate.main(["1.35"])
    assert "'1.35' is not a release of Kubernetes; give all three numbers, as 1.35.4" in capsys.readouterr().err

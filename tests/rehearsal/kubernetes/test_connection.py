"""Kubeconfigs: the rehearsal's, which is followed, and the program's, which is only looked at."""

import json
from pathlib import Path
from typing import Any

import pytest

from gpufleet.rehearsal.kubernetes.connection import KUBECONFIG, of_rehearsal, validate
from gpufleet.rehearsal.kubernetes.errors import RehearsalError


def kubeconfig(server: str = "https://127.0.0.1:6443", **changes: Any) -> str:
    return json.dumps(
        {
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [{"name": "c", "cluster": {"server": server}}],
            "users": [{"name": "u", "user": {"token": "t"}}],
            "contexts": [{"name": "x", "context": {"cluster": "c", "user": "u"}}],
            "current-context": "x",
            **changes,
        }
    )


def test_the_rehearsals_control_plane_is_found_by_text_and_by_path(tmp_path: Path) -> None:
    path = tmp_path / "kubeconfig"
    path.write_text(kubeconfig("https://localhost:1/"))
    for given in (kubeconfig("https://localhost:1/"), str(path)):
        found = of_rehearsal({KUBECONFIG: given})
        assert (found.server, found.token) == ("https://localhost:1", "t")


def test_outside_a_rehearsal_it_refuses_to_run() -> None:
    with pytest.raises(RehearsalError, match="is started by `gpufleet rehearse` only"):
        of_rehearsal({})


@pytest.mark.parametrize("server", ["https://10.0.0.1:443", "https://lab.eks.amazonaws.com", "https://127.evil.dev"])
def test_a_control_plane_elsewhere_is_refused(server: str) -> None:
    with pytest.raises(RehearsalError, match="is not a loopback address"):
        of_rehearsal({KUBECONFIG: kubeconfig(server)})


def test_the_programs_kubeconfig_may_name_any_cluster() -> None:
    validate(kubeconfig("https://lab.eks.amazonaws.com"))
    validate(kubeconfig(**{"current-context": "gone"}), "x")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (kubeconfig(**{"current-context": "y"}), "kubeconfig: context 'y' is not in contexts, which has x"),
        (kubeconfig(**{"current-context": ""}), "kubeconfig: current-context is not set"),
        (kubeconfig(clusters=[]), "kubeconfig: context 'x': cluster 'c' is not in clusters, which has none"),
        (kubeconfig(users=None), "kubeconfig: context 'x': user 'u' is not in users, which has none"),
        (kubeconfig(""), "kubeconfig: cluster 'c': server is not set"),
        ("a: [\n", "kubeconfig: not YAML: "),
        ("- a\n- b\n", "a kubeconfig is a mapping with clusters, users and contexts, not ['a', 'b']"),
        ("/no/such/file", "neither the text of a kubeconfig nor the path of one"),
    ],
)
def test_a_kubeconfig_that_no_client_could_use_is_refused(given: str, said: str) -> None:
    with pytest.raises(RehearsalError) as refused:
        validate(given)
    assert said in str(refused.value)

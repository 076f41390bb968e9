"""What the official provider replaces whatever the API server says."""

import pytest

from gpufleet.rehearsal.kubernetes.paths import parsed
from gpufleet.rehearsal.kubernetes.replacing import Mutable, always, meets


def replaces(path: str, api_version: str, kind: str, mutable: Mutable = Mutable(), **content: object) -> bool:  # noqa: B008
    return meets(parsed(path), always({"apiVersion": api_version, "kind": kind, **content}, mutable))


@pytest.mark.parametrize(
    ("path", "api_version", "kind"),
    [
        ("spec.selector.matchLabels.app", "apps/v1", "Deployment"),
        ("spec", "batch/v1", "Job"),
        ("spec.parallelism", "batch/v1", "Job"),
        ("spec.containers[1].image", "v1", "Pod"),
        ("data.key", "v1", "ConfigMap"),
        ("stringData", "v1", "Secret"),
        ("roleRef.name", "rbac.authorization.k8s.io/v1", "RoleBinding"),
    ],
)
def test_a_change_there_needs_another_object(path: str, api_version: str, kind: str) -> None:
    assert replaces(path, api_version, kind)


@pytest.mark.parametrize(
    ("path", "api_version", "kind"),
    [
        ("spec.replicas", "apps/v1", "Deployment"),
        ("metadata.labels.a", "v1", "ConfigMap"),
        ("spec.selector", "lab.dev/v1", "Deployment"),
    ],
)
def test_a_change_there_is_the_servers_business(path: str, api_version: str, kind: str) -> None:
    assert not replaces(path, api_version, kind)


def test_the_provider_can_be_told_to_change_config_maps_in_place() -> None:
    assert not replaces("data", "v1", "ConfigMap", Mutable(config_maps=True))
    assert replaces("data", "v1", "ConfigMap", Mutable(secrets=True))
    assert replaces("data", "v1", "ConfigMap", Mutable(config_maps=True), immutable=True)

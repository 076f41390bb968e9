from policies.rules.k8s_requests_and_limits import RULE
from tests.policies.judging import later, messages
from tests.policies.manifests import Manifest, deployment


def test_a_container_without_requests_and_limits_is_reported(preview: bool) -> None:
    def build() -> None:
        deployment(
            "d", {"name": "c", "image": "i:1"}, {"name": "e", "image": "i:1", "resources": {"requests": {"cpu": "1"}}}
        )

    assert messages(RULE, build, preview=preview) == [
        "d: spec.template.spec.containers[0].resources lacks requests.cpu, requests.memory, "
        "limits.memory; each must be there.",
        "d: spec.template.spec.containers[1].resources lacks requests.memory, limits.memory; each must be there.",
    ]


def test_a_container_with_both_and_the_clusters_own_are_quiet(preview: bool) -> None:
    def build() -> None:
        deployment(
            "d", {"name": "c", "image": "i:1", "resources": {"requests": {"cpu": "1"}, "limits": {"memory": "1Gi"}}}
        )
        Manifest(
            "kubernetes:apps/v1:DaemonSet",
            "agent",
            metadata={"namespace": "kube-system"},
            spec={"template": {"spec": {"containers": [{"name": "c", "image": "i:1"}]}}},
        )

    assert messages(RULE, build, preview=preview) == []


def test_unknown_resources_are_quiet_until_they_are_known() -> None:
    def build() -> None:
        deployment("d", {"name": "c", "image": "i:1", "resources": later({})})

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == [
        "d: spec.template.spec.containers[0].resources lacks requests.cpu, requests.memory, "
        "limits.memory; each must be there.",
    ]

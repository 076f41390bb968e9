from policies.rules.k8s_namespace_pod_security import RULE
from tests.policies.judging import later, messages
from tests.policies.manifests import Manifest


def test_a_namespace_without_a_level_or_with_none_is_reported(preview: bool) -> None:
    def build() -> None:
        Manifest("kubernetes:core/v1:Namespace", "n", metadata={"name": "vision"})
        Manifest(
            "kubernetes:core/v1:Namespace",
            "p",
            metadata={"name": "vision", "labels": {"pod-security.kubernetes.io/enforce": "privileged"}},
        )

    assert messages(RULE, build, preview=preview) == [
        "n: label pod-security.kubernetes.io/enforce is not set; it must be baseline or restricted.",
        "p: label pod-security.kubernetes.io/enforce is privileged; it must be baseline or restricted.",
    ]


def test_a_namespace_with_a_level_and_the_clusters_own_are_quiet(preview: bool) -> None:
    def build() -> None:
        Manifest(
            "kubernetes:core/v1:Namespace",
            "n",
            metadata={"name": "vision", "labels": {"pod-security.kubernetes.io/enforce": "restricted"}},
        )
        Manifest("kubernetes:core/v1:Namespace", "s", metadata={"name": "kube-system"})

    assert messages(RULE, build, preview=preview) == []


def test_an_unknown_level_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        Manifest(
            "kubernetes:core/v1:Namespace",
            "n",
            metadata={"name": "vision", "labels": {"pod-security.kubernetes.io/enforce": later("privileged")}},
        )

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == [
        "n: label pod-security.kubernetes.io/enforce is privileged; it must be baseline or restricted.",
    ]

from policies.rules.k8s_namespace_default_deny import RULE
from tests.policies.judging import later, messages
from tests.policies.manifests import Manifest


def test_workloads_in_a_namespace_without_default_deny_are_reported(preview: bool) -> None:
    def build() -> None:
        Manifest(
            "kubernetes:apps/v1:Deployment",
            "d",
            metadata={"namespace": "vision"},
            spec={"template": {"spec": {"containers": [{"name": "c", "image": "i:1"}]}}},
        )
        Manifest(
            "kubernetes:networking.k8s.io/v1:NetworkPolicy",
            "deny",
            metadata={"namespace": "vision"},
            spec={"podSelector": {}, "policyTypes": ["Ingress"]},
        )

    assert messages(RULE, build, preview=preview) == [
        "d: runs in namespace vision, which has no network policy that denies all Egress; there must be "
        "one with an empty podSelector and no rules.",
    ]


def test_a_policy_for_some_pods_does_not_do(preview: bool) -> None:
    def build() -> None:
        Manifest(
            "kubernetes:apps/v1:Deployment",
            "d",
            metadata={"namespace": "vision"},
            spec={"template": {"spec": {"containers": [{"name": "c", "image": "i:1"}]}}},
        )
        Manifest(
            "kubernetes:networking.k8s.io/v1:NetworkPolicy",
            "deny",
            metadata={"namespace": "vision"},
            spec={"podSelector": {"matchLabels": {"app": "x"}}, "policyTypes": ["Ingress", "Egress"]},
        )

    assert messages(RULE, build, preview=preview) == [
        "d: runs in namespace vision, which has no network policy that denies all Ingress and Egress; "
        "there must be one with an empty podSelector and no rules.",
    ]


def test_a_namespace_that_denies_both_ways_and_the_clusters_own_are_quiet(preview: bool) -> None:
    def build() -> None:
        Manifest(
            "kubernetes:apps/v1:Deployment",
            "d",
            metadata={"namespace": "vision"},
            spec={"template": {"spec": {"containers": [{"name": "c", "image": "i:1"}]}}},
        )
        Manifest(
            "kubernetes:networking.k8s.io/v1:NetworkPolicy",
            "deny",
            metadata={"namespace": "vision"},
            spec={"podSelector": {}, "policyTypes": ["Ingress", "Egress"]},
        )
        Manifest(
            "kubernetes:apps/v1:Deployment",
            "s",
            metadata={"namespace": "kube-system"},
            spec={"template": {"spec": {"containers": [{"name": "c", "image": "i:1"}]}}},
        )

    assert messages(RULE, build, preview=preview) == []


def test_a_policy_that_is_unknown_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        Manifest(
            "kubernetes:apps/v1:Deployment",
            "d",
            metadata={"namespace": "vision"},
            spec={"template": {"spec": {"containers": [{"name": "c", "image": "i:1"}]}}},
        )
        Manifest(
            "kubernetes:networking.k8s.io/v1:NetworkPolicy",
            "deny",
            metadata={"namespace": "vision"},
            spec=later({"podSelector": {}, "policyTypes": ["Ingress"]}),
        )

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == [
        "d: runs in namespace vision, which has no network policy that denies all Egress; there must be "
        "one with an empty podSelector and no rules.",
    ]

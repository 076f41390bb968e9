from policies.rules.k8s_gpu_workload_tolerates import RULE
from tests.policies.elastic import TAINT, node_pool
from tests.policies.judging import later, messages
from tests.policies.manifests import Manifest


def test_a_gpu_pod_without_a_toleration_is_reported(preview: bool) -> None:
    def build() -> None:
        Manifest(
            "kubernetes:batch/v1:Job",
            "job",
            spec={
                "template": {
                    "spec": {
                        "containers": [{"name": "c", "image": "i:1", "resources": {"limits": {"nvidia.com/gpu": 8}}}]
                    }
                }
            },
        )

    assert messages(RULE, build, preview=preview) == [
        "job: spec.template.spec asks for nvidia.com/gpu and does not tolerate the taint nvidia.com/gpu "
        "of its nodes; it must have a toleration {key: nvidia.com/gpu, operator: Exists, effect: "
        "NoSchedule}.",
    ]


def test_a_pod_that_tolerates_one_of_its_pools_two_taints_is_reported(preview: bool) -> None:
    def build() -> None:
        node_pool(node={"taints": [TAINT, {"key": "team", "effect": "NoSchedule"}]})
        Manifest(
            "kubernetes:batch/v1:Job",
            "job",
            spec={
                "template": {
                    "spec": {
                        "containers": [{"name": "c", "image": "i:1", "resources": {"limits": {"nvidia.com/gpu": 8}}}],
                        "nodeSelector": {"gpufleet.io/pool": "train"},
                        "tolerations": [{"key": "nvidia.com/gpu", "operator": "Exists"}],
                    }
                }
            },
        )

    assert messages(RULE, build, preview=preview) == [
        "job: spec.template.spec asks for nvidia.com/gpu and does not tolerate the taint team of its "
        "nodes; it must have a toleration {key: team, operator: Exists, effect: NoSchedule}.",
    ]


def test_a_pod_that_tolerates_all_and_one_without_gpus_are_quiet(preview: bool) -> None:
    def build() -> None:
        Manifest(
            "kubernetes:batch/v1:Job",
            "job",
            spec={
                "template": {
                    "spec": {
                        "containers": [{"name": "c", "image": "i:1", "resources": {"limits": {"nvidia.com/gpu": 8}}}],
                        "tolerations": [{"operator": "Exists"}],
                    }
                }
            },
        )
        Manifest(
            "kubernetes:batch/v1:Job",
            "cpu",
            spec={"template": {"spec": {"containers": [{"name": "c", "image": "i:1"}]}}},
        )

    assert messages(RULE, build, preview=preview) == []


def test_an_unknown_toleration_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        Manifest(
            "kubernetes:batch/v1:Job",
            "job",
            spec={
                "template": {
                    "spec": {
                        "containers": [{"name": "c", "image": "i:1", "resources": {"limits": {"nvidia.com/gpu": 8}}}],
                        "tolerations": [{"key": later("other"), "operator": "Exists"}],
                    }
                }
            },
        )

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == [
        "job: spec.template.spec asks for nvidia.com/gpu and does not tolerate the taint nvidia.com/gpu "
        "of its nodes; it must have a toleration {key: nvidia.com/gpu, operator: Exists, effect: "
        "NoSchedule}.",
    ]

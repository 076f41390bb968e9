from policies.rules.k8s_gpu_workload_asks_efa import RULE
from tests.policies.elastic import EFA, node_class, node_pool, requirements
from tests.policies.judging import later, messages
from tests.policies.manifests import Manifest


def test_a_gpu_pod_on_efa_nodes_without_efa_is_reported(preview: bool) -> None:
    def build() -> None:
        node_class(networkInterfaces=EFA)
        node_pool(node={"requirements": requirements(["p4d.24xlarge"])})
        Manifest(
            "kubernetes:batch/v1:Job",
            "job",
            spec={
                "template": {
                    "spec": {
                        "containers": [{"name": "c", "image": "i:1", "resources": {"limits": {"nvidia.com/gpu": 8}}}],
                        "nodeSelector": {"gpufleet.io/pool": "train"},
                    }
                }
            },
        )
        Manifest(
            "kubernetes:batch/v1:Job",
            "by-label",
            spec={
                "template": {
                    "spec": {
                        "containers": [{"name": "c", "image": "i:1", "resources": {"limits": {"nvidia.com/gpu": 8}}}],
                        "nodeSelector": {"gpufleet.io/efa": "true"},
                    }
                }
            },
        )

    assert messages(RULE, build, preview=preview) == [
        "by-label: spec.template.spec runs on nodes with EFA and asks for none; vpc.amazonaws.com/efa "
        "must be the number of the type.",
        "job: spec.template.spec runs on nodes with EFA and asks for none; vpc.amazonaws.com/efa must be 4.",
    ]


def test_more_efa_than_a_node_has_is_reported(preview: bool) -> None:
    def build() -> None:
        node_class(networkInterfaces=EFA)
        node_pool(node={"requirements": requirements(["p4d.24xlarge"])})
        Manifest(
            "kubernetes:batch/v1:Job",
            "job",
            spec={
                "template": {
                    "spec": {
                        "containers": [
                            {
                                "name": "c",
                                "image": "i:1",
                                "resources": {"limits": {"nvidia.com/gpu": 8, "vpc.amazonaws.com/efa": 32}},
                            }
                        ],
                        "nodeSelector": {"gpufleet.io/pool": "train"},
                    }
                }
            },
        )

    assert messages(RULE, build, preview=preview) == [
        "job: spec.template.spec asks for 32 vpc.amazonaws.com/efa, and a node has 4; it never starts.",
    ]


def test_a_pod_that_asks_for_efa_and_one_on_other_nodes_are_quiet(preview: bool) -> None:
    def build() -> None:
        node_class(networkInterfaces=EFA)
        node_pool(node={"requirements": requirements(["p4d.24xlarge"])})
        Manifest(
            "kubernetes:batch/v1:Job",
            "job",
            spec={
                "template": {
                    "spec": {
                        "containers": [
                            {
                                "name": "c",
                                "image": "i:1",
                                "resources": {"limits": {"nvidia.com/gpu": 8, "vpc.amazonaws.com/efa": 4}},
                            }
                        ],
                        "nodeSelector": {"gpufleet.io/pool": "train"},
                    }
                }
            },
        )
        Manifest(
            "kubernetes:batch/v1:Job",
            "elsewhere",
            spec={
                "template": {
                    "spec": {
                        "containers": [{"name": "c", "image": "i:1", "resources": {"limits": {"nvidia.com/gpu": 8}}}]
                    }
                }
            },
        )

    assert messages(RULE, build, preview=preview) == []


def test_an_unknown_number_counts_as_asked(preview: bool) -> None:
    def build() -> None:
        node_class(networkInterfaces=EFA)
        node_pool(node={"requirements": requirements(["p4d.24xlarge"])})
        Manifest(
            "kubernetes:batch/v1:Job",
            "job",
            spec={
                "template": {
                    "spec": {
                        "containers": [
                            {
                                "name": "c",
                                "image": "i:1",
                                "resources": {"limits": {"nvidia.com/gpu": 8, "vpc.amazonaws.com/efa": later(4)}},
                            }
                        ],
                        "nodeSelector": {"gpufleet.io/pool": "train"},
                    }
                }
            },
        )

    assert messages(RULE, build, preview=preview) == []

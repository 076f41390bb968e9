from policies.rules.karpenter_node_pool_requirements import RULE
from tests.policies.elastic import node_pool, requirements
from tests.policies.judging import later, messages


def test_what_a_pool_does_not_say_is_reported(preview: bool) -> None:
    def build() -> None:
        node_pool(node={"requirements": []})
        node_pool("odd", node={"requirements": requirements(["x99.huge"])})

    assert messages(RULE, build, preview=preview) == [
        "odd: x99.huge is no type that the catalogue knows; correct the name, or refresh the catalogue.",
        "train: no requirement says for which processors images are made; there must be one of "
        "kubernetes.io/arch with operator In.",
        "train: no requirement says how they are bought; there must be one of karpenter.sh/capacity-type "
        "with operator In.",
        "train: no requirement says in which zones; there must be one of topology.kubernetes.io/zone with operator In.",
        "train: no requirement says which types may be bought; there must be one of "
        "node.kubernetes.io/instance-type with operator In.",
    ]


def test_a_pool_that_says_all_and_one_by_families_are_quiet(preview: bool) -> None:
    def build() -> None:
        node_pool()
        node_pool(
            "family",
            node={
                "requirements": [
                    {"key": "karpenter.k8s.aws/instance-family", "operator": "In", "values": ["g6"]},
                    *requirements()[1:],
                ]
            },
        )

    assert messages(RULE, build, preview=preview) == []


def test_unknown_requirements_are_quiet() -> None:
    def build() -> None:
        node_pool(node={"requirements": [later({}), *requirements()[1:]]})

    assert messages(RULE, build, preview=True) == []

from policies.rules.karpenter_node_class_one_identity import RULE
from tests.policies.elastic import node_class
from tests.policies.judging import later, messages


def test_a_class_with_neither_or_both_is_reported(preview: bool) -> None:
    def build() -> None:
        node_class(role=None)
        node_class("both", instanceProfile="p")

    assert messages(RULE, build, preview=preview) == [
        "both-nodes: spec has role and instanceProfile; it must have one of the two.",
        "train-nodes: spec has neither role nor instanceProfile; it must have one of the two.",
    ]


def test_a_class_with_one_of_them_is_quiet(preview: bool) -> None:
    def build() -> None:
        node_class()
        node_class("profile", role=None, instanceProfile=later("p"))

    assert messages(RULE, build, preview=preview) == []

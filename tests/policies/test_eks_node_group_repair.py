from policies.rules.eks_node_group_repair import RULE
from tests.policies.judging import later, messages
from tests.policies.pools import pool


def test_a_group_without_repair_is_reported(preview: bool) -> None:
    def build() -> None:
        pool()
        pool("off", node_repair_config={"enabled": False})

    assert messages(RULE, build, preview=preview) == [
        "gpu: nodeRepairConfig.enabled is not true (AWS default false); it should be, so that sick nodes are replaced.",
        "off: nodeRepairConfig.enabled is not true (AWS default false); it should be, so that sick nodes are replaced.",
    ]


def test_a_group_with_repair_is_quiet(preview: bool) -> None:
    def build() -> None:
        pool(node_repair_config={"enabled": True})

    assert messages(RULE, build, preview=preview) == []


def test_an_unknown_flag_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        pool(node_repair_config={"enabled": later(False)})

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == [
        "gpu: nodeRepairConfig.enabled is not true (AWS default false); it should be, so that sick nodes are replaced.",
    ]

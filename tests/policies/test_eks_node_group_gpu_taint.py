import pytest

from policies.rules.eks_node_group_gpu_taint import RULE
from tests.policies.judging import later, messages
from tests.policies.pools import GOOD_TAINT, pool

MUST = "a GPU pool must carry nvidia.com/gpu with effect NO_SCHEDULE or NO_EXECUTE."


@pytest.mark.parametrize(
    ("taints", "found"),
    [
        (None, "empty"),
        ([{"key": "team", "effect": "NO_SCHEDULE"}], "team:NO_SCHEDULE"),
        ([{"key": "nvidia.com/gpu", "effect": "PREFER_NO_SCHEDULE"}], "nvidia.com/gpu:PREFER_NO_SCHEDULE"),
    ],
)
def test_a_gpu_pool_without_a_binding_taint_is_reported(
    taints: list[dict[str, str]] | None, found: str, preview: bool
) -> None:
    assert messages(RULE, lambda: pool(taints=taints), preview=preview) == [f"gpu: taints is {found}; {MUST}"]


def test_a_tainted_pool_and_a_cpu_pool_are_quiet(preview: bool) -> None:
    def build() -> None:
        pool(taints=[{"key": "team", "effect": "NO_SCHEDULE"}, GOOD_TAINT])
        pool("cpu", types=("m7i.xlarge",), taints=None)

    assert messages(RULE, build, preview=preview) == []


def test_an_unknown_effect_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        pool(taints=[{"key": "nvidia.com/gpu", "effect": later("PREFER_NO_SCHEDULE")}])

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == [f"gpu: taints is nvidia.com/gpu:PREFER_NO_SCHEDULE; {MUST}"]

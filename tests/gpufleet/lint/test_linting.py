"""The verdict as a whole."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from gpufleet.plan.values import is_list, is_mapping
from tests.gpufleet.lint import stacks
from tests.gpufleet.lint.stacks import job, verdict

KEYS = st.sampled_from(["name", "key", "spec"])
TEXTS = st.text(max_size=3) | st.sampled_from(["8", "16Gi", "Exists", "sh"])
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXTS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(KEYS, inner, max_size=2),
    max_leaves=4,
)


def places(value: Any) -> list[tuple[Any, Any]]:
    """Everything in a value that can be replaced: what holds it, and its key or index there."""
    keys: list[Any] = list(value) if is_mapping(value) else list(range(len(value))) if is_list(value) else []
    return [(value, key) for key in keys] + [place for key in keys for place in places(value[key])]


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_whatever_stands_in_a_manifest_it_is_judged(data: st.DataObject) -> None:
    made = job("efa", pods=2)
    held, key = data.draw(st.sampled_from(places(made)))
    held[key] = data.draw(ANYTHING)

    for known in (True, False):
        verdict(made, known=known).as_document()


def test_warnings_alone_do_not_fail() -> None:
    made = job("plain")
    made["spec"].pop("activeDeadlineSeconds")
    found = verdict(made)
    assert ([one.rule.severity for one in found.findings], found.ok) == (["warning"], True)

    stacks.spec_of(made)["hostIPC"] = True
    assert not verdict(made).ok


def test_findings_come_in_the_order_of_the_file() -> None:
    made = job("plain")
    made["spec"].pop("activeDeadlineSeconds")
    stacks.container_of(made)["env"].append({"name": "NCCL_SHM_DISABLE", "value": "1"})
    stacks.spec_of(made)["hostIPC"] = True

    lines = [found.line for found in verdict(made, made).findings]
    assert lines == sorted(lines)
    assert len(lines) == 6

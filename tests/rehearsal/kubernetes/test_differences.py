"""The topmost paths at which two objects differ."""

from hypothesis import given
from hypothesis import strategies as st

from gpufleet.rehearsal.kubernetes.differences import Change, compare

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=10,
)


def test_added_deleted_and_updated_are_told_apart() -> None:
    before = {"spec": {"a": 1, "b": [1, 2], "c": "x"}}
    after = {"spec": {"a": 2, "b": [1], "d": {"e": 1}}}
    assert compare(before, after) == {
        ("spec", "a"): Change.UPDATED,
        ("spec", "b", 1): Change.DELETED,
        ("spec", "c"): Change.DELETED,
        ("spec", "d"): Change.ADDED,
    }


def test_true_is_not_one() -> None:
    assert compare({"a": 1}, {"a": True}) == {("a",): Change.UPDATED}


@given(VALUES)
def test_nothing_differs_from_itself(value: object) -> None:
    assert compare(value, value) == {}


@given(VALUES, VALUES)
def test_both_directions_name_the_same_paths(one: object, other: object) -> None:
    assert compare(one, other).keys() == compare(other, one).keys()

"""States: as made, as foreseen, and what stays secret in them."""

from collections.abc import Mapping, Sequence
from typing import Any

from pulumi.provider.experimental.property_value import PropertyValue

from gpufleet.rehearsal.aws.values import UNKNOWN, plain_map, wrap, wrap_map
from gpufleet.rehearsal.kubernetes import state

SERVICE: dict[str, Any] = {
    "apiVersion": "v1",
    "kind": "Service",
    "metadata": {"name": "web"},
    "spec": {"ports": [{"port": 80}]},
}
DRY: dict[str, Any] = {
    "apiVersion": "v1",
    "kind": "Service",
    "metadata": {"name": "web", "namespace": "ml", "uid": "dry", "managedFields": [{}], "resourceVersion": "7"},
    "spec": {"ports": [{"port": 80, "protocol": "TCP"}], "clusterIP": "10.0.0.7"},
    "status": {"loadBalancer": {}},
}


def secret(value: Any) -> PropertyValue:
    return PropertyValue(wrap(value).value, is_secret=True)


def secrets_in(value: PropertyValue, path: str = "") -> list[str]:
    """Where the marks are."""
    inner = value.value
    if value.is_secret:
        return [path.strip(".")]
    if isinstance(inner, Mapping):
        return [found for key, item in inner.items() for found in secrets_in(item, f"{path}.{key}")]
    if isinstance(inner, Sequence) and not isinstance(inner, str):
        return [found for index, item in enumerate(inner) for found in secrets_in(item, f"{path}.{index}")]
    return []


def test_a_preview_leaves_unknown_what_the_server_makes_up() -> None:
    foreseen = plain_map(state.foreseen(DRY, wrap_map(SERVICE), "me"))
    assert foreseen["spec"] == {"ports": [{"port": 80, "protocol": UNKNOWN}], "clusterIP": UNKNOWN}
    assert foreseen["status"] == UNKNOWN
    assert foreseen["metadata"] == {
        "name": "web",
        **dict.fromkeys(("namespace", "uid", "creationTimestamp", "generation", "resourceVersion"), UNKNOWN),
    }


def test_a_preview_of_a_change_keeps_what_stays() -> None:
    foreseen = plain_map(state.foreseen(DRY, wrap_map(SERVICE), "me", {**DRY, "spec": {"clusterIP": "10.0.0.7"}}))
    assert foreseen["spec"]["clusterIP"] == "10.0.0.7"
    assert foreseen["metadata"]["uid"] == "dry"
    assert foreseen["metadata"]["resourceVersion"] == UNKNOWN


def test_a_preview_without_a_dry_run_shows_what_is_asked_for() -> None:
    foreseen = plain_map(state.foreseen(None, wrap_map({**SERVICE, "spec": {"clusterIP": UNKNOWN}}), "me"))
    assert foreseen["spec"] == {"clusterIP": UNKNOWN}
    assert "status" not in foreseen


def test_what_is_secret_in_the_inputs_is_secret_in_the_state() -> None:
    inputs = wrap_map({"apiVersion": "v1", "kind": "Thing", "metadata": {"name": "a"}})
    inputs["spec"] = PropertyValue({"open": wrap("1"), "items": PropertyValue([wrap("a"), secret("b")])})
    live = {**SERVICE, "kind": "Thing", "spec": {"open": "1", "items": ["a", "b"], "added": True}}
    made = state.made(live, inputs, "me")
    assert secrets_in(made["spec"]) == ["items.1"]
    assert state.holds_secret(made[state.INPUTS])


def test_a_list_that_the_server_has_changed_is_secret_as_a_whole() -> None:
    marked = state.marked(["a", "b", "c"], PropertyValue([wrap("a"), secret("b")]))
    assert marked.is_secret


def test_the_content_of_a_secret_is_secret_though_the_program_does_not_say_so() -> None:
    live = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "a"}, "data": {"k": "dg=="}}
    made = state.made(live, wrap_map({"stringData": {"k": "v"}}), "me")
    assert made["data"].is_secret


def test_inputs_after_a_refresh_have_the_shape_the_program_gave_them() -> None:
    live = {"spec": {"replicas": 5, "strategy": {"type": "X"}, "args": ["a", "b"]}, "status": {}}
    assert state.pruned(live, {"spec": {"replicas": 1, "args": ["a"], "gone": 1}}) == {
        "spec": {"replicas": 5, "args": ["a", "b"]}
    }


def test_what_the_server_counts_is_not_compared() -> None:
    assert state.comparable(DRY) == {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": "web", "namespace": "ml"},
        "spec": DRY["spec"],
    }

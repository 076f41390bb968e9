"""Property paths: read, written, and what lies at them carried over."""

import pytest

from gpufleet.rehearsal.kubernetes.paths import at, copied, parsed, spelled, within


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("spec.replicas", ("spec", "replicas")),
        ("spec.containers[0].image", ("spec", "containers", 0, "image")),
        ('metadata.labels["app.kubernetes.io/name"]', ("metadata", "labels", "app.kubernetes.io/name")),
        ('data["say \\"hi\\""]', ("data", 'say "hi"')),
        ('["a.b"].c', ("a.b", "c")),
    ],
)
def test_a_path_is_written_as_it_is_read(text: str, path: tuple[str | int, ...]) -> None:
    assert parsed(text) == path
    assert spelled(path) == text


def test_a_star_stands_for_every_item() -> None:
    assert within(("spec", "containers", 3, "image"), parsed("spec.containers[*]"))
    assert not within(("spec", "volumes"), parsed("spec.containers[*]"))
    assert not within(("spec",), parsed("spec.containers[*]"))


def test_what_lies_nowhere_is_none() -> None:
    assert at({"a": {"b": 1}}, "a", "b") == 1
    assert at({"a": "text"}, "a", "b") is None


LIVE = {
    "spec": {"replicas": 5, "containers": [{"image": "live", "name": "a"}]},
    "metadata": {"annotations": {"x": "1"}},
}


@pytest.mark.parametrize(
    ("path", "target", "wanted"),
    [
        ("spec.replicas", {"spec": {"replicas": 1}}, {"spec": {"replicas": 5}}),
        ("spec.paused", {"spec": {"paused": True, "a": 1}}, {"spec": {"a": 1}}),
        (
            "spec.containers[0].image",
            {"spec": {"containers": [{"image": "new"}]}},
            {"spec": {"containers": [{"image": "live"}]}},
        ),
        (
            "spec.containers[*].image",
            {"spec": {"containers": [{"image": "new"}, {"image": "b"}]}},
            {"spec": {"containers": [{"image": "live"}, {"image": "b"}]}},
        ),
        ("metadata.annotations", {"metadata": {"annotations": {"y": "2"}}}, {"metadata": {"annotations": {"x": "1"}}}),
        ("metadata.annotations", {"metadata": {"name": "a"}}, {"metadata": {"name": "a", "annotations": {"x": "1"}}}),
        ('metadata.annotations["x"]', {"metadata": {"name": "a"}}, {"metadata": {"name": "a"}}),
        ("spec.replicas.deeper", {"spec": {"replicas": "text"}}, {"spec": {"replicas": "text"}}),
    ],
)
def test_an_ignored_path_keeps_what_is_there(path: str, target: object, wanted: object) -> None:
    assert copied(LIVE, target, parsed(path)) == wanted

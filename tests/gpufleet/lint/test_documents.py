"""Manifests are read with their lines."""

import io
from pathlib import Path

import pytest

from gpufleet.errors import UsageError
from gpufleet.lint import documents

TEXT = """\
# a comment
apiVersion: v1
kind: Pod
metadata:
  name: one
spec:
  containers:
    - name: main
      env:
        - {name: A, value: "1"}
---
apiVersion: v1
kind: List
items:
  - kind: Pod
    metadata: {generateName: two-}
"""


def test_every_key_and_item_has_its_line() -> None:
    one, two = documents.parse("pod.yaml", TEXT)

    assert (one.kind, one.name, two.name) == ("Pod", "one", "two-")
    assert [
        one.line(location)
        for location in (("kind",), ("spec", "containers", 0), ("spec", "containers", 0, "env", 0, "value"))
    ] == [3, 8, 10]
    assert (two.root, two.line(("metadata",))) == (("items", 0), 16)


def test_what_is_not_there_is_shown_at_what_is_around_it() -> None:
    one, _ = documents.parse("pod.yaml", TEXT)
    assert one.line(("spec", "containers", 0, "resources", "limits")) == 8


def test_what_is_merged_into_a_mapping_belongs_to_it() -> None:
    (found,) = documents.parse("pod.yaml", "kind: Pod\nbase: &base {a: 1}\nspec:\n  <<: *base\n  b: 2\n")
    assert found.value["spec"] == {"a": 1, "b": 2}
    assert (found.line(("spec", "a")), found.line(("spec", "b"))) == (2, 5)


def test_an_alias_that_holds_itself_ends() -> None:
    (found,) = documents.parse("pod.yaml", "kind: Pod\nspec: &spec\n  again: *spec\n")
    assert found.line(("spec", "again")) == 3


def test_standard_input_is_a_minus(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(TEXT))
    assert [one.source for one in documents.read("-")] == ["-", "-"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("kind: [", "manifest.yaml:1: this is no YAML"),
        ("{{ .Values.image }}: 1\n  a", "a Helm chart has to be rendered first"),
        ("- a\n", "manifest.yaml:1: list is no Kubernetes object"),
    ],
)
def test_what_is_no_manifest_is_answered_with_its_line_and_a_fix(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "manifest.yaml"
    file.write_text(text)
    with pytest.raises(UsageError) as error:
        documents.read(str(file))
    assert said in str(error.value)


def test_a_file_that_cannot_be_read_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read: No such file or directory"):
        documents.read(str(tmp_path / "none.yaml"))
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UsageError, match="it is no text in UTF-8"):
        documents.read(str(tmp_path / "binary"))


def test_a_path_is_written_as_people_write_it() -> None:
    assert documents.shown(("spec", "containers", 0, "resources", "limits", "nvidia.com/gpu")) == (
        "spec.containers[0].resources.limits['nvidia.com/gpu']"
    )

"""Reading a project, a stack and the changes asked for on the command line."""

import json
from pathlib import Path

import pytest

from gpufleet.errors import UsageError
from gpufleet.plan import project

STACK = """
config:
  aws:region: eu-west-1
  settings:
    regions:
      eu-west-1:
        pools:
          - {name: a, nodes: {max: 1}}
          - {name: b, nodes: {max: 2}}
  token: {secure: "v1:abc"}
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "Pulumi.yaml").write_text(
        "name: fleet\nruntime: python\nstackConfigDir: stacks\nconfig:\n  size: {type: integer, default: 3}\n"
    )
    (tmp_path / "stacks").mkdir()
    (tmp_path / "stacks/Pulumi.dev.yaml").write_text(STACK)
    return tmp_path


def settings(loaded: project.Project) -> dict[str, object]:
    return json.loads(loaded.config["fleet:settings"])


def pools(loaded: project.Project) -> object:
    return json.loads(loaded.config["fleet:settings"])["regions"]["eu-west-1"]["pools"]


def test_keys_without_a_namespace_are_the_projects_and_objects_are_json(root: Path):
    loaded = project.load(root, "dev")
    assert loaded.config["aws:region"] == "eu-west-1"
    assert loaded.config["fleet:size"] == "3"
    assert pools(loaded) == [{"name": "a", "nodes": {"max": 1}}, {"name": "b", "nodes": {"max": 2}}]
    assert loaded.source == "stacks/Pulumi.dev.yaml"


def test_a_sealed_value_is_held_by_a_marker_and_known_as_a_secret(root: Path):
    loaded = project.load(root, "dev")
    assert loaded.config["fleet:token"] == "[secret fleet:token]"
    assert loaded.secret_keys == ("fleet:token",)


def test_the_project_is_found_from_a_folder_below_it(root: Path):
    assert project.load(root / "stacks", "dev").directory == root.resolve()


@pytest.mark.parametrize("path", ["regions.eu-west-1.pools.b.nodes.max", "pools.b.nodes.max", "pools.1.nodes.max"])
def test_set_reaches_a_list_item_by_name_by_index_and_without_the_only_region(root: Path, path: str):
    loaded = project.load(root, "dev", overrides=[f"{path}=8"])
    assert pools(loaded) == [{"name": "a", "nodes": {"max": 1}}, {"name": "b", "nodes": {"max": 8}}]


def test_set_makes_what_is_not_there_and_reads_yaml(root: Path):
    loaded = project.load(root, "dev", overrides=["tags={owner: me}", "aws:region=us-east-1"])
    assert settings(loaded)["tags"] == {"owner": "me"}
    assert loaded.config["aws:region"] == "us-east-1"


def test_a_settings_file_takes_the_stacks_place_and_lends_its_name(root: Path, tmp_path: Path):
    (tmp_path / "trial.yaml").write_text("regions: {}\n")
    loaded = project.load(root, settings_file=tmp_path / "trial.yaml")
    assert (loaded.stack, settings(loaded)) == ("trial", {"regions": {}})
    assert "aws:region" not in loaded.config


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("pools.c.nodes.max=8", "'c' is no item here; allowed are a, b or 0 to 1"),
        ("pools.a.nodes.max.deep=8", "'deep' cannot be set below 1"),
        ("nonsense", "must be path=value"),
        ("a={", "the value is not valid YAML"),
    ],
)
def test_a_change_that_cannot_be_made_is_refused(root: Path, override: str, message: str):
    with pytest.raises(UsageError, match=message):
        project.load(root, "dev", overrides=[override])


@pytest.mark.parametrize(
    ("stack", "content", "message"),
    [
        ("prod", None, r"there is no stack 'prod'; the stacks of .*stacks are dev"),
        (None, None, r"no stack named; the stacks of .*stacks are dev"),
        ("bad", "config: [", r"Pulumi.bad.yaml: is not valid YAML"),
        ("list", "- 1", r"Pulumi.list.yaml: must hold a YAML mapping, not list"),
        ("conf", "config: 3", r"config: must be a mapping, not int"),
        ("twice", "config: {a: 1, a: 2}", r"Pulumi.twice.yaml: is not valid YAML: the key 'a' stands here twice"),
        ("we ird", "config: {}", r"stack 'we ird': a stack's name has 1 to 100 letters"),
    ],
)
def test_a_stack_that_cannot_be_read_is_refused(root: Path, stack: str | None, content: str | None, message: str):
    if content is not None:
        (root / f"stacks/Pulumi.{stack}.yaml").write_text(content)
    with pytest.raises(UsageError, match=message):
        project.load(root, stack)


def test_a_folder_outside_any_project_is_refused(tmp_path: Path):
    with pytest.raises(UsageError, match=r"no Pulumi\.yaml here or above"):
        project.load(tmp_path, "dev")


def test_a_program_in_another_language_is_refused(root: Path):
    (root / "Pulumi.yaml").write_text("name: fleet\nruntime: nodejs\n")
    with pytest.raises(UsageError, match="runtime: 'nodejs'; only programs in python can be planned"):
        project.load(root, "dev")

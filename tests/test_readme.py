"""What the README shows is what happens."""

import json
import re
from pathlib import Path

import pytest
import yaml

from gpufleet.errors import UsageError
from gpufleet.plan import packs, planning, project

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "README.md").read_text()


def shown(language: str) -> str:
    return next(iter(re.findall(rf"```{language}\n(.*?)```", TEXT, re.DOTALL)))


def test_the_component_example_is_planned_and_breaks_no_rule(tmp_path: Path):
    (tmp_path / "Pulumi.yaml").write_text("name: mine\nruntime: python\n")
    (tmp_path / "Pulumi.dev.yaml").write_text("config: {}\n")
    (tmp_path / "__main__.py").write_text(shown("python"))
    loaded = project.load(tmp_path, "dev")
    plan = planning.plan(loaded, policy_pack=packs.find(loaded.directory, None))
    assert plan.violations == ()
    assert plan.update.outputs["bucket"].startswith("datasets-")


def test_the_settings_example_is_planned_and_breaks_no_rule(tmp_path: Path):
    settings = yaml.safe_load(shown("yaml"))["config"]["gpufleet:settings"]
    (tmp_path / "shown.yaml").write_text(yaml.safe_dump(settings))
    plan = planning.plan(project.load(ROOT, settings_file=tmp_path / "shown.yaml"), policy_pack=ROOT / "policies")
    assert plan.violations == ()


def test_the_mistake_it_shows_is_answered_so():
    command, answer = re.findall(r"\$ gpufleet plan dev --set (\S+)\ngpufleet: (.*?)```", TEXT, re.DOTALL)[0]
    with pytest.raises(UsageError) as refused:
        planning.plan(project.load(ROOT, "dev", overrides=[command]), policy_pack=None)
    assert str(refused.value) == answer.rstrip()


def test_the_consumer_is_planned_from_the_checkout():
    loaded = project.load(ROOT / "tests/consumer", "dev")
    document = planning.plan(loaded, policy_pack=packs.find(loaded.directory, None)).as_document()
    assert json.loads(json.dumps(document))["violations"] == []

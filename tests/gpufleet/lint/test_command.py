"""The command, on a stack's real plan."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from gpufleet.errors import UsageError
from gpufleet.lint import command
from gpufleet.plan import project
from gpufleet.plan.project import Project
from tests.gpufleet.lint import stacks

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def pools() -> Project:
    return project.load(ROOT, settings_file=ROOT / "tests/stacks/pools.yaml")


def written(folder: Path, made: Any) -> str:
    file = folder / "job.yaml"
    file.write_text(yaml.safe_dump(made, sort_keys=False))
    return str(file)


def for_pool(name: str) -> dict[str, Any]:
    made = stacks.job("efa")
    spec = stacks.spec_of(made)
    spec["nodeSelector"] = {"gpufleet.io/pool": name}
    return made


def test_a_workload_is_judged_for_the_pool_of_the_stacks_plan(
    pools: Project, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = for_pool("elastic-efa")
    assert command.run([written(tmp_path, made)], pools, as_json=True)
    document = json.loads(capsys.readouterr().out)

    assert (document["schema"], document["stack"], document["ok"]) == (1, "gpufleet/pools", True)
    assert document["workloads"] == [
        {
            "file": str(tmp_path / "job.yaml"),
            "workload": "Job/train",
            "pool": "elastic-efa",
            "accelerators": {"nvidia.com/gpu": 8},
            "pods": 1,
        }
    ]
    assert document["findings"] == []


def test_what_does_not_ask_for_efa_fails_and_a_person_can_read_why(
    pools: Project, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = for_pool("elastic-efa")
    for kind in ("requests", "limits"):
        del stacks.container_of(made)["resources"][kind]["vpc.amazonaws.com/efa"]

    assert not command.run([written(tmp_path, made)], pools, as_json=False)
    out = capsys.readouterr().out
    assert "error  efa-missing  spec.template.spec.containers[0].resources" in out
    assert "needed: 32 for a whole node of elastic-efa, which has 32" in out
    assert "1 workload judged for gpufleet/pools, 0 others without accelerators, 1 error, 0 warnings" in out


def test_without_a_stack_instance_types_are_enough(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = for_pool("any")
    stacks.spec_of(made)["nodeSelector"] = {"node.kubernetes.io/instance-type": "p5.48xlarge"}

    assert command.run([written(tmp_path, made)], None, as_json=False)
    assert "by instance types alone (--stack STACK knows the pools)" in capsys.readouterr().out


def test_nothing_to_look_at_is_the_users_mistake(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="which manifests"):
        command.run([], None, as_json=False)
    (tmp_path / "empty.yaml").write_text("# nothing\n")
    with pytest.raises(UsageError, match="no object is in there"):
        command.run([str(tmp_path / "empty.yaml")], None, as_json=False)

"""A stack with a pool of every kind: nodes as each would bring them, and a pod bound to one by the real scheduler."""

from pathlib import Path

import pytest
import yaml

from gpufleet.plan import planning, project
from gpufleet.rehearsal import command
from gpufleet.rehearsal.engine import Engine
from gpufleet.rehearsal.rehearse import rehearse

pytestmark = [pytest.mark.engine, pytest.mark.usefixtures("binaries"), pytest.mark.xdist_group("pools")]

PROGRAM = Path(__file__).parent / "programs/pools"
SETTINGS = Path(__file__).parents[1] / "stacks/pools.yaml"


def test_a_pod_on_each_pool_is_bound_to_a_node_of_that_pool_and_all_goes_again(engine: Engine) -> None:
    loaded = project.load(PROGRAM, settings_file=SETTINGS)
    report = rehearse(command.subject_of(loaded, planning.run(loaded, preview=True)), engine=engine)
    assert [(step.name, step.ok) for step in report.steps] == [
        ("up", True),
        ("no-change", True),
        ("read-back", True),
        ("scheduling", True),
        ("destroy", True),
        ("leftovers", True),
    ], report.as_document()["steps"]
    (region,) = yaml.safe_load(SETTINGS.read_text(encoding="utf-8"))["regions"].values()
    pools = sorted(pool["name"] for pool in region["pools"])
    assert len(pools) == 17
    assert [(one.workload, one.pool) for one in report.placements] == [(f"Pod/{name}", name) for name in pools]
    assert list(report.leftovers) == []

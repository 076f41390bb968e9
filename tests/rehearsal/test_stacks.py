"""Every shipped stack on the real engine: up, no change, read back, destroyed, nothing left; just as planned."""

import functools
from pathlib import Path

import pytest

from gpufleet.plan import planning, project
from gpufleet.rehearsal import command
from gpufleet.rehearsal.engine import Engine
from gpufleet.rehearsal.rehearse import rehearse
from gpufleet.rehearsal.report import Report
from tests import golden
from tests.rehearsal import parity

ROOT = Path(__file__).parents[2]
STACKS = ("dev", "staging", "prod", "closed")
CLOSED = ROOT / "tests/stacks/closed.yaml"


def loaded(stack: str) -> project.Project:
    return project.load(ROOT, settings_file=CLOSED) if stack == "closed" else project.load(ROOT, stack)


@functools.cache
def rehearsed(stack: str) -> Report:
    read = loaded(stack)
    return rehearse(command.subject_of(read, planning.run(read, preview=True), policy_pack=ROOT / "policies"))


@functools.cache
def planned(stack: str) -> list[dict[str, object]]:
    plan = planning.plan(loaded(stack), policy_pack=None)
    return plan.as_document()["resources"]


@pytest.mark.engine
@pytest.mark.parametrize("stack", [pytest.param(stack, marks=pytest.mark.xdist_group(stack)) for stack in STACKS])
class TestStack:
    @pytest.fixture(autouse=True)
    def _engine(self, engine: Engine) -> None:
        """Skip where no engine can be had; in CI there is one."""

    def test_it_goes_up_stays_unchanged_is_as_declared_and_leaves_nothing(self, stack: str):
        report = rehearsed(stack)
        assert [(step.name, step.ok) for step in report.steps] == [
            ("up", True),
            ("no-change", True),
            ("read-back", True),
            ("scheduling", True),
            ("destroy", True),
            ("leftovers", True),
        ], report.as_document()["steps"]
        assert list(report.violations) == []
        assert list(report.leftovers) == []

    def test_its_plan_is_the_engines_state_but_for_golden_additions(self, stack: str):
        state = rehearsed(stack).state
        assert list(parity.differences(planned(stack), state)) == []
        # All that the state has beyond the plan is what the provider's check adds: automatic names and defaults.
        added = [f"{kind} {key}" for kind, key in sorted(parity.added(planned(stack), state))]
        golden.check(f"rehearsal/{stack}-added-by-check.txt", "\n".join(added) + "\n")

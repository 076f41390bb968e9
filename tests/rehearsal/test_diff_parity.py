"""What `gpufleet diff` says of a change is what the real engine's preview says of it, after an up of the same stack."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gpufleet.diff import changes, sides
from gpufleet.diff.changes import Fate
from gpufleet.plan import planning, project
from gpufleet.plan.graph import STACK_TYPE
from gpufleet.rehearsal import command
from gpufleet.rehearsal.engine import Engine
from gpufleet.rehearsal.session import Session

pytestmark = [pytest.mark.engine, pytest.mark.xdist_group("diff-parity")]

ROOT = Path(__file__).parents[2]
REPLACEMENTS = frozenset({"create-replacement", "delete-replaced", "replace"})
# Node groups, whose launch templates and groups are made anew for much that Karpenter takes in place.
BASE = ["pools.dev-l4.scaler=node-group", "pools.dev-l40s.scaler=node-group"]
CHANGES = {
    "other instance types": ["pools.dev-l4.instance_types=[g6.2xlarge]"],
    "another way of buying": ["pools.dev-l4.purchase=on-demand"],
    "a larger volume": ["pools.dev-l4.volume_gib=300"],
    "a pool instead of two": [
        "pools=[{name: other, instance_types: [g6.xlarge], purchase: spot, scaler: node-group, nodes: {max: 4}}]"
    ],
    "another network": ["network.cidr=10.24.0.0/16"],
    "a zone less": ["network.zones=[us-east-1a, us-east-1b]"],
    "a NAT gateway in each zone": ["network.egress=nat-per-zone"],
    "a higher ceiling": ["pools.dev-l4.nodes.max=3"],
    "another owner": ["tags.owner=other"],
    "a newer Kubernetes": ['cluster.kubernetes="1.36"'],
    "a private API": ["cluster.api=private"],
    "another lifetime of objects": ["storage.buckets.checkpoints.keep_days=30"],
    "a bucket less": ["storage.buckets={datasets: {protection: none}, scratch: {keep_days: 7}}"],
}


def load(*overrides: str) -> project.Project:
    return project.load(ROOT, "dev", overrides=[*BASE, *overrides])


def side(loaded: project.Project) -> sides.Side:
    return sides.of_plan(planning.plan(loaded, policy_pack=None), "side")


@pytest.fixture(scope="module")
def standing(engine: Engine) -> Iterator[Session]:
    """The stack, up; every preview is of a change to it."""
    loaded = load()
    with Session(command.subject_of(loaded, planning.run(loaded, preview=True)), engine) as session:
        up = session.up()
        assert up.ok, up.problems
        yield session


@pytest.fixture(scope="module")
def before() -> sides.Side:
    return side(load())


def previewed(session: Session, loaded: project.Project) -> tuple[dict[str, str], dict[str, list[str]]]:
    """What the engine would do to each resource, and the inputs for which it would replace it."""
    session.workspace.write_config(loaded.name, loaded.config)
    preview = session.preview()
    assert preview.ok, preview.problems
    actions = {
        urn: "replace" if operation in REPLACEMENTS else operation
        for urn, operation in preview.operations.items()
        if f"::{STACK_TYPE}::" not in urn
    }
    keys: dict[str, set[str]] = {}
    for line in preview.log.with_suffix(".events.jsonl").read_text(encoding="utf-8").splitlines():
        event: dict[str, Any] = json.loads(line)
        for kind in ("resourcePreEvent", "resOutputsEvent"):
            if kind in event:
                metadata = event[kind]["metadata"]
                keys.setdefault(metadata["urn"], set()).update(metadata.get("keys") or ())
    return actions, {urn: sorted(found) for urn, found in keys.items() if found}


def forced(fates: dict[str, Fate]) -> dict[str, list[str]]:
    return {urn: sorted(fate.verdict.replaces) for urn, fate in fates.items() if fate.verdict.replaces}


@pytest.mark.parametrize("change", CHANGES)
def test_the_verdict_on_every_resource_is_the_engines(change: str, standing: Session, before: sides.Side) -> None:
    changed = load(*CHANGES[change])
    fates = changes.fates(before, side(changed))
    actions, keys = previewed(standing, changed)
    assert {urn: fate.action for urn, fate in fates.items()} == actions
    assert forced(fates) == keys
    assert set(actions.values()) > {"same"}

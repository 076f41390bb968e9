"""Every decision about a pool is told with the reason that made it so."""

import json
from pathlib import Path

import pytest

from gpufleet.errors import UsageError
from gpufleet.explain import command
from gpufleet.plan import project

ROOT = Path(__file__).parents[3]


def explained(pool: str | None, capsys: pytest.CaptureFixture[str]) -> list[dict[str, str]]:
    """The decisions of one pool of the stack that has one of every kind, as the document has them."""
    loaded = project.load(ROOT, settings_file=ROOT / "tests/stacks/pools.yaml")
    assert command.run(loaded, pool, as_json=True)
    document = json.loads(capsys.readouterr().out)
    assert (document["schema"], document["stack"]) == (1, "pools")
    [found] = document["pools"]
    assert found["pool"] == pool
    return found["decisions"]


@pytest.mark.parametrize(
    ("pool", "scaler", "because"),
    [
        ("elastic-spot", "karpenter", "nodes come with the pods that need them and go with the last"),
        ("floor", "node-group", "its floor is 1, and Karpenter keeps none"),
        ("reserved", "node-group", "reserved capacity is there as a whole, from its beginning to its end"),
        ("fraction", "node-group", "Karpenter takes the fraction of a GPU that g6f.2xlarge have for none"),
        ("group-efa", "node-group", "the settings say so"),
        ("reserved-elastic", "karpenter", "the settings say so"),
    ],
)
def test_the_scaler_is_told_with_the_reason_and_the_settings_are_named_only_where_they_say_it(
    pool: str, scaler: str, because: str, capsys: pytest.CaptureFixture[str]
):
    [decision] = [one for one in explained(pool, capsys) if one["about"] == "scaler"]
    assert decision == {"about": "scaler", "choice": scaler, "because": because}


def test_every_decision_has_a_choice_and_a_reason(capsys: pytest.CaptureFixture[str]):
    decisions = explained("block", capsys)
    about = [decision["about"] for decision in decisions]
    assert {"purchase", "EFA", "zones", "placement group", "image", "drain", "quota", "price"} <= set(about)
    assert len(about) == len(set(about))
    assert all(decision["choice"] and decision["because"] for decision in decisions)


def test_a_table_shows_them_to_people(capsys: pytest.CaptureFixture[str]):
    loaded = project.load(ROOT, settings_file=ROOT / "tests/stacks/pools.yaml")
    assert command.run(loaded, "trainium", as_json=False)
    shown = capsys.readouterr().out
    assert "pool trainium" in shown
    assert "placement group" in shown


def test_a_pool_that_is_not_there_is_answered_with_those_that_are():
    loaded = project.load(ROOT, "dev")
    with pytest.raises(UsageError, match="pool 'gone': the stack has no such pool; its pools are dev-l4, dev-l40s"):
        command.run(loaded, "gone", as_json=False)

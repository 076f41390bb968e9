"""The pool that is printed parses as a stack's settings, and becomes nodes."""

import copy
from pathlib import Path
from typing import Any

import pytest
import yaml

from gpufleet.sizing import pool
from gpufleet.sizing.answer import Answer, answer
from gpufleet.sizing.job import Job
from gpufleet.sizing.question import Question, understand
from gpufleet.sizing.shapes import Shape
from stacks import settings
from tests.gpufleet.sizing.published import preset

STACKS = Path(__file__).parents[3] / "stacks"


def answered(question: Question) -> Answer:
    return answer(question, understand(question))


def parsed(question: Question, zone: str | None = None) -> tuple[dict[str, Any], settings.Pool]:
    """The pool as YAML reads it, and as the settings do, in a stack that can pay for it."""
    text = answered(question).pool_yaml(zone)
    assert text is not None
    [entry] = yaml.safe_load(text)
    given = copy.deepcopy(yaml.safe_load((STACKS / "Pulumi.dev.yaml").read_text())["config"]["gpufleet:settings"])
    given["budget"].update(max_hourly_usd=100_000, monthly_usd=10_000_000)
    given["regions"]["us-east-1"]["pools"] = [entry]
    read = settings.parse(given, "gpufleet:settings")
    return entry, read.regions["us-east-1"].pools[0]


def test_a_training_pool_parses():
    entry, read = parsed(Question(model="llama-3.1-8b", gpu=("H100",), nodes=4, global_batch=256))
    assert entry == {
        "name": "train-llama-3-1-8b",
        "instance_types": ["p5.4xlarge"],
        "purchase": "on-demand",
        "use": "training",
        "nodes": {"min": 0, "max": 4},
        "zones": ["us-east-1a"],
        "efa": "auto",
        "volume_gib": 200,
        "checkpoint": {
            "gib": 26.2,
            "path": "s3://CHECKPOINT-BUCKET/train-llama-3-1-8b",
            "every_minutes": entry["checkpoint"]["every_minutes"],
        },
    }
    assert (read.instance_types, read.nodes.max, read.use) == (("p5.4xlarge",), 4, "training")


def test_a_spot_pool_parses_with_its_checkpoint():
    _, read = parsed(Question(model="llama-3.1-8b", task="lora", purchase="spot"))
    assert read.purchase == "spot"
    assert read.checkpoint is not None
    assert read.checkpoint.every_minutes >= 1


def test_a_spot_pool_that_cannot_save_in_time_says_so():
    question = Question(model="llama-3.1-70b", purchase="spot", gpu=("B300",), nodes=1)
    text = answered(question).pool_yaml(None)
    assert text is not None
    assert text.splitlines()[1].startswith("# NOT AS IT IS: a checkpoint takes 198 s, and spot's notice leaves 90 s")


def test_a_serving_pool_parses_and_has_room_for_the_weights():
    entry, read = parsed(Question(model="llama-3.1-70b", task="inference", users=16))
    assert (read.use, read.checkpoint) == ("inference", None)
    assert read.volume_gib == entry["volume_gib"]
    assert read.volume_gib > 1.4 * 141


def test_a_capacity_block_parses_in_its_zone():
    question = Question(model="llama-3.1-70b", gpu=("H100",), purchase="capacity-block", global_batch=512)
    entry, read = parsed(question, zone="us-east-1b")
    assert entry["reservation"]["zone"] == "us-east-1b"
    assert read.purchase == "capacity-block"


def test_a_reservation_parses():
    _, read = parsed(Question(model="llama-3.1-8b", gpu=("L40S",), purchase="reservation", global_batch=64))
    assert read.purchase == "reservation"


def test_a_type_without_efa_may_be_in_any_zone():
    entry, _ = parsed(Question(model="llama-3.2-1b", task="inference"))
    assert "zones" not in entry


@pytest.mark.parametrize(
    ("task", "name", "expected"),
    [
        ("training", "llama-3.1-8b", "train-llama-3-1-8b"),
        ("qlora", "deepseek-v3", "tune-deepseek-v3"),
        ("inference", "qwen3-235b-a22b", "serve-qwen3-235b-a22b"),
    ],
)
def test_a_pool_is_named_after_what_it_does(task: str, name: str, expected: str):
    assert pool.name(preset(name), Job(task=task)) == expected


def test_a_long_name_is_cut_to_what_a_pool_may_have():
    question = Question(shape=Shape(layers=48, hidden=6144, heads=48, kv_heads=8), task="inference")
    entry, _ = parsed(question)
    assert len(entry["name"]) <= 31


def test_nothing_that_fits_is_no_pool():
    assert answered(Question(model="llama-3.1-405b", most_nodes=1)).pool_yaml(None) is None


def test_a_spot_pool_names_every_type_that_does_as_well_cheapest_first():
    entry, read = parsed(Question(model="llama-3.1-8b", task="lora", purchase="spot", gpu=("L40S",)))
    assert entry["instance_types"] == ["g6e.xlarge", "g6e.2xlarge", "g6e.4xlarge"]
    assert read.instance_types == ("g6e.xlarge", "g6e.2xlarge", "g6e.4xlarge")


def test_a_type_with_efa_stands_in_no_pool_of_types_without():
    entry, _ = parsed(Question(model="llama-3.1-8b", task="lora", purchase="spot", instance_type=("g6e.8xlarge",)))
    assert entry["instance_types"] == ["g6e.8xlarge", "g6e.16xlarge"]

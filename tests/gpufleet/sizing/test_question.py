"""Questions that make no sense are answered with the option, the value, what is allowed and the fix."""

import json
from pathlib import Path
from typing import Any

import pytest

from gpufleet.errors import UsageError
from gpufleet.sizing.question import Question, understand
from gpufleet.sizing.shapes import Shape

LLAMA = "llama-3.1-8b"


def refusal(**options: Any) -> str:
    given: dict[str, Any] = {"model": LLAMA, **options}
    with pytest.raises(UsageError) as refused:
        understand(Question(**given))
    return str(refused.value)


def test_a_preset_is_found_by_its_name_and_by_its_repository():
    short, long = (understand(Question(model=name)).model for name in ("Llama-3.1-8B", "meta-llama/Llama-3.1-8B"))
    assert short == long


def test_a_config_json_is_read_from_a_file_and_from_its_folder(tmp_path: Path):
    from gpufleet.facts import models

    found = models.find("mixtral-8x7b")
    assert found is not None
    (tmp_path / "config.json").write_text(json.dumps(dict(found.config)))
    for path in (tmp_path, tmp_path / "config.json"):
        assert understand(Question(model=str(path))).model.parameters == 46_702_792_704


def test_no_name_at_all_is_no_file_either():
    assert refusal(model="").startswith("--model '': neither a preset nor a config.json\n  allowed: llama-2-7b, ")


def test_a_mistyped_preset_is_answered_with_the_nearest():
    text = refusal(model="lama-3.1-8b")
    assert text.startswith("--model lama-3.1-8b: neither a preset nor a config.json\n  allowed: llama-2-7b, ")
    assert "fix: did you mean llama-3.1-8b" in text


@pytest.mark.parametrize(
    ("content", "text"), [("{", "not JSON"), ("[]", "no JSON object"), ("{}", "model_type: missing")]
)
def test_a_file_that_is_no_config_is_refused(tmp_path: Path, content: str, text: str):
    (tmp_path / "config.json").write_text(content)
    assert text in refusal(model=str(tmp_path / "config.json"))


def test_a_file_that_is_not_there_is_said():
    assert refusal(model="/nowhere/config.json") == "--model /nowhere/config.json: No such file or directory"


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"task": "finetune"}, "--task finetune: unknown\n  allowed: training, lora, qlora, inference"),
        ({"precision": "int4"}, "--precision int4: unknown\n  allowed: fp32, bf16, fp16, fp8\n  fix: for a quantised"),
        ({"optimizer": "lion"}, "--optimizer lion: unknown\n  allowed: adamw, adamw-16bit, adamw-8bit"),
        ({"sharding": "zero4"}, "--sharding zero4: unknown\n  allowed: none, zero1, zero2, zero3, full_shard"),
        ({"region": "us-east-9"}, "--region us-east-9: unknown"),
        ({"purchase": "cheap"}, "--purchase cheap: unknown\n  allowed: on-demand, spot, reservation, capacity-block"),
        ({"batch": 0}, "--batch 0: out of range\n  allowed: 1 to 65,536"),
        ({"sequence": -4}, "--sequence -4: out of range"),
        ({"utilisation": 1.2}, "--utilisation 1.2: out of range\n  allowed: 0.01 to 1"),
        ({"batch": 8, "global_batch": 4}, "--global-batch 4: less than --batch 8 of one replica"),
        ({"hours": 10}, "--hours: how much is to be trained in them?\n  fix: add --tokens"),
        ({"tokens": "1T", "task": "inference"}, "--tokens: belongs to training"),
        ({"offload": "all", "task": "inference"}, "--offload: belongs to training"),
        ({"gpus": 8, "nodes": 1}, "--gpus with --nodes"),
        ({"tensor": 3}, "--tensor 3: llama-3.1-8b has 32 heads and 8 KV heads"),
        ({"pipeline": 64}, "--pipeline 64: llama-3.1-8b has 32 layers"),
        ({"expert": 2}, "--expert 2: llama-3.1-8b has no experts"),
        ({"gpu": ("H1000",)}, "--gpu H1000: no GPU of EC2's\n  allowed: T4, A10G,"),
        ({"instance_type": ("p5.47xlarge",)}, "--instance-type: unknown EC2 instance type 'p5.47xlarge'"),
        ({"instance_type": ("m7i.large",)}, "--instance-type m7i.large: has no NVIDIA GPU"),
        ({"shape": Shape(params="7B")}, "--model with --params or a shape"),
        ({"precision": "fp32", "task": "qlora"}, "--precision fp32 with --task qlora"),
    ],
)
def test_an_option_that_makes_no_sense_is_refused(options: dict[str, Any], text: str):
    assert refusal(**options).startswith(text)


@pytest.mark.parametrize(
    ("given", "stage", "hybrid"),
    [("full_shard", "zero3", False), ("shard_grad_op", "zero2", False), ("hybrid_shard", "zero3", True)],
)
def test_fsdp_is_zero_by_another_name(given: str, stage: str, hybrid: bool):
    choices = understand(Question(model=LLAMA, sharding=given)).choices
    assert (choices.sharding, choices.hybrid) == (stage, hybrid)


def test_a_gpu_may_be_written_in_any_case():
    limits = understand(Question(model=LLAMA, gpu=("h100", "rtx pro server 6000"))).limits
    assert limits.gpu_models == ("H100", "RTX PRO Server 6000")

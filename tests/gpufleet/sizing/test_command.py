"""The command as a person or a script meets it."""

import json
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from gpufleet.errors import UsageError
from gpufleet.sizing import command
from gpufleet.sizing.options import size
from gpufleet.sizing.question import Question

TRAIN = Question(model="llama-3.1-8b", global_batch=256, tokens="100B", dataset_gib=2000, sample_kib=100)
SERVE = Question(model="llama-3.1-8b", task="inference", users=8, context=8192)
TOO_LARGE = Question(model="llama-3.1-405b", most_nodes=1)


def document(capsys: pytest.CaptureFixture[str], question: Question, **options: Any) -> dict[str, Any]:
    command.run(question, as_json=True, **options)
    out, err = capsys.readouterr()
    assert err == ""
    return json.loads(out)


def test_the_tables_show_memory_rankings_prices_data_and_checkpoints(capsys: pytest.CaptureFixture[str]):
    assert command.run(TRAIN) is True
    out, err = capsys.readouterr()
    assert err == ""
    for words in (
        "llama-3.1-8b  8.03B parameters, training in bf16",
        "rule of thumb, 4 bytes a parameter in FP32: 29.9 GiB (32.1 GB)",
        "optimizer state",
        "as EC2 names it",
        "Least money",
        "Least time",
        "USD an hour by purchase option",
        "FSx for Lustre",
        "Checkpoints of 104.7 GiB",
        "left out, no source tells the memory of its GB200: p6e-gb200.36xlarge",
    ):
        assert words in out


def test_serving_shows_the_cache_and_no_checkpoints(capsys: pytest.CaptureFixture[str]):
    assert command.run(SERVE) is True
    out = capsys.readouterr().out
    assert "KV cache" in out
    assert "ms/token" in out
    assert "Checkpoints" not in out


def test_what_fits_nowhere_is_said_with_the_nearest(capsys: pytest.CaptureFixture[str]):
    assert command.run(TOO_LARGE) is False
    out = capsys.readouterr().out
    assert "nothing fits on one node; nearest is 1 x p6-b300.48xlarge" in out


def test_a_layout_that_no_type_allows_is_said(capsys: pytest.CaptureFixture[str]):
    assert command.run(Question(model="llama-3.1-8b", gpus=8, instance_type=("p5.4xlarge",), tensor=8)) is False
    assert "no layout was possible in us-east-1" in capsys.readouterr().out


def test_json_has_everything(capsys: pytest.CaptureFixture[str]):
    found = document(capsys, TRAIN, top=3)
    assert found["schema"] == 1
    assert found["model"]["parameters"] == 8_030_261_248
    assert found["rule_of_thumb_mib"] == 30_633
    assert len(found["cheapest"]) == len(found["fastest"]) == 3
    assert found["candidates"] > 1000
    assert found["data"]["choices"][0]["kind"] == "s3"
    assert found["checkpoints"]["daly"] > 0
    assert found["pool"].startswith("# llama-3.1-8b, training")
    assert found["nearest"] is None


def test_a_configuration_in_json_tells_memory_money_and_time(capsys: pytest.CaptureFixture[str]):
    best = document(capsys, TRAIN)["cheapest"][0]
    parts = best["memory_mib"]
    named = ("weights", "kept_wide", "gradients", "optimizer", "gathered", "activations", "cache", "overhead")
    assert parts["total"] == pytest.approx(sum(parts[name] for name in named), abs=len(named))
    assert parts["total"] <= best["gpu_mib"]["usable"] < best["gpu_mib"]["reported"] <= best["gpu_mib"]["ec2"]
    assert best["usd"] == pytest.approx(best["hours"] * best["usd_hour"]["on_demand"])
    assert best["global_batch"] == 256
    assert best["gradient_accumulation"] * best["layout"]["data"] == 256


def test_json_of_what_fits_nowhere_has_the_nearest_and_no_pool(capsys: pytest.CaptureFixture[str]):
    found = document(capsys, TOO_LARGE)
    assert (found["cheapest"], found["pool"], found["data"], found["checkpoints"]) == ([], None, None, None)
    assert found["nearest"]["instance_type"] == "p6-b300.48xlarge"


def test_a_price_of_another_region_says_so(capsys: pytest.CaptureFixture[str]):
    found = document(capsys, Question(model="llama-3.1-8b", region="eu-north-1"))
    assert found["cheapest"][0]["usd_hour"]["assumed"] is True
    command.run(Question(model="llama-3.1-8b", region="eu-north-1"))
    assert "* the price of us-east-1 stands in" in capsys.readouterr().out


def test_the_pool_is_all_that_is_printed(capsys: pytest.CaptureFixture[str]):
    assert command.run(SERVE, pool=True) is True
    out, err = capsys.readouterr()
    assert out.startswith("# llama-3.1-8b, inference: ")
    assert err == ""


def test_no_pool_is_printed_where_nothing_fits(capsys: pytest.CaptureFixture[str]):
    assert command.run(TOO_LARGE, pool=True) is False
    out, err = capsys.readouterr()
    assert out == ""
    assert err == "gpufleet: nothing fits; nearest is 1 x p6-b300.48xlarge: no pool is written\n"


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"top": 0}, "--top 0: must be 1 or more"),
        ({"pool": True, "as_json": True}, "--pool with --json"),
        ({"zone": "eu-west-1a"}, "--zone eu-west-1a: not a zone of us-east-1"),
    ],
)
def test_options_of_the_output_that_make_no_sense_are_refused(options: dict[str, Any], text: str):
    with pytest.raises(UsageError) as refused:
        command.run(SERVE, **options)
    assert str(refused.value).startswith(text)


def test_the_presets_are_listed(capsys: pytest.CaptureFixture[str]):
    command.list_models()
    out = capsys.readouterr().out
    assert "deepseek-v3" in out
    assert "671B" in out


def test_every_option_reaches_the_question():
    app = typer.Typer()
    app.command()(size)
    arguments = ["--layers", "32", "--hidden", "4096", "--heads", "32", "--kv-heads", "8", "--ffn", "14336", "--vocab"]
    arguments += [
        "128256",
        "--task",
        "inference",
        "--precision",
        "fp8",
        "--users",
        "4",
        "--context",
        "2048",
        "--gpu",
        "L4",
    ]
    ran = CliRunner().invoke(app, [*arguments, "--top", "1", "--json"])
    found = json.loads(ran.stdout)
    assert ran.exit_code == 0
    assert found["model"]["parameters"] == 8_030_261_248
    assert (found["job"]["concurrency"], found["job"]["context"], found["job"]["precision"]) == (4, 2048, "fp8")
    assert found["cheapest"][0]["instance_type"] == "g6.xlarge"

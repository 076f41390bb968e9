"""What the command prints where, and what it refuses."""

import json
from pathlib import Path

import pytest

from gpufleet.errors import UsageError
from gpufleet.export import command
from gpufleet.plan import project
from gpufleet.plan.project import Project

_PROGRAM = """
import pulumi
import pulumi_aws as aws

queue = aws.sqs.Queue("q")
aws.sqs.QueuePolicy("p", queue_url=queue.id, policy="{}")
pulumi.CustomResource("random:index/randomPet:RandomPet", "pet")
aws.secretsmanager.SecretVersion("v", secret_id="s", secret_string=pulumi.Output.secret("hush"))
"""


@pytest.fixture
def small(tmp_path: Path) -> Project:
    """A program of three AWS resources and one other."""
    folder = tmp_path / "program"
    folder.mkdir()
    (folder / "Pulumi.yaml").write_text("name: small\nruntime: python\n")
    (folder / "Pulumi.dev.yaml").write_text("config:\n  aws:region: eu-west-1\n")
    (folder / "__main__.py").write_text(_PROGRAM)
    return project.load(folder, "dev")


def test_the_document_goes_to_stdout_and_what_is_to_be_known_to_stderr(
    small: Project, capsys: pytest.CaptureFixture[str]
):
    assert command.run(small)
    out, err = capsys.readouterr()
    assert list(json.loads(out)) == ["//", "terraform", "provider", "variable", "resource"]
    assert err.splitlines() == [
        "export: 3 AWS resources with 1 reference",
        "export: left out: 1 random:index/randomPet:RandomPet: not a resource of AWS",
        "export: secrets are not written: 1 variable in their place",
    ]


def test_a_folder_gets_the_same_document_and_json_the_summary(
    small: Project, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    command.run(small)
    printed = capsys.readouterr().out
    target = tmp_path / "new" / "folder"
    command.run(small, output=target, as_json=True)
    out, err = capsys.readouterr()
    assert (target / "main.tf.json").read_text() == printed
    assert err == ""
    summary = json.loads(out)
    assert {key: summary[key] for key in ("schema", "stack", "project", "format", "resources", "unknown")} == {
        "schema": 1,
        "stack": "dev",
        "project": "small",
        "format": "terraform-json",
        "resources": 3,
        "unknown": [],
    }
    assert summary["path"] == str(target / "main.tf.json")
    assert [one["type"] for one in summary["left_out"]] == ["random:index/randomPet:RandomPet"]


def test_the_same_program_gives_the_same_document(small: Project, capsys: pytest.CaptureFixture[str]):
    command.run(small)
    first = capsys.readouterr().out
    command.run(small)
    assert capsys.readouterr().out == first


def test_another_format_is_refused_with_the_ones_there_are(small: Project):
    with pytest.raises(UsageError) as refused:
        command.run(small, format_="cloudformation")
    assert str(refused.value) == "--format cloudformation: not known\n  allowed: terraform-json"


def test_json_without_a_folder_is_refused_since_stdout_is_taken(small: Project):
    with pytest.raises(UsageError, match=r"add --output DIR"):
        command.run(small, as_json=True)


def test_a_folder_that_cannot_be_written_is_refused(small: Project, tmp_path: Path):
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match=r"--output .*file: cannot be written"):
        command.run(small, output=tmp_path / "file")

"""The table of names is what its generator makes, and the generator pairs what belongs together."""

import json
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from gpufleet.export import names
from tests.gpufleet.export.terraform import Terraform
from tools import generate_terraform_names, terraform_arguments

ROOT = Path(__file__).parents[3]


def test_only_what_the_rules_get_wrong_is_an_exception():
    block = {
        "attributes": {
            "name": {"type": "string", "required": True},
            "subnet_ids": {"type": ["set", "string"], "optional": True},
            "extra_tags": {"type": ["map", "string"], "optional": True},
            "targets": {"type": ["list", ["object", {"arn": "string", "name": "string"}]], "optional": True},
        },
        "block_types": {},
    }
    properties = {"name": str, "subnetIds": list[str], "extraTags": dict[str, str], "targets": list[dict[str, str]]}
    read = terraform_arguments.read(block, properties)
    assert read.exceptions == {"extraTags": " map", "targets": "targets rows arn name"}
    assert {"name", "subnetIds"} <= read.by_rule
    assert list(terraform_arguments.required_texts(block)) == ["name"]


def test_a_list_that_the_bridge_flattened_to_one_text_is_seen():
    block = {"attributes": {"subnet_ids": {"type": ["list", "string"], "required": True}}}
    assert terraform_arguments.read(block, {"subnetIds": str}).exceptions == {"subnetIds": " one"}


def test_a_property_of_a_later_provider_is_named():
    assert terraform_arguments.read({"attributes": {}}, {"id": str, "newThing": str}).unpaired == ["newThing"]


def test_an_exception_all_over_a_type_is_written_once():
    arguments = {"aws_a": {"b.headers": "header", "c.headers": "header", "d": "e"}}
    assert generate_terraform_names.compact(arguments, {}, {}) == {"aws_a": {"*.headers": "header", "*.d": "e"}}


@pytest.mark.slow
def test_the_table_is_fresh(tmp_path: Path):
    known = names.provenance()
    terraform = Terraform.here(tmp_path)
    if ".".join(map(str, terraform.version)) != known["provider"] or version("pulumi-aws") != known["sdk"]:
        pytest.skip(f"the table is of provider {known['provider']} and pulumi-aws {known['sdk']}, not of the ones here")
    (tmp_path / "main.tf.json").write_text(
        json.dumps({"terraform": {"required_providers": {"aws": {"source": "hashicorp/aws"}}}})
    )
    terraform("init", f"-plugin-dir={terraform.plugins}", "-no-color")
    (tmp_path / "schema.json").write_text(terraform("providers", "schema", "-json").stdout)
    command = [sys.executable, "-W", "ignore", "-m", "tools.generate_terraform_names", str(tmp_path / "schema.json")]
    command += ["--provider", known["provider"], "--date", known["date"], "--output", str(tmp_path / "made.json")]
    subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    assert (tmp_path / "made.json").read_text() == (
        Path(names.__file__).parent / "data/terraform_names.json"
    ).read_text()

"""Terraform itself reads the export: its own provider accepts every resource, where both are on the machine."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from gpufleet.export import document
from gpufleet.plan import planning
from tests.gpufleet.export.terraform import Terraform
from tests.stacks.test_stacks import STACKS, loaded

pytestmark = pytest.mark.slow

_NEWER: Mapping[int, Mapping[str, frozenset[str]]] = {
    6: {
        "aws_cloudwatch_log_group": frozenset({"deletion_protection_enabled"}),
        "aws_eks_cluster": frozenset(
            {
                "control_plane_scaling_config",
                "deletion_protection",
                "kube_api_server_config",
                "kube_controller_manager_config",
                "kube_scheduler_config",
            }
        ),
        "aws_eks_node_group": frozenset({"warm_pool_config"}),
        "aws_nat_gateway": frozenset({"availability_mode", "availability_zone_address", "vpc_id"}),
    }
}
"""Arguments that came with a major version of the provider; an older one on this machine is not asked about them."""


def without_newer(content: Mapping[str, Any], major: int) -> dict[str, Any]:
    """The document without what only a later provider has."""
    newer = [those for version, those in _NEWER.items() if version > major]
    resources = {
        type_name: {
            label: {
                name: value
                for name, value in body.items()
                if not (name == "region" and major < 6) and not any(name in those.get(type_name, ()) for those in newer)
            }
            for label, body in bodies.items()
        }
        for type_name, bodies in content["resource"].items()
    }
    return {**content, "resource": resources}


@pytest.mark.parametrize("stack", STACKS)
def test_terraform_validates_the_export(stack: str, tmp_path: Path):
    terraform = Terraform.here(tmp_path)
    exported = document.build(planning.run(loaded(stack), preview=False))
    content = without_newer(exported.document, terraform.major)
    (tmp_path / "main.tf.json").write_text(json.dumps(content))
    assert terraform("init", f"-plugin-dir={terraform.plugins}", "-no-color").returncode == 0
    answer = json.loads(terraform("validate", "-json").stdout)
    assert [(one["summary"], one["detail"], one.get("address")) for one in answer["diagnostics"]] == []
    assert answer["valid"]

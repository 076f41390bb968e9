"""Where an organisation bounds what its roles may do, no role of ours is without the bound."""

import ast
from pathlib import Path

import pytest

from gpufleet.plan import offline, project

ROOT = Path(__file__).parents[3]
BOUNDARY = "arn:aws:iam::333344445555:policy/boundary"


def test_every_role_in_the_source_takes_a_boundary() -> None:
    unbounded = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in sorted((ROOT / "components").rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "aws.iam.Role"
        if "permissions_boundary" not in {keyword.arg for keyword in node.keywords}
    ]

    assert unbounded == []


@pytest.mark.parametrize("preview", [True, False])
def test_every_role_of_a_whole_environment_has_the_boundary(preview: bool) -> None:
    bounded = project.load(ROOT, "prod", overrides=[f"permissions_boundary_arn={BOUNDARY}"])

    run = offline.run_directory(ROOT, project=bounded.name, stack="prod", config=bounded.config, preview=preview)

    roles = {r.name: r.inputs.get("permissionsBoundary") for r in run.resources if r.type == "aws:iam/role:Role"}
    assert roles
    assert {name: bound for name, bound in roles.items() if bound != BOUNDARY} == {}

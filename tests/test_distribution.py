"""The wheel, in a clean environment, serves somebody else's program."""

import json
import os
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def uv() -> str:
    """The uv that made this environment: on PATH, or where the Makefile put it."""
    found = shutil.which("uv") or shutil.which("uv", path=str(ROOT / ".tools/bin"))
    assert found, "uv is neither on PATH nor in .tools/bin; run `make sync`"
    return found


def run(*command: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    environment = {key: value for key, value in os.environ.items() if key not in ("VIRTUAL_ENV", "PYTHONPATH")}
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("wheel")
    built = run(uv(), "build", "--wheel", "--quiet", "--out-dir", out, cwd=ROOT)
    assert built.returncode == 0, built.stderr
    [path] = out.glob("gpufleet-*.whl")
    return path


def test_the_wheel_publishes_one_top_level_name(wheel: Path):
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0] for name in names if ".dist-info/" not in name} == {"gpufleet"}


def test_the_wheel_carries_components_policies_facts_and_the_engines_recipe(wheel: Path):
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {
        "gpufleet/components/network/private_network.py",
        "gpufleet/policies/PulumiPolicy.yaml",
        "gpufleet/policies/rules/__init__.py",
        "gpufleet/facts/data/instances.json",
        "gpufleet/rehearsal/engine_module/go.mod",
        "gpufleet/rehearsal/engine_module/go.sum",
        "gpufleet/rehearsal/controlplane/modules/1.35/go.mod",
        "gpufleet/rehearsal/kubernetes/crds/karpenter.yaml",
    } <= names


def test_a_consumers_program_is_planned_judged_and_priced_from_the_wheel_alone(wheel: Path, tmp_path: Path):
    program = tmp_path / "consumer"
    shutil.copytree(ROOT / "tests/consumer", program, ignore=shutil.ignore_patterns("__pycache__"))
    assert run(uv(), "venv", "--quiet", tmp_path / "venv", cwd=tmp_path).returncode == 0
    python = tmp_path / "venv/bin/python"
    # The versions that were tested here, so that the outcome does not hang on what was published since.
    locked = run(uv(), "export", "--quiet", "--locked", "--no-dev", "--no-emit-project", "--no-hashes", cwd=ROOT)
    (tmp_path / "locked.txt").write_text(locked.stdout)
    installed = run(
        uv(), "pip", "install", "--quiet", "--python", python, wheel, "-c", tmp_path / "locked.txt", cwd=tmp_path
    )
    assert installed.returncode == 0, installed.stderr

    planned = run(tmp_path / "venv/bin/gpufleet", "plan", "dev", "--program", program, "--json", cwd=tmp_path)
    assert planned.returncode == 0, planned.stdout[-2000:] + planned.stderr
    document = json.loads(planned.stdout)
    kinds = {r["type"] for r in document["resources"]}
    assert {
        f"gpufleet:index:{name}" for name in ("PrivateNetwork", "GpuCluster", "GpuPool", "EncryptedBucket")
    } <= kinds
    assert document["violations"] == []
    assert document["cost"]["hourly_maximum"] > document["cost"]["hourly_minimum"] > 0

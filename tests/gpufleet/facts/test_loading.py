"""Facts are read by policy packs and components: they must be light."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from gpufleet.facts import instances

ROOT = Path(instances.__file__).parents[2]
DATA = ROOT / "gpufleet" / "facts" / "data"

_PROGRAM = """
import json, sys
from gpufleet.facts import instances, kubernetes, prices, regions
instances.names(), kubernetes.releases(), prices.service_keys(), regions.names()
prices.instance_hour("p5.48xlarge", "us-east-1")
foreign = [name for name in ("pulumi", "pulumi_aws", "pydantic", "yaml", "difflib") if name in sys.modules]
print(json.dumps(foreign))
"""


def test_all_facts_load_with_the_standard_library_alone() -> None:
    done = subprocess.run([sys.executable, "-c", _PROGRAM], cwd=ROOT, check=True, capture_output=True)
    assert json.loads(done.stdout) == []


@pytest.mark.parametrize("name", sorted(file.name for file in DATA.glob("*.json")))
def test_a_data_file_is_readable_in_a_diff(name: str) -> None:
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    assert max(map(len, lines)) < 2500
    assert len(lines) > 10

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
import dataclasses, datetime, functools, json, pathlib, sys, time, types, typing  # what any Pulumi program has loaded
started = time.perf_counter()
from gpufleet.facts import instances, kubernetes, prices, regions
instances.names(), kubernetes.releases(), prices.service_keys(), regions.names()
prices.instance_hour("p5.48xlarge", "us-east-1")
milliseconds = 1000 * (time.perf_counter() - started)
foreign = [name for name in ("pulumi", "pulumi_aws", "pydantic", "yaml", "difflib") if name in sys.modules]
print(json.dumps({"milliseconds": milliseconds, "foreign": foreign}))
"""


def test_all_facts_load_in_milliseconds_and_with_the_standard_library_alone() -> None:
    # The best of several: whatever else the machine does may slow one of them down.
    runs = [
        json.loads(subprocess.run([sys.executable, "-c", _PROGRAM], cwd=ROOT, check=True, capture_output=True).stdout)
        for _ in range(5)
    ]
    assert runs[0]["foreign"] == []
    assert min(run["milliseconds"] for run in runs) < 15


@pytest.mark.parametrize("name", sorted(file.name for file in DATA.glob("*.json")))
def test_a_data_file_is_readable_in_a_diff(name: str) -> None:
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    assert max(map(len, lines)) < 2500
    assert len(lines) > 10

"""The decision needs no Pulumi, no account and no clock."""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[4]

_PROGRAM = """
import json, sys
from components.compute.design import decide
from components.compute.design.request import PoolRequest
decide(PoolRequest(name="a", instance_types=("p5.48xlarge",), region="us-east-1", zones=("us-east-1a",),
                   kubernetes_version="1.35", max_nodes=1))
print(json.dumps([name for name in ("pulumi", "pulumi_aws", "pydantic", "boto3") if name in sys.modules]))
"""


def test_a_pool_is_designed_with_the_standard_library_alone() -> None:
    done = subprocess.run([sys.executable, "-c", _PROGRAM], cwd=ROOT, check=True, capture_output=True)
    assert json.loads(done.stdout) == []

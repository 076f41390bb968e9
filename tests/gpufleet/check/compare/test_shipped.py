"""The shipped environments: what matters more is nowhere weaker."""

from pathlib import Path

import pytest

from gpufleet.check.compare import command
from gpufleet.plan import project

ROOT = Path(__file__).parents[4]


@pytest.mark.parametrize(("stack", "other"), [("prod", "dev"), ("prod", "staging"), ("staging", "dev")])
def test_an_environment_is_nowhere_weaker_than_the_one_before_it(
    stack: str, other: str, capsys: pytest.CaptureFixture[str]
):
    holds = command.run(project.load(ROOT, stack), project.load(ROOT, other), policy_pack=ROOT / "policies")
    assert holds, capsys.readouterr().out


def test_development_is_weaker_and_each_loosened_value_is_named(capsys: pytest.CaptureFixture[str]):
    assert not command.run(project.load(ROOT, "dev"), project.load(ROOT, "prod"))
    out = capsys.readouterr().out
    for named in (
        "gpufleet:settings.regions.us-east-1.network.flow_log_days\n    dev: 30, prod: 365; an intrusion is found",
        "gpufleet:settings.regions.us-east-1.cluster.api.public_cidrs\n    dev: 203.0.113.0/24, prod: none; who",
        "us-east-1-cluster vpcConfig.endpointPublicAccess\n    dev: true, prod: false; an API on the internet",
        "us-east-1-network-nat-us-east-1a NatGateway.subnetId\n    dev: 1 for each Vpc, prod: 3 for each Vpc; one zone",
        "EncryptionByDefault\n    dev: none, prod: 2; a disk that nobody thought of",
    ):
        assert named in out

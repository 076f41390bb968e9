"""The data files say what the installed development packages say."""

import importlib.util
from pathlib import Path

import pytest

from policies.rules._iam_actions import accepts_only_star

GENERATOR = Path(__file__).resolve().parents[2] / "tools" / "generate_policy_data.py"


def test_the_data_files_are_fresh(capsys: pytest.CaptureFixture[str]) -> None:
    spec = importlib.util.spec_from_file_location("generate_policy_data", GENERATOR)
    assert spec is not None
    assert spec.loader is not None
    generator = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generator)
    assert generator.main(["--check"]) == 0, capsys.readouterr().out


@pytest.mark.parametrize(
    "action", ["ec2:DescribeInstances", "ECR:getauthorizationtoken", "pricing:Get*", "pricing:List*"]
)
def test_an_action_that_accepts_only_a_star_is_known_in_any_case_and_by_pattern(action: str) -> None:
    assert accepts_only_star(action)


@pytest.mark.parametrize(
    "action", ["ec2:RunInstances", "ec2:Describe*", "ec2:*", "s3:Put*Acl", "nosuch:Thing", "*", ""]
)
def test_anything_else_can_be_limited_or_is_not_known(action: str) -> None:
    assert not accepts_only_star(action)

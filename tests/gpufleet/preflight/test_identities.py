"""Whose credentials are taken, and what a refusal of AWS becomes."""

import importlib
from typing import Any

import pytest

from gpufleet.preflight.asking import Aws, Deadline
from gpufleet.preflight.identities import Identity, connect
from gpufleet.preflight.results import CouldNotAsk
from tests.gpufleet.preflight.recorded import ACCOUNT, REGION, Recorded

ROLE = "arn:aws:iam::123456789012:role/plan"


def test_roles_are_taken_one_after_the_other(recorded: Recorded) -> None:
    caller = connect(Identity(roles=(ROLE, f"{ROLE}-2")), REGION, Deadline(5))
    assert caller.account_id == ACCOUNT
    taken = [asked["RoleArn"] for _, operation, asked in recorded.asked if operation == "AssumeRole"]
    assert taken == [ROLE, f"{ROLE}-2"]


def test_a_role_that_may_not_be_taken_leaves_nobody_to_ask(recorded: Recorded) -> None:
    recorded.refuse("AssumeRole", code="AccessDenied")
    with pytest.raises(CouldNotAsk, match="AWS takes no credentials from here"):
        connect(Identity(roles=(ROLE,)), REGION, Deadline(5))


def test_a_profile_that_does_not_exist_leaves_nobody_to_ask(nobody: None) -> None:
    with pytest.raises(CouldNotAsk, match="profile"):
        connect(Identity(profile="nobody"), REGION, Deadline(5))


@pytest.fixture
def aws(recorded: Recorded, session: Any) -> Aws:
    return Aws(session, REGION, Deadline(60))


@pytest.mark.parametrize(
    ("code", "why", "permission"),
    [
        ("UnauthorizedOperation", "ec2:DescribeVpcs is missing", "ec2:DescribeVpcs"),
        ("RequestLimitExceeded", "AWS is asked too often (RequestLimitExceeded)", ""),
        (
            "AuthFailure",
            "the credentials are not taken in us-west-2 (AuthFailure); is the region enabled for the account?",
            "",
        ),
        ("503", "what answered is not AWS (503)", ""),
        ("InternalError", "An error occurred (InternalError) when calling the DescribeVpcs operation: no", ""),
    ],
)
def test_a_refusal_becomes_plain_words(aws: Aws, recorded: Recorded, code: str, why: str, permission: str) -> None:
    recorded.refuse("DescribeVpcs", code=code)
    with pytest.raises(CouldNotAsk) as refused:
        aws.listed("ec2:DescribeVpcs", "ec2", "describe_vpcs", "Vpcs")
    assert (refused.value.why, refused.value.permission) == (why, permission)


def test_a_network_that_fails_becomes_plain_words(aws: Aws) -> None:
    exceptions: Any = importlib.import_module("botocore.exceptions")

    def question() -> None:
        raise exceptions.EndpointConnectionError(endpoint_url="https://ec2.us-west-2.amazonaws.com")

    with pytest.raises(CouldNotAsk, match="AWS could not be reached: Could not connect"):
        aws.told("ec2:DescribeVpcs", question)


def test_a_page_of_a_proxy_is_no_answer(aws: Aws) -> None:
    parsers: Any = importlib.import_module("botocore.parsers")

    def question() -> None:
        raise parsers.ResponseParserError("invalid XML received: <!doctype html>")

    with pytest.raises(CouldNotAsk, match="what answered is not AWS"):
        aws.told("ec2:DescribeVpcs", question)


def test_a_client_is_made_once_for_each_region(aws: Aws) -> None:
    assert aws.client("ec2") is aws.at(REGION).client("ec2")
    assert aws.at("us-east-1").client("ec2").meta.region_name == "us-east-1"


def test_clients_try_again_and_do_not_wait_forever(aws: Aws) -> None:
    config = aws.client("ec2").meta.config
    assert config.retries == {"mode": "adaptive", "total_max_attempts": 6}
    assert (config.connect_timeout, config.read_timeout) == (5, 20)

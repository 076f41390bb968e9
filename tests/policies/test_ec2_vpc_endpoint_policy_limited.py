import json
from typing import Any

import pulumi_aws as aws
import pytest

from policies.rules.ec2_vpc_endpoint_policy_limited import RULE
from tests.policies.judging import later, messages

OWN = {"StringEquals": {"aws:PrincipalAccount": "111122223333"}}
ABSENT = "endpoint: policy is not set (AWS default: everybody may do everything); it must name who may pass."


def _allow(actions: Any, resources: Any = "*", **more: Any) -> dict[str, Any]:
    return {"Effect": "Allow", "Principal": "*", "Action": actions, "Resource": resources, **more}


def _endpoint(*statements: Any, **more: Any) -> aws.ec2.VpcEndpoint:
    policy = json.dumps({"Version": "2012-10-17", "Statement": list(statements)}) if statements else None
    settings: dict[str, Any] = {"vpc_endpoint_type": "Interface", "policy": policy, **more}
    return aws.ec2.VpcEndpoint("endpoint", vpc_id="vpc-1", service_name="com.amazonaws.us-east-1.sqs", **settings)


def _open(actions: str) -> list[str]:
    return [
        f"endpoint: policy, statement 1: lets everyone through with {actions} on every resource; it must name its own "
        "principals (aws:PrincipalAccount or aws:PrincipalOrgID) or its resources."
    ]


def test_an_endpoint_without_a_policy_is_reported_of_either_kind(preview: bool) -> None:
    assert messages(RULE, _endpoint, preview=preview) == [ABSENT]
    assert messages(RULE, lambda: _endpoint(vpc_endpoint_type="Gateway"), preview=preview) == [ABSENT]


@pytest.mark.parametrize(
    ("statement", "actions"),
    [
        (_allow("*"), "*"),
        (_allow(["s3:GetObject", "s3:PutObject"]), "s3:PutObject"),
        (_allow("sqs:*", Principal={"AWS": ["*"]}), "sqs:*"),
        (_allow("*", Condition={"StringEqualsIfExists": {"aws:PrincipalAccount": "111122223333"}}), "*"),
        (_allow("*", Condition={"StringLike": {"aws:PrincipalAccount": "*"}}), "*"),
        (
            {"Effect": "Allow", "Principal": "*", "NotAction": "s3:DeleteBucket", "Resource": "*"},
            "all but a few actions",
        ),
    ],
    ids=["everything", "writing", "a-service", "if-exists", "any-account", "not-action"],
)
def test_a_policy_that_lets_everyone_write_is_reported(statement: Any, actions: str, preview: bool) -> None:
    assert messages(RULE, lambda: _endpoint(statement), preview=preview) == _open(actions)


@pytest.mark.parametrize(
    "statement",
    [
        _allow("*", Condition=OWN),
        _allow("*", Condition={"StringEquals": {"aws:PrincipalOrgID": "o-1"}}),
        _allow("s3:GetObject"),
        _allow(["ecr:BatchGetImage", "ecr:GetAuthorizationToken"]),
        _allow("sts:AssumeRoleWithWebIdentity"),
        _allow("s3:PutObject", "arn:aws:s3:::bucket/*"),
        _allow("*", Principal={"AWS": "111122223333"}),
        _allow("*", Effect="Deny"),
    ],
    ids=["own", "organisation", "reading", "pulling", "web-identity", "own-bucket", "principal", "deny"],
)
def test_a_policy_that_limits_who_or_what_is_quiet(statement: Any, preview: bool) -> None:
    assert messages(RULE, lambda: _endpoint(statement), preview=preview) == []


def test_a_policy_that_is_a_resource_of_its_own_counts_and_is_read(preview: bool) -> None:
    def build(condition: Any) -> None:
        document = json.dumps({"Statement": [_allow("*", Condition=condition)]})
        aws.ec2.VpcEndpointPolicy("apart", vpc_endpoint_id=_endpoint().id, policy=document)

    assert messages(RULE, lambda: build(OWN), preview=preview) == []
    assert messages(RULE, lambda: build({}), preview=preview) == [_open("*")[0].replace("endpoint:", "apart:", 1)]


def test_endpoints_that_take_no_such_policy_are_quiet(preview: bool) -> None:
    def build() -> None:
        _endpoint(vpc_endpoint_type="GatewayLoadBalancer")
        aws.ec2.VpcEndpoint(
            "partner",
            vpc_id="vpc-1",
            service_name="com.amazonaws.vpce.us-east-1.vpce-svc-1",
            vpc_endpoint_type="Interface",
        )

    assert messages(RULE, build, preview=preview) == []


def test_a_policy_that_is_unknown_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        _endpoint(policy=later(json.dumps({"Statement": [_allow("*")]})))

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == _open("*")

import json
from typing import Any

import pulumi
import pulumi_aws as aws
import pytest

from components.identity.statements import (
    MANAGED_LIMIT,
    TRUST_LIMIT,
    Statement,
    document,
    joined,
    managed,
    pod_identity_trust,
    trust,
)
from gpufleet.plan.graph import UNKNOWN
from tests.harness import record


def text(build: Any, *, preview: bool = False) -> str:
    """The document as the engine receives it."""
    recorded = record(lambda: aws.iam.Policy("p", policy=build()), preview=preview)
    return recorded.one("aws:iam/policy:Policy").inputs["policy"]


def test_a_statement_is_written_as_iam_writes_it_with_sorted_actions() -> None:
    statement = Statement(
        sid="ReadOwnBucket",
        actions=["s3:ListBucket", "s3:GetObject"],
        resources=["arn:aws:s3:::b"],
        conditions={"StringEquals": {"aws:SourceAccount": "1"}},
    )

    assert statement.as_dict() == {
        "Sid": "ReadOwnBucket",
        "Effect": "Allow",
        "Action": ["s3:GetObject", "s3:ListBucket"],
        "Resource": ["arn:aws:s3:::b"],
        "Condition": {"StringEquals": {"aws:SourceAccount": "1"}},
    }


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"sid": "Read-Own"}, "sid: 'Read-Own' must be letters and digits"),
        ({"effect": "Permit"}, "effect 'Permit' must be Allow or Deny"),
        ({"actions": []}, "names no action"),
        ({"resources": []}, "names neither resources nor principals"),
        ({"resources": ["*"]}, "a wildcard needs its reason; add because="),
        ({"actions": ["s3:*"]}, "a wildcard needs its reason"),
        ({"actions": ["*"]}, "a wildcard needs its reason"),
        ({"actions": ["iam:PassRole"]}, "iam:PassRole needs the condition iam:PassedToService"),
    ],
)
def test_a_statement_that_says_too_little_is_refused(changes: dict[str, Any], message: str) -> None:
    good: dict[str, Any] = {"sid": "Read", "actions": ["s3:GetObject"], "resources": ["arn:aws:s3:::b/*"]}

    with pytest.raises(ValueError, match=message):
        Statement(**(good | changes))


def test_a_wildcard_with_its_reason_is_taken() -> None:
    assert Statement(sid="Describe", actions=["ec2:DescribeSubnets"], resources=["*"], because="takes no other")


def test_passing_a_role_to_one_named_service_is_taken() -> None:
    assert Statement(
        sid="Pass",
        actions=["iam:PassRole"],
        resources=["arn:aws:iam::1:role/r"],
        conditions={"StringEquals": {"iam:PassedToService": "ec2.amazonaws.com"}},
    )


def test_a_document_of_plain_values_is_known_in_a_preview() -> None:
    statement = Statement(sid="Read", actions=["s3:GetObject"], resources=["arn:aws:s3:::b/*"])

    assert json.loads(text(lambda: document(statement), preview=True)) == {
        "Version": "2012-10-17",
        "Statement": [statement.as_dict()],
    }


def test_a_document_with_an_output_in_it_depends_on_the_resource_also_in_a_preview() -> None:
    def build() -> None:
        bucket = aws.s3.Bucket("b")
        aws.iam.Policy("p", policy=document(Statement(sid="Read", actions=["s3:GetObject"], resources=[bucket.arn])))

    previewed = record(build, preview=True)

    policy = previewed.one("aws:iam/policy:Policy")
    assert policy.inputs["policy"] == UNKNOWN
    assert policy.dependencies == (previewed.one("aws:s3/bucket:Bucket").urn,)


def test_two_statements_of_one_name_are_refused() -> None:
    statement = Statement(sid="Read", actions=["s3:GetObject"], resources=["arn:aws:s3:::b/*"])

    with pytest.raises(ValueError, match="sids must differ"):
        document(statement, statement)


def test_a_document_longer_than_iam_takes_is_refused() -> None:
    statement = Statement(sid="Read", actions=["s3:GetObject"], resources=["arn:aws:s3:::" + "b" * TRUST_LIMIT])

    with pytest.raises(ValueError, match=r"the document of Read has \d+ characters, allowed are 2048; split it"):
        document(statement, limit=TRUST_LIMIT)


def test_what_an_output_turns_out_to_hold_is_measured_too() -> None:
    def long() -> object:
        name = pulumi.Output.from_input("b" * TRUST_LIMIT)
        statement = Statement(sid="Read", actions=["s3:GetObject"], resources=[name.apply(lambda known: known)])
        return document(statement, limit=TRUST_LIMIT)

    with pytest.raises(ValueError, match=r"the document of Read has \d+ characters, allowed are 2048; split it"):
        text(long)


def test_each_part_of_a_grant_becomes_one_managed_policy() -> None:
    read = Statement(sid="Read", actions=["s3:GetObject"], resources=["arn:aws:s3:::b/*"])
    long = Statement(sid="Long", actions=["s3:GetObject"], resources=["arn:aws:s3:::" + "b" * MANAGED_LIMIT])

    assert json.loads(text(lambda: managed({"data": [read]})["data"]))["Statement"] == [read.as_dict()]
    with pytest.raises(ValueError, match="allowed are 6144; split it"):
        managed({"data": [long]})


def test_joined_parts_stay_plain_as_long_as_all_are() -> None:
    assert joined("arn:aws:s3:::b", "/*") == "arn:aws:s3:::b/*"

    recorded = record(lambda: aws.iam.Policy("p", policy=joined(aws.s3.Bucket("b").arn, "/*")))

    assert recorded.one("aws:iam/policy:Policy").inputs["policy"] == (
        f"{recorded.one('aws:s3/bucket:Bucket').outputs['arn']}/*"
    )


def test_a_trust_policy_names_the_service_and_no_resource() -> None:
    (statement,) = json.loads(text(lambda: trust("ec2.amazonaws.com")))["Statement"]

    assert statement == {
        "Sid": "ServiceAssumesRole",
        "Effect": "Allow",
        "Principal": {"Service": "ec2.amazonaws.com"},
        "Action": ["sts:AssumeRole"],
    }


def test_pod_identity_may_tag_its_sessions_and_is_bound_to_one_cluster_of_one_account() -> None:
    cluster = "arn:aws:eks:us-east-1:111122223333:cluster/demo"

    (statement,) = json.loads(text(lambda: pod_identity_trust("111122223333", cluster)))["Statement"]

    assert statement["Principal"] == {"Service": "pods.eks.amazonaws.com"}
    assert statement["Action"] == ["sts:AssumeRole", "sts:TagSession"]
    assert statement["Condition"] == {
        "ArnEquals": {"aws:SourceArn": cluster},
        "StringEquals": {"aws:SourceAccount": "111122223333"},
    }


def test_pod_identity_can_be_bound_to_one_service_account_as_well() -> None:
    cluster = "arn:aws:eks:us-east-1:111122223333:cluster/demo"

    (statement,) = json.loads(text(lambda: pod_identity_trust("111122223333", cluster, "training", "runner")))[
        "Statement"
    ]

    assert statement["Condition"]["StringEquals"] == {
        "aws:SourceAccount": "111122223333",
        "aws:RequestTag/kubernetes-namespace": "training",
        "aws:RequestTag/kubernetes-service-account": "runner",
    }

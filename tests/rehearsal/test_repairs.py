"""What is put right in moto, by itself and in a server."""

import json
from dataclasses import dataclass
from typing import Any

import pytest

from gpufleet.rehearsal.cloud import Cloud
from gpufleet.rehearsal.repairs import lets_logs_in

DELIVERY: dict[str, Any] = {
    "Effect": "Allow",
    "Principal": {"Service": "logging.s3.amazonaws.com"},
    "Action": "s3:PutObject",
    "Resource": "arn:aws:s3:::logs/*",
}
REFUSAL = {"Effect": "Deny", "Principal": "*", "Action": "s3:*", "Resource": "arn:aws:s3:::logs/*"}


@dataclass
class Bucket:
    """What is looked at of moto's."""

    policy: bytes | None
    partition: str = "aws"
    name: str = "logs"


def _policy(*statements: dict[str, Any]) -> str:
    return json.dumps({"Version": "2012-10-17", "Statement": list(statements)})


def _bucket(*statements: dict[str, Any]) -> Bucket:
    return Bucket(_policy(*statements).encode())


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({}, True),
        ({"Action": ["s3:PutObject"], "Resource": ["arn:aws:s3:::logs/*"]}, True),
        ({"Principal": {"Service": ["logging.s3.amazonaws.com"]}}, True),
        ({"Resource": "arn:aws:s3:::logs/data/*"}, True),
        ({"Resource": "arn:aws:s3:::logs/other/*"}, False),
        ({"Resource": "arn:aws:s3:::others/*"}, False),
        ({"Principal": {"AWS": "*"}}, False),
        ({"Action": "s3:GetObject"}, False),
        ({"Effect": "Deny"}, False),
    ],
)
def test_a_policy_lets_logs_in_below_the_prefix(change: dict[str, Any], expected: bool) -> None:
    assert lets_logs_in(_bucket(REFUSAL, {**DELIVERY, **change}), "data/") is expected


def test_a_bucket_without_a_policy_lets_no_log_in() -> None:
    assert lets_logs_in(Bucket(None), None) is False


def test_a_bucket_that_refuses_plain_http_can_take_logs_in_the_server(cloud: Cloud) -> None:
    s3 = cloud.client("s3")
    for name in ("logs", "data"):
        s3.create_bucket(Bucket=name)
    s3.put_bucket_policy(Bucket="logs", Policy=_policy(REFUSAL, DELIVERY))
    logging = {"LoggingEnabled": {"TargetBucket": "logs", "TargetPrefix": "data/"}}
    s3.put_bucket_logging(Bucket="data", BucketLoggingStatus=logging)
    assert s3.get_bucket_logging(Bucket="data")["LoggingEnabled"]["TargetBucket"] == "logs"


def test_a_bucket_that_lets_no_log_in_is_still_refused_in_the_server(cloud: Cloud) -> None:
    s3 = cloud.client("s3")
    for name in ("logs", "data"):
        s3.create_bucket(Bucket=name)
    logging = {"LoggingEnabled": {"TargetBucket": "logs", "TargetPrefix": "data/"}}
    with pytest.raises(Exception, match="InvalidTargetBucketForLogging"):
        s3.put_bucket_logging(Bucket="data", BucketLoggingStatus=logging)


def test_every_region_has_a_prefix_list_of_s3_express(cloud: Cloud) -> None:
    lists = cloud.client("ec2", "eu-west-1").describe_prefix_lists()["PrefixLists"]
    names = [entry["PrefixListName"] for entry in lists]
    assert names.count("com.amazonaws.eu-west-1.s3express") == 1
    assert names.count("com.amazonaws.eu-west-1.s3") == 1

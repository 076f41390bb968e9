"""Names: free, taken by others, or one's own already."""

from collections.abc import Callable
from typing import Any

import pulumi_aws as aws
import pytest

from gpufleet.preflight.checks import names
from gpufleet.preflight.results import COULD_NOT_ASK, FAILED, PASSED, Result
from tests.gpufleet.preflight.conftest import Ask
from tests.gpufleet.preflight.fleet import TAGS, Network
from tests.gpufleet.preflight.recorded import REGION, Recorded, refusal

BUCKET, ALIAS, LOGS = "trial-datasets", "alias/trial/data", "/aws/eks/trial/cluster"
OWN = [{"Key": key, "Value": value} for key, value in TAGS.items()]


def entry() -> None:
    network = Network()
    aws.s3.Bucket("named", bucket=BUCKET, opts=network.opts)
    aws.s3.Bucket("unnamed", opts=network.opts)
    key = aws.kms.Key("key", opts=network.opts)
    aws.kms.Alias("key", name=ALIAS, target_key_id=key.id, opts=network.opts)
    aws.cloudwatch.LogGroup("logs", name=LOGS, opts=network.opts)


def of(results: list[Result], name: str) -> Result:
    return next(one for one in results if name in one.what)


def test_free_names_pass(ask: Ask) -> None:
    assert [(one.status, one.what) for one in ask(names.check, entry)] == [
        (PASSED, f"bucket name is free: {BUCKET}"),
        (PASSED, f"key alias name is free: {ALIAS}"),
        (PASSED, "cluster name is free: trial"),
        (PASSED, f"log group name is free: {LOGS}"),
    ]


def bucket(session: Any, tags: list[dict[str, str]]) -> str:
    s3 = session.client("s3", region_name=REGION)
    s3.create_bucket(Bucket=BUCKET, CreateBucketConfiguration={"LocationConstraint": REGION})
    if tags:
        s3.put_bucket_tagging(Bucket=BUCKET, Tagging={"TagSet": tags})
    return BUCKET


def alias(session: Any, tags: list[dict[str, str]]) -> str:
    kms = session.client("kms", region_name=REGION)
    key = kms.create_key(Tags=[{"TagKey": tag["Key"], "TagValue": tag["Value"]} for tag in tags])
    kms.create_alias(AliasName=ALIAS, TargetKeyId=key["KeyMetadata"]["KeyId"])
    return ALIAS


def cluster(session: Any, tags: list[dict[str, str]]) -> str:
    session.client("eks", region_name=REGION).create_cluster(
        name="trial",
        roleArn="arn:aws:iam::123456789012:role/cluster",
        resourcesVpcConfig={"subnetIds": []},
        tags={tag["Key"]: tag["Value"] for tag in tags},
    )
    return "cluster name trial" if not tags else "cluster trial"


def log_group(session: Any, tags: list[dict[str, str]]) -> str:
    logs = session.client("logs", region_name=REGION)
    logs.create_log_group(logGroupName=LOGS, tags={tag["Key"]: tag["Value"] for tag in tags} or {"by": "others"})
    return LOGS


@pytest.mark.parametrize("make", [bucket, alias, cluster, log_group])
def test_a_name_that_is_taken_fails_and_ones_own_passes(
    ask: Ask, session: Any, make: Callable[[Any, list[dict[str, str]]], str]
) -> None:
    name = make(session, [])
    result = of(ask(names.check, entry), name)
    assert (result.status, result.what.endswith("is taken, and not by this stack")) == (FAILED, True)
    assert "pulumi import aws:" in result.fix


@pytest.mark.parametrize("make", [bucket, alias, cluster, log_group])
def test_what_an_earlier_update_made_passes(
    ask: Ask, session: Any, make: Callable[[Any, list[dict[str, str]]], str]
) -> None:
    name = make(session, OWN)
    result = of(ask(names.check, entry), name)
    assert (result.status, result.what.endswith("is of this stack already")) == (PASSED, True)


def test_a_bucket_of_somebody_else_is_told_from_a_missing_permission(ask: Ask, recorded: Recorded) -> None:
    recorded.answers["HeadBucket"] = lambda asked: refusal("403" if asked["Bucket"] == BUCKET else "404")
    result = of(ask(names.check, entry), BUCKET)
    assert (result.status, result.what) == (FAILED, f"the bucket name {BUCKET} is taken, and not by this stack")
    recorded.answers["HeadBucket"] = refusal("403")
    result = of(ask(names.check, entry), BUCKET)
    assert (result.status, result.permission) == (COULD_NOT_ASK, "s3:ListBucket")


@pytest.mark.parametrize(
    ("operation", "permission", "make"),
    [
        ("GetBucketTagging", "s3:GetBucketTagging", bucket),
        ("ListAliases", "kms:ListAliases", None),
        ("ListResourceTags", "kms:ListResourceTags", alias),
        ("DescribeCluster", "eks:DescribeCluster", None),
        ("DescribeLogGroups", "logs:DescribeLogGroups", None),
        ("ListTagsForResource", "logs:ListTagsForResource", log_group),
    ],
)
def test_a_missing_permission_is_named_and_the_other_names_are_still_asked(
    ask: Ask,
    recorded: Recorded,
    session: Any,
    operation: str,
    permission: str,
    make: Callable[[Any, list[dict[str, str]]], str] | None,
) -> None:
    if make:
        make(session, OWN)
    recorded.refuse(operation)
    results = ask(names.check, entry)
    unasked = [one for one in results if one.status == COULD_NOT_ASK]
    assert [one.permission for one in unasked] == [permission]
    assert len(results) == 4


def test_without_the_list_of_ones_own_buckets_a_403_stays_open(ask: Ask, recorded: Recorded) -> None:
    recorded.answers["HeadBucket"] = lambda asked: refusal("403" if asked["Bucket"] == BUCKET else "404")
    recorded.refuse("ListBuckets", code="AccessDenied")
    result = of(ask(names.check, entry), BUCKET)
    assert (result.status, result.permission) == (COULD_NOT_ASK, "s3:ListAllMyBuckets")

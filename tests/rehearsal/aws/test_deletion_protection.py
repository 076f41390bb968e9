"""What AWS will not delete (deletion protection, buckets with objects), and the way an operator clears."""

from collections.abc import Callable
from typing import Any

import pytest

from gpufleet.rehearsal.aws.calls import Api
from gpufleet.rehearsal.aws.errors import AwsError
from gpufleet.rehearsal.aws.provider import AwsStandIn
from tests.rehearsal.aws.program import Program
from tests.rehearsal.aws.stack import Stack

Client = Callable[[str], Any]


@pytest.fixture
def operator(endpoint: str, account: str) -> Program:
    """The same account, seen by a stand-in that is told to lift protection."""
    program = Program(endpoint, account=account)
    program.provider = AwsStandIn(Api(endpoint, account), clears_the_way=True)
    program.configure(region="us-east-1")
    return program


def test_a_protected_cluster_is_not_deleted(stack: Stack, client: Client) -> None:
    stack.get("aws:eks/cluster:Cluster")
    inputs = {**stack.declared["aws:eks/cluster:Cluster"], "name": "kept", "deletionProtection": True}
    cluster = stack.program.create("aws:eks/cluster:Cluster", inputs)
    with pytest.raises(AwsError, match="DeleteCluster, api error InvalidRequestException: Cluster kept has deletion"):
        stack.program.delete(cluster)
    assert client("eks").describe_cluster(name="kept")["cluster"]["status"] == "ACTIVE"


def test_a_protected_cluster_goes_once_its_protection_is_switched_off(stack: Stack) -> None:
    inputs = {**stack.inputs("aws:eks/cluster:Cluster"), "name": "kept", "deletionProtection": True}
    cluster = stack.program.create("aws:eks/cluster:Cluster", inputs)
    cluster = stack.program.update(cluster, {**inputs, "deletionProtection": False})
    stack.program.delete(cluster)
    assert stack.program.read(cluster) is None


def test_a_protected_log_group_is_not_deleted(stack: Stack, client: Client) -> None:
    inputs = {"name": "audit", "deletionProtectionEnabled": True}
    group = stack.program.create("aws:cloudwatch/logGroup:LogGroup", inputs)
    with pytest.raises(AwsError, match="DeleteLogGroup, api error ValidationException: Log group audit has deletion"):
        stack.program.delete(group)
    assert len(client("logs").describe_log_groups(logGroupNamePrefix="audit")["logGroups"]) == 1


def test_a_bucket_with_objects_goes_only_where_the_way_is_cleared(
    stack: Stack, operator: Program, client: Client
) -> None:
    bucket = stack.program.create("aws:s3/bucket:Bucket", {"bucket": f"logs-{stack.program.account}"})
    client("s3").put_object(Bucket=bucket.id, Key="2026-11-30", Body=b"GET")
    with pytest.raises(AwsError, match="DeleteBucket, api error BucketNotEmpty"):
        stack.program.delete(bucket)
    operator.delete(bucket)
    assert operator.read(bucket) is None
    operator.delete(bucket)


def test_protection_is_lifted_where_the_stand_in_is_told_to(stack: Stack, operator: Program) -> None:
    inputs = {**stack.inputs("aws:eks/cluster:Cluster"), "name": "kept", "deletionProtection": True}
    cluster = stack.program.create("aws:eks/cluster:Cluster", inputs)
    group = stack.program.create(
        "aws:cloudwatch/logGroup:LogGroup", {"name": "audit", "deletionProtectionEnabled": True}
    )
    for standing in (cluster, group):
        operator.delete(standing)
        assert operator.read(standing) is None
        # What is gone already is deleted, also where it was protected.
        operator.delete(standing)

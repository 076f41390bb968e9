import json
from typing import Any

import pulumi
import pulumi_aws as aws

from policies.rules.data_same_region import RULE
from tests.policies.judging import later, messages
from tests.policies.pools import pool


def _away(region: str = "eu-west-1") -> pulumi.ResourceOptions:
    return pulumi.ResourceOptions(provider=aws.Provider(f"aws-{region}", region=region))


def _linked(bucket: Any, *, region: str = "us-east-1") -> None:
    aws.s3.Bucket("data", bucket="example-data", region="eu-west-1")
    aws.fsx.DataRepositoryAssociation(
        "link",
        file_system_id="fs-1",
        file_system_path="/data",
        data_repository_path=pulumi.Output.concat("s3://", bucket, "/train"),
        region=region,
    )


def _pods(*, name: str | None = "example-data", managed: bool = False) -> None:
    bucket = aws.s3.Bucket("data", bucket=name, opts=_away())
    near = aws.s3.Bucket("near", bucket="example-data-near", region="us-east-1")
    role = aws.iam.Role("reader", assume_role_policy="{}")
    resources = [pulumi.Output.concat("arn:aws:s3:::", found.bucket, "/*") for found in (bucket, near)]
    document = pulumi.Output.json_dumps({"Statement": [{"Action": "s3:GetObject", "Resource": resources}]})
    if managed:
        policy = aws.iam.Policy("read", policy=document)
        aws.iam.RolePolicyAttachment("read", role=role.name, policy_arn=policy.arn)
    else:
        aws.iam.RolePolicy("read", role=role.id, policy=document)
    aws.eks.PodIdentityAssociation(
        "pods", cluster_name="c", namespace="n", service_account="s", role_arn=role.arn, region="us-east-1"
    )


def _reads(reader: str, bucket: str = "data") -> str:
    return f"{reader}: reads bucket {bucket} of eu-west-1 from us-east-1; both must lie in one region."


def test_a_link_to_a_bucket_of_another_region_is_reported(preview: bool) -> None:
    assert messages(RULE, lambda: _linked("example-data"), preview=preview) == [_reads("link")]


def test_a_file_system_where_no_gpu_is_is_reported(preview: bool) -> None:
    def build() -> None:
        aws.fsx.LustreFileSystem("lustre", subnet_ids="subnet-1", storage_capacity=1200, region="eu-west-1")
        pool("train", region="us-east-1")
        pool("cpu", types=("m7i.large",), region="eu-west-1")

    assert messages(RULE, build, preview=preview) == [
        "lustre: lies in eu-west-1, but the GPU node groups in us-east-1; it must lie where they do."
    ]


def test_pods_that_may_read_a_bucket_of_another_region_are_reported_once_its_name_is_known() -> None:
    assert messages(RULE, _pods) == [_reads("pods")]
    assert messages(RULE, lambda: _pods(name=None)) == [_reads("pods")]
    assert messages(RULE, lambda: _pods(managed=True)) == [_reads("pods")]
    assert messages(RULE, lambda: _pods(name=None), preview=True) == []


def test_pods_whose_policy_is_written_with_names_are_reported_in_the_preview_as_well(preview: bool) -> None:
    def build() -> None:
        bucket = aws.s3.Bucket("data", bucket="example-data", region="eu-west-1")
        role = aws.iam.Role("reader", assume_role_policy="{}", name="reader")
        document: Any = {"Statement": [{"Resource": [pulumi.Output.concat("arn:aws:s3:::", bucket.bucket, "/*")]}]}
        aws.iam.RolePolicy("read", role=role.id, policy=document)
        aws.eks.PodIdentityAssociation(
            "pods", cluster_name="c", namespace="n", service_account="s", role_arn=role.arn, region="us-east-1"
        )

    assert messages(RULE, build, preview=preview) == [_reads("pods")]


def test_data_beside_the_gpus_and_a_bucket_that_no_gpu_reads_are_quiet(preview: bool) -> None:
    def build() -> None:
        _linked("example-data", region="eu-west-1")
        pool("train", region="us-east-1")
        aws.fsx.LustreFileSystem("lustre", subnet_ids="subnet-1", storage_capacity=1200, region="us-east-1")
        aws.s3.Bucket("replica", region="ap-southeast-2")

    assert messages(RULE, build, preview=preview) == []


def test_a_policy_that_names_another_bucket_of_like_name_is_quiet(preview: bool) -> None:
    def build() -> None:
        aws.s3.Bucket("data", bucket="example", region="eu-west-1")
        role = aws.iam.Role("reader", assume_role_policy="{}")
        text = json.dumps({"Statement": [{"Action": "s3:GetObject", "Resource": "arn:aws:s3:::example-data/*"}]})
        aws.iam.RolePolicy("read", role=role.id, policy=text)
        aws.eks.PodIdentityAssociation(
            "pods", cluster_name="c", namespace="n", service_account="s", role_arn=role.arn, region="us-east-1"
        )

    assert messages(RULE, build, preview=preview) == []


def test_an_unknown_path_is_quiet_until_it_is_known() -> None:
    assert messages(RULE, lambda: _linked(later("example-data")), preview=True) == []
    assert messages(RULE, lambda: _linked(later("example-data"))) == [_reads("link")]

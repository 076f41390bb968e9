"""A value that is another resource's stays one."""

import json
from collections.abc import Mapping
from typing import Any

import pulumi
import pulumi_aws as aws

from gpufleet.export.references import Reference, References
from gpufleet.plan.graph import Resource
from tests.gpufleet.export.exporting import exported, resource


def made(name: str, type_: str, id_: str, inputs: Mapping[str, Any], outputs: Mapping[str, Any]) -> Resource:
    return Resource(
        urn=name,
        type=type_,
        name=name,
        parent=None,
        provider="",
        custom=True,
        protect=False,
        dependencies=(),
        property_dependencies={},
        inputs=inputs,
        id=id_,
        outputs=outputs,
    )


def test_an_id_is_a_reference_and_a_text_that_says_the_same_by_itself_is_not():
    def build() -> None:
        vpc = aws.ec2.Vpc("main", cidr_block="10.0.0.0/16")
        aws.ec2.Subnet("one", vpc_id=vpc.id, cidr_block="10.0.0.0/24")
        aws.ec2.Subnet("other", vpc_id="vpc-0123", cidr_block="10.0.1.0/24")

    made = exported(build)
    assert resource(made, "aws_subnet", "one") == {"cidr_block": "10.0.0.0/24", "vpc_id": "${aws_vpc.main.id}"}
    assert resource(made, "aws_subnet", "other") == {"cidr_block": "10.0.1.0/24", "vpc_id": "vpc-0123"}
    assert made.references == 1


def test_an_argument_asks_for_the_attribute_that_is_named_like_it():
    def build() -> None:
        cluster = aws.eks.Cluster(
            "c", name="train", role_arn="arn:aws:iam::1:role/r", vpc_config={"subnet_ids": ["subnet-1"]}
        )
        aws.eks.Addon("cni", cluster_name=cluster.name, addon_name="vpc-cni")

    assert resource(exported(build), "aws_eks_addon", "cni")["cluster_name"] == "${aws_eks_cluster.c.name}"


def test_a_number_is_a_reference_where_the_names_agree():
    def build() -> None:
        template = aws.ec2.LaunchTemplate("t")
        aws.eks.NodeGroup(
            "g",
            cluster_name="c",
            node_role_arn="arn:aws:iam::1:role/r",
            subnet_ids=["subnet-1"],
            scaling_config={"desired_size": 1, "max_size": 1, "min_size": 1},
            launch_template={"id": template.id, "version": template.latest_version.apply(str)},
        )

    group = resource(exported(build), "aws_eks_node_group", "g")
    assert group["launch_template"] == [
        {"id": "${aws_launch_template.t.id}", "version": "${aws_launch_template.t.latest_version}"}
    ]
    assert group["scaling_config"] == [{"desired_size": 1, "max_size": 1, "min_size": 1}]


def test_a_policy_document_stays_text_with_references_in_it_and_its_own_variables_escaped():
    def build() -> None:
        bucket = aws.s3.Bucket("data")
        document = pulumi.Output.json_dumps(
            {"Resource": [bucket.arn, pulumi.Output.concat(bucket.arn, "/${aws:PrincipalTag/team}/*")]}
        )
        aws.s3.BucketPolicy("data", bucket=bucket.bucket, policy=document)

    policy = resource(exported(build), "aws_s3_bucket_policy", "data")
    assert policy["bucket"] == "${aws_s3_bucket.data.bucket}"
    assert json.loads(policy["policy"]) == {
        "Resource": ["${aws_s3_bucket.data.arn}", "${aws_s3_bucket.data.arn}/$${aws:PrincipalTag/team}/*"]
    }


def test_a_policy_given_as_an_object_is_written_as_text():
    def build() -> None:
        queue = aws.sqs.Queue("q")
        statement = {"Effect": "Allow", "Action": ["sqs:SendMessage"], "Resource": [queue.arn]}
        aws.iam.Policy("p", policy={"Version": "2012-10-17", "Statement": [statement]})  # pyright: ignore[reportArgumentType] -- an Output inside: the SDK's types know only whole ones

    policy = json.loads(resource(exported(build), "aws_iam_policy", "p")["policy"])
    assert policy["Statement"][0]["Resource"] == ["${aws_sqs_queue.q.arn}"]


def test_a_nested_output_is_asked_for_by_its_path():
    def issuer(identities: Any) -> str:
        return identities[0]["oidcs"][0]["issuer"]

    def build() -> None:
        cluster = aws.eks.Cluster("c", role_arn="arn:aws:iam::1:role/r", vpc_config={"subnet_ids": ["subnet-1"]})
        aws.iam.OpenIdConnectProvider(
            "o",
            url=pulumi.Output.from_input(cluster.identities).apply(issuer),
            client_id_lists=["sts.amazonaws.com"],
        )
        aws.ec2.SecurityGroup("s", name=cluster.vpc_config.cluster_security_group_id)

    made = exported(build)
    provider = resource(made, "aws_iam_openid_connect_provider", "o")
    assert provider["url"] == "${aws_eks_cluster.c.identity[0].oidc[0].issuer}"
    assert provider["client_id_list"] == ["sts.amazonaws.com"]
    name = resource(made, "aws_security_group", "s")["name"]
    assert name == "${aws_eks_cluster.c.vpc_config[0].cluster_security_group_id}"


def test_the_first_of_a_set_is_asked_for_by_way_of_a_list():
    options = {"domainValidationOptions": [{"resourceRecordName": "_1a2b.example.com"}]}
    certificate = made("cert", "aws:acm/certificate:Certificate", "arn:aws:acm:::certificate/1", {}, options)
    found = References([certificate], {"cert": "aws_acm_certificate.cert"})
    assert found.exact("_1a2b.example.com", "name", ("cert",)) == Reference(
        "cert", "tolist(aws_acm_certificate.cert.domain_validation_options)[0].resource_record_name"
    )


def test_a_name_that_goes_on_is_another_name():
    bucket = made("b", "aws:s3/bucket:Bucket", "train", {}, {"arn": "arn:aws:s3:::train"})
    found = References([bucket], {"b": "aws_s3_bucket.b"})
    text, asked = found.inside("train-logs train arn:aws:s3:::train/*", ("b",), lambda literal: literal)
    assert text == "train-logs ${aws_s3_bucket.b.id} ${aws_s3_bucket.b.arn}/*"
    assert asked == {"b"}


def test_whoever_made_a_value_comes_before_whoever_repeats_it():
    bucket = made("b", "aws:s3/bucket:Bucket", "data-1a2b", {}, {"bucket": "data-1a2b"})
    inputs = {"bucket": "data-1a2b"}
    versioning = made("a", "aws:s3/bucketVersioning:BucketVersioning", "a-77", inputs, dict(inputs))
    found = References([versioning, bucket], {"a": "aws_s3_bucket_versioning.a", "b": "aws_s3_bucket.b"})
    assert found.exact("data-1a2b", "bucket", ("a", "b")) == Reference("b", "aws_s3_bucket.b.bucket")
    assert found.exact("data-1a2b", "bucket", ("a",)) == Reference("a", "aws_s3_bucket_versioning.a.bucket")


def test_short_texts_booleans_and_numbers_of_other_names_are_nobodys():
    thing = made("t", "aws:sqs/queue:Queue", "queue-id", {}, {"arn": "abc", "delaySeconds": 5, "fifoQueue": True})
    found = References([thing], {"t": "aws_sqs_queue.t"})
    assert [found.exact(value, "size", ("t",)) for value in ("abc", 5, True)] == [None, None, None]

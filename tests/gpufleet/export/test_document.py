"""The document around the values: providers, order, what is protected, what is not told."""

import re
from dataclasses import replace
from typing import Any

import pulumi
import pulumi_aws as aws
import pytest

from gpufleet.export import document
from gpufleet.export.document import LeftOut, Unconfirmed
from gpufleet.plan import offline, planning
from gpufleet.plan.graph import UNKNOWN
from gpufleet.plan.values import is_list, is_mapping
from tests import golden
from tests.gpufleet.export.exporting import exported, resource
from tests.stacks.test_stacks import STACKS, loaded


def test_each_provider_is_an_alias_with_its_region_account_and_tags():
    def build() -> None:
        west = aws.Provider(
            "west", region="us-west-2", allowed_account_ids=["111122223333"], default_tags={"tags": {"owner": "us"}}
        )
        aws.ec2.Vpc("v", cidr_block="10.0.0.0/16", opts=pulumi.ResourceOptions(provider=west))

    made = exported(build)
    (provider,) = made.document["provider"]["aws"]
    assert {key: provider[key] for key in ("alias", "region", "allowed_account_ids", "default_tags")} == {
        "alias": "west",
        "region": "us-west-2",
        "allowed_account_ids": ["111122223333"],
        "default_tags": [{"tags": {"owner": "us"}}],
    }
    assert resource(made, "aws_vpc", "v")["provider"] == "aws.west"


def test_a_resource_without_a_provider_takes_the_one_that_the_stack_configures():
    made = exported(lambda: aws.ec2.Vpc("v", cidr_block="10.0.0.0/16"), {"aws:region": "eu-west-1", "app:size": "4"})
    assert made.document["provider"] == {"aws": [{"region": "eu-west-1"}]}
    assert resource(made, "aws_vpc", "v") == {"cidr_block": "10.0.0.0/16"}


def test_credentials_of_a_provider_are_written_nowhere():
    def build() -> None:
        own = aws.Provider(
            "own", region="us-east-1", access_key="AKIAIOSFODNN7EXAMPLE", secret_key="hush", token="psst"
        )
        aws.ec2.Vpc("v", cidr_block="10.0.0.0/16", opts=pulumi.ResourceOptions(provider=own))

    made = exported(build, {"aws:secretKey": "hush", "aws:region": "us-east-1"})
    assert not any(word in str(made.document) for word in ("AKIA", "hush", "psst"))
    assert "variable" not in made.document


def test_a_secret_becomes_a_variable():
    def build() -> None:
        aws.secretsmanager.SecretVersion("v", secret_id="s", secret_string=pulumi.Output.secret("hush"))

    made = exported(build)
    name = "secret_aws_secretsmanager_secret_version_v_secretString"
    assert resource(made, "aws_secretsmanager_secret_version", "v")["secret_string"] == f"${{var.{name}}}"
    assert made.document["variable"][name]["sensitive"] is True
    assert "hush" not in str(made.document)


def test_what_only_the_deployment_knows_is_one_variable_and_part_of_a_text():
    run = offline.run(lambda: aws.sqs.Queue("q", name="n", policy="p"))
    (queue,) = run.resources
    inputs = {"name": UNKNOWN, "policy": f'{{"Resource": "{UNKNOWN}/*"}}'}
    made = document.build(replace(run, resources=(replace(queue, inputs=inputs),)))
    assert resource(made, "aws_sqs_queue", "q") == {
        "name": "${var.known_after_deployment}",
        "policy": '{"Resource": "${var.known_after_deployment}/*"}',
    }
    assert made.variables == ("known_after_deployment",)


def test_order_without_a_reference_is_kept():
    def build() -> None:
        queue = aws.sqs.Queue("first")
        aws.sqs.Queue("second", opts=pulumi.ResourceOptions(depends_on=[queue]))
        aws.sqs.QueuePolicy("p", queue_url=queue.id, policy="{}")

    made = exported(build)
    assert resource(made, "aws_sqs_queue", "second")["depends_on"] == ["aws_sqs_queue.first"]
    assert "depends_on" not in resource(made, "aws_sqs_queue_policy", "p")


def test_protection_and_ignored_changes_are_its_lifecycle():
    def build() -> None:
        aws.eks.NodeGroup(
            "g",
            cluster_name="c",
            node_role_arn="arn:aws:iam::1:role/r",
            subnet_ids=["subnet-1"],
            scaling_config={"desired_size": 1, "max_size": 1, "min_size": 1},
            opts=pulumi.ResourceOptions(protect=True, ignore_changes=["scalingConfig.desiredSize", "tags"]),
        )

    assert resource(exported(build), "aws_eks_node_group", "g")["lifecycle"] == {
        "prevent_destroy": True,
        "ignore_changes": ["scaling_config[0].desired_size", "tags"],
    }


def test_a_name_that_a_type_has_twice_is_numbered_and_one_that_terraform_refuses_is_mended():
    class Team(pulumi.ComponentResource):
        def __init__(self, name: str) -> None:
            super().__init__("test:index:Team", name)

    class Squad(pulumi.ComponentResource):
        def __init__(self, name: str) -> None:
            super().__init__("test:index:Squad", name)

    def build() -> None:
        for parent in (Team("a"), Squad("b")):
            aws.sqs.Queue("work", opts=pulumi.ResourceOptions(parent=parent))
        aws.sqs.Queue("2nd queue")

    assert set(exported(build).document["resource"]["aws_sqs_queue"]) == {"work", "work_2", "_2nd_queue"}


def test_a_name_that_the_engine_would_make_up_is_made_up():
    made = exported(lambda: aws.iam.Role("r", assume_role_policy="{}"))
    assert "name" not in resource(made, "aws_iam_role", "r")  # Terraform makes one up itself
    made = exported(lambda: aws.eks.Cluster("c", role_arn="arn:aws:iam::1:role/r", vpc_config={"subnet_ids": ["s"]}))
    (cluster,) = offline.run(
        lambda: aws.eks.Cluster("c", role_arn="arn:aws:iam::1:role/r", vpc_config={"subnet_ids": ["s"]})
    ).resources
    assert resource(made, "aws_eks_cluster", "c")["name"] == cluster.outputs["name"]


def test_rows_are_complete_documents_are_text_and_files_are_where_they_are():
    def build() -> None:
        aws.ec2.SecurityGroup(
            "s", ingress=[{"protocol": "tcp", "from_port": 443, "to_port": 443, "cidr_blocks": ["10.0.0.0/8"]}]
        )
        aws.s3.BucketObject("o", bucket="b", source=pulumi.FileAsset("model.bin"))

    made = exported(build)
    assert resource(made, "aws_security_group", "s")["ingress"] == [
        {
            "cidr_blocks": ["10.0.0.0/8"],
            "description": None,
            "from_port": 443,
            "ipv6_cidr_blocks": None,
            "prefix_list_ids": None,
            "protocol": "tcp",
            "security_groups": None,
            "self": None,
            "to_port": 443,
        }
    ]
    assert resource(made, "aws_s3_bucket_object", "o")["source"] == "model.bin"


def test_what_is_not_of_aws_is_left_out_and_said():
    def build() -> None:
        pulumi.CustomResource("kubernetes:core/v1:Namespace", "n")
        pulumi.CustomResource("kubernetes:core/v1:Namespace", "m")
        aws.sqs.Queue("q")

    made = exported(build)
    assert made.left_out == (LeftOut(type="kubernetes:core/v1:Namespace", count=2, reason="not a resource of AWS"),)
    assert list(made.document["resource"]) == ["aws_sqs_queue"]


def test_a_type_that_no_schema_confirmed_is_written_by_rule_and_said():
    made = exported(lambda: pulumi.CustomResource("aws:quantum/loom:Loom", "l", {"threadCount": 4}))
    assert made.unknown == (Unconfirmed(type="aws:quantum/loom:Loom", written_as="aws_quantum_loom", count=1),)
    assert resource(made, "aws_quantum_loom", "l") == {"thread_count": 4}


@pytest.mark.parametrize("stack", STACKS)
def test_every_type_of_the_stacks_is_known(stack: str):
    run = planning.run(loaded(stack), preview=False)
    made = document.build(run)
    assert made.unknown == ()
    assert made.resources == sum(resource.type.startswith("aws:") for resource in run.resources)
    assert made.resources == sum(len(those) for those in made.document["resource"].values())


def test_who_asks_whom_in_the_dev_stack_is_the_golden():
    made = document.build(planning.run(loaded("dev"), preview=False))
    lines: list[str] = []
    for type_name, those in made.document["resource"].items():
        for label, body in sorted(those.items()):
            lines.append(f"{type_name}.{label}")
            lines += [f"  {path} = {value}" for path, value in referring(body, "") if not path.startswith("depends_on")]
    golden.check("export/dev.txt", "\n".join(lines) + "\n")


def referring(value: Any, path: str) -> list[tuple[str, str]]:
    """Path and expressions of each value that refers to something."""
    if is_mapping(value):
        return [found for key, item in value.items() for found in referring(item, f"{path}.{key}" if path else key)]
    if is_list(value):
        return [found for index, item in enumerate(value) for found in referring(item, f"{path}[{index}]")]
    asked = dict.fromkeys(re.findall(r"(?<!\$)\$\{[^}]+\}", value)) if isinstance(value, str) else {}
    return [(path, " ".join(asked))] if asked else []

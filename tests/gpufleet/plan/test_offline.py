"""Running programs offline: what is registered, as the engine would have received it."""

import json
from pathlib import Path
from typing import Any

import pulumi
import pulumi_aws as aws
import pytest

from gpufleet.errors import UsageError
from gpufleet.plan import offline
from gpufleet.plan.graph import UNKNOWN, unknown_paths
from tests.harness import record

PROJECT_STACK = "urn:pulumi:stack::project::pulumi:pulumi:Stack::project-stack"


def network() -> None:
    vpc = aws.ec2.Vpc("v", cidr_block="10.0.0.0/16", tags={"b": "2", "a": "1"})
    aws.ec2.Subnet("s", vpc_id=vpc.id, cidr_block="10.0.0.0/24", opts=pulumi.ResourceOptions(parent=vpc, protect=True))


class Outer(pulumi.ComponentResource):
    def __init__(self, name: str) -> None:
        super().__init__("test:index:Outer", name)
        Inner(f"{name}-inner", pulumi.ResourceOptions(parent=self))
        self.register_outputs({"answer": 42})


class Inner(pulumi.ComponentResource):
    def __init__(self, name: str, opts: pulumi.ResourceOptions) -> None:
        super().__init__("test:index:Inner", name, None, opts)
        aws.ec2.Vpc(f"{name}-v", cidr_block="10.0.0.0/16", opts=pulumi.ResourceOptions(parent=self))
        self.register_outputs({})


def test_urns_carry_the_whole_chain_of_parents_but_not_the_stack():
    assert {resource.urn for resource in record(lambda: Outer("o")).resources} == {
        "urn:pulumi:stack::project::test:index:Outer::o",
        "urn:pulumi:stack::project::test:index:Outer$test:index:Inner::o-inner",
        "urn:pulumi:stack::project::test:index:Outer$test:index:Inner$aws:ec2/vpc:Vpc::o-inner-v",
    }


def test_a_components_outputs_are_what_it_registered():
    assert record(lambda: Outer("o")).one("test:index:Outer").outputs == {"answer": 42}


def test_a_preview_leaves_ids_unknown_and_an_update_makes_them_up():
    preview, update = record(network, preview=True), record(network)
    assert preview.one("aws:ec2/subnet:Subnet").inputs == {"cidrBlock": "10.0.0.0/24", "vpcId": UNKNOWN}
    assert preview.one("aws:ec2/subnet:Subnet").id is None
    vpc = update.one("aws:ec2/vpc:Vpc")
    assert update.one("aws:ec2/subnet:Subnet").inputs["vpcId"] == vpc.id
    assert vpc.id is not None
    assert vpc.id.startswith("vpc-0")


def test_the_same_program_gives_the_same_run_twice():
    assert record(network).run == record(network).run


def test_options_and_dependencies_are_kept():
    subnet = record(network).one("aws:ec2/subnet:Subnet")
    vpc = record(network).one("aws:ec2/vpc:Vpc")
    assert subnet.protect
    assert subnet.parent == vpc.urn
    assert subnet.dependencies == (vpc.urn,)
    assert subnet.property_dependencies == {"vpcId": (vpc.urn,)}
    assert vpc.parent == PROJECT_STACK


def test_two_resources_with_one_urn_are_refused():
    def twice() -> None:
        aws.ec2.Vpc("v", cidr_block="10.0.0.0/16")
        aws.ec2.Vpc("v", cidr_block="10.1.0.0/16")

    with pytest.raises(UsageError, match=r"aws:ec2/vpc:Vpc::v: two resources have this URN"):
        record(twice)


def test_a_document_given_as_an_object_stays_one_in_the_inputs_and_comes_back_as_text():
    def build() -> None:
        trust: Any = {"Version": "2012-10-17", "Statement": []}
        role = aws.iam.Role("r", assume_role_policy=trust)
        pulumi.export("trust", role.assume_role_policy)

    recorded = record(build)
    assert recorded.one("aws:iam/role:Role").inputs["assumeRolePolicy"] == {"Version": "2012-10-17", "Statement": []}
    assert json.loads(recorded.outputs["trust"]) == {"Version": "2012-10-17", "Statement": []}


def test_a_secret_is_planned_by_its_value_and_its_place_is_noted():
    def build() -> None:
        aws.ssm.Parameter("p", type="SecureString", value=pulumi.Output.secret("hush"))

    parameter = record(build).one("aws:ssm/parameter:Parameter")
    assert parameter.inputs["value"] == "hush"
    assert parameter.secrets == ("value",)


def test_arns_follow_the_providers_account_region_and_partition():
    def build() -> None:
        provider = aws.Provider("p", region="us-gov-west-1", allowed_account_ids=["999988887777"])
        aws.sqs.Queue("q", name="jobs", opts=pulumi.ResourceOptions(provider=provider))

    assert (
        record(build).one("aws:sqs/queue:Queue").outputs["arn"] == "arn:aws-us-gov:sqs:us-gov-west-1:999988887777:jobs"
    )


def test_an_output_that_no_table_knows_is_a_made_up_string_and_not_none():
    def build() -> None:
        table = aws.dynamodb.Table(
            "t", billing_mode="PAY_PER_REQUEST", hash_key="k", attributes=[{"name": "k", "type": "S"}]
        )
        pulumi.export("stream", table.stream_arn)

    assert record(build).outputs["stream"].startswith("arn:aws:dynamodb:us-east-1:111122223333:")


def test_lookups_are_answered_without_an_account():
    def build() -> None:
        pulumi.export("account", aws.get_caller_identity_output().account_id)
        pulumi.export("zones", aws.get_availability_zones_output().names)

    assert record(build).outputs == {"account": "111122223333", "zones": ["us-east-1a", "us-east-1b", "us-east-1c"]}


def test_a_lookup_without_an_answer_is_refused_by_name():
    def build() -> None:
        pulumi.export("zone", aws.route53.get_zone_output(name="example.com").zone_id)

    with pytest.raises(UsageError, match="looks up aws:route53/getZone:getZone, for which a plan has no answer"):
        record(build)


def test_the_environment_of_whoever_plans_is_not_seen(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("AWS_REGION", "eu-north-1")

    def build() -> None:
        aws.Provider("p")

    assert "region" not in record(build).one("pulumi:providers:aws").inputs


def test_configuration_reaches_the_program():
    def build() -> None:
        pulumi.export("nodes", pulumi.Config("fleet").require_int("nodes"))

    assert record(build, config={"fleet:nodes": "4"}).outputs == {"nodes": 4}


def test_an_exception_of_the_program_comes_out_as_it_is():
    def build() -> None:
        raise ZeroDivisionError("by hand")

    with pytest.raises(ZeroDivisionError, match="by hand"):
        record(build)
    assert record(network).names() == {("aws:ec2/vpc:Vpc", "v"), ("aws:ec2/subnet:Subnet", "s")}


def test_a_preview_names_every_path_that_only_the_update_knows():
    inputs = {"a": UNKNOWN, "b": {"c": [1, UNKNOWN]}, "d": "known"}
    assert list(unknown_paths(inputs)) == ["a", "b.c[1]"]


def test_a_folder_without_a_program_is_refused(tmp_path: Path):
    with pytest.raises(UsageError, match=r"there is no __main__\.py here"):
        offline.run_directory(tmp_path, project="p", stack="s", config={}, preview=True)

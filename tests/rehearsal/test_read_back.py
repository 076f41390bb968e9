"""Reading back, from objects made by hand in the AWS API in memory."""

from typing import Any

from gpufleet.rehearsal.cloud import Cloud
from gpufleet.rehearsal.read_back import READERS, read_back, recorded
from gpufleet.rehearsal.read_back.asking import Fact, inner

REGION = "eu-central-1"
PROVIDER = "urn:pulumi:dev::p::pulumi:providers:aws::main"


def state(type_: str, id_: str, inputs: dict[str, Any], **outputs: Any) -> list[dict[str, Any]]:
    """The engine's state of a provider and one resource of it."""
    urn = f"urn:pulumi:dev::p::{type_}::it"
    provider = {
        "urn": PROVIDER,
        "type": "pulumi:providers:aws",
        "custom": True,
        "id": "1",
        "inputs": {"region": REGION},
    }
    resource = {"urn": urn, "type": type_, "custom": True, "id": id_, "inputs": inputs, "outputs": outputs}
    return [provider, {**resource, "provider": f"{PROVIDER}::1"}]


def asked(cloud: Cloud, resources: list[dict[str, Any]]) -> dict[str, tuple[Any, Any]]:
    """Check to (declared, found)."""
    return {answer.fact.check: (answer.fact.declared, answer.fact.found) for answer in read_back(cloud, resources)}


def test_a_network_is_found_in_the_region_of_its_provider(cloud: Cloud) -> None:
    vpc = cloud.client("ec2", REGION).create_vpc(CidrBlock="10.0.0.0/16")["Vpc"]["VpcId"]
    inputs = {"cidrBlock": "10.0.0.0/16", "enableDnsHostnames": True}
    assert asked(cloud, state("aws:ec2/vpc:Vpc", vpc, inputs)) == {
        "cidr": ("10.0.0.0/16", "10.0.0.0/16"),
        "dns support": (True, True),
        "dns hostnames": (True, False),
    }


def test_what_differs_is_not_ok_and_says_what_was_declared(cloud: Cloud) -> None:
    key = cloud.client("kms", REGION).create_key()["KeyMetadata"]["KeyId"]
    answers = read_back(cloud, state("aws:kms/key:Key", key, {"enableKeyRotation": True}))
    assert [answer.as_document() for answer in answers] == [
        {
            "urn": "urn:pulumi:dev::p::aws:kms/key:Key::it",
            "type": "aws:kms/key:Key",
            "check": "state",
            "ok": True,
            "found": "Enabled",
        },
        {
            "urn": "urn:pulumi:dev::p::aws:kms/key:Key::it",
            "type": "aws:kms/key:Key",
            "check": "rotation",
            "ok": False,
            "found": False,
            "declared": True,
        },
    ]


def test_a_resource_that_aws_does_not_know_does_not_exist(cloud: Cloud) -> None:
    resources = state("aws:iam/role:Role", "nodes", {"assumeRolePolicy": "{}"})
    declared, found = asked(cloud, resources)["exists"]
    assert declared is True
    assert "NoSuchEntity" in found


def test_documents_are_the_same_whatever_the_order_of_their_keys(cloud: Cloud) -> None:
    trust = '{"Version":"2012-10-17","Statement":[]}'
    cloud.client("iam").create_role(RoleName="nodes", AssumeRolePolicyDocument=trust)
    resources = state("aws:iam/role:Role", "nodes", {"assumeRolePolicy": '{"Statement": [], "Version": "2012-10-17"}'})
    assert all(answer.fact.ok for answer in read_back(cloud, resources))


def test_a_launch_template_is_read_in_its_newest_version(cloud: Cloud) -> None:
    ec2 = cloud.client("ec2", REGION)
    volume = {"DeviceName": "/dev/xvda", "Ebs": {"Encrypted": True, "KmsKeyId": "key", "VolumeSize": 200}}
    data = {"BlockDeviceMappings": [volume], "MetadataOptions": {"HttpTokens": "optional"}}
    made = ec2.create_launch_template(LaunchTemplateName="t", LaunchTemplateData=data)["LaunchTemplate"]
    better = {**data, "MetadataOptions": {"HttpTokens": "required"}}
    ec2.create_launch_template_version(LaunchTemplateId=made["LaunchTemplateId"], LaunchTemplateData=better)
    inputs = {
        "metadataOptions": {"httpTokens": "required"},
        "blockDeviceMappings": [
            {"deviceName": "/dev/xvda", "ebs": {"encrypted": "true", "kmsKeyId": "key", "volumeSize": 200.0}}
        ],
    }
    resources = state("aws:ec2/launchTemplate:LaunchTemplate", made["LaunchTemplateId"], inputs)
    assert asked(cloud, resources) == {
        "metadata tokens": ("required", "required"),
        "/dev/xvda encrypted": (True, True),
        "/dev/xvda key": ("key", "key"),
        "/dev/xvda GiB": (200.0, 200),
        "tagged at launch": ([], []),
    }
    assert all(answer.fact.ok for answer in read_back(cloud, resources))


def test_a_resource_that_was_only_recorded_is_not_asked_about_but_listed(cloud: Cloud) -> None:
    entry = state("aws:eks/accessEntry:AccessEntry", "c:arn", {}, __gpufleetRecorded=["CreateAccessEntry"])
    # A type that has a reader: it is the mark that says there is nothing to ask about.
    odd = state("aws:iam/role:Role", "nodes", {}, __gpufleetRecorded=["CreateAddon"])
    assert read_back(cloud, [*entry, *odd]) == []
    assert recorded([*entry, *odd]) == [
        {"type": "aws:eks/accessEntry:AccessEntry", "calls": ["CreateAccessEntry"], "resources": 1},
        {"type": "aws:iam/role:Role", "calls": ["CreateAddon"], "resources": 1},
    ]


def test_a_resource_of_which_a_part_was_recorded_is_asked_about(cloud: Cloud) -> None:
    cloud.client("logs", REGION).create_log_group(logGroupName="flow")
    marks = ["CreateLogGroup.logGroupClass"]
    resources = state("aws:cloudwatch/logGroup:LogGroup", "flow", {"retentionInDays": 90}, __gpufleetRecorded=marks)
    assert asked(cloud, resources)["retention days"] == (90, None)


def test_types_without_a_reader_and_components_are_passed_over(cloud: Cloud) -> None:
    assert read_back(cloud, state("aws:ec2/keyPair:KeyPair", "k", {})) == []


def test_a_path_goes_through_the_first_item_of_a_list() -> None:
    assert inner({"a": [{"b": 1}, {"b": 2}]}, "a", "b") == 1
    assert inner({"a": []}, "a", "b", default=3) == 3
    assert inner({"a": None}, "a", "b") is None


def test_numbers_are_equal_whether_float_or_int() -> None:
    assert Fact("days", 30.0, 30).ok


def test_every_reader_says_what_it_checks() -> None:
    assert [token for token, reader in READERS.items() if not reader.__doc__] == []

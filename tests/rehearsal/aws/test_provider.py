"""The provider itself: configuration, names, unknowns, defaults, refusals, drift, lookups."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from gpufleet.rehearsal.aws.calls import Api
from gpufleet.rehearsal.aws.errors import AwsError, RehearsalError
from gpufleet.rehearsal.aws.values import UNKNOWN, plain_map
from tests.rehearsal.aws.documents import GRANT
from tests.rehearsal.aws.program import Program
from tests.rehearsal.aws.stack import Stack

Client = Callable[[str], Any]


def test_an_account_that_is_not_allowed_is_refused_as_the_real_provider_does(endpoint: str) -> None:
    with pytest.raises(RehearsalError, match="AWS account ID not allowed: 111122223333"):
        Program(endpoint, account="111122223333", allowedAccountIds='["444455556666"]')
    with pytest.raises(RehearsalError, match="AWS account ID not allowed: 111122223333"):
        Program(endpoint, account="111122223333", forbiddenAccountIds='["111122223333"]')


def test_an_allowed_account_is_let_in(endpoint: str) -> None:
    Program(endpoint, account="111122223333", allowedAccountIds='["111122223333"]', skipMetadataApiCheck="true")


def test_a_provider_setting_that_would_change_what_is_created_is_refused(endpoint: str) -> None:
    with pytest.raises(RehearsalError, match="aws provider: ignoreTags: the rehearsal does not know this setting"):
        Program(endpoint, ignoreTags='{"keys": ["x"]}')


def test_a_provider_without_a_region_says_so(endpoint: str) -> None:
    with pytest.raises(RehearsalError, match="region: no region is set"):
        Program(endpoint, region="", account="111122223333")


@pytest.mark.parametrize(
    "address", ["https://ec2.us-east-1.amazonaws.com", "http://10.0.0.1:5000", "http://example.com"]
)
def test_an_address_that_is_not_loopback_is_refused(address: str) -> None:
    with pytest.raises(RehearsalError, match="is not a loopback address"):
        Api(address)


def test_a_profile_of_the_user_that_does_not_exist_changes_nothing(
    monkeypatch: pytest.MonkeyPatch, endpoint: str, account: str
) -> None:
    monkeypatch.setenv("AWS_PROFILE", "no-such-profile")
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1")
    program = Program(endpoint, account=account)
    assert program.invoke("aws:index/getCallerIdentity:getCallerIdentity")["accountId"] == account


def test_an_automatic_name_is_the_logical_name_and_seven_digits_and_stays(program: Program) -> None:
    urn = program.urn("aws:s3/bucket:Bucket", "Data")
    first = program.check(urn, {}, seed=b"one")
    kept = program.check(urn, {}, first, seed=b"two")
    replacement = program.check(urn, {}, seed=b"two")
    names = [plain_map(inputs)["bucket"] for inputs in (first, kept, replacement)]
    assert names[0].startswith("data-")
    assert len(names[0]) == len("data-") + 7
    assert names[1] == names[0]
    assert names[2] != names[0]


def test_a_long_logical_name_is_cut_to_the_services_limit(program: Program) -> None:
    urn = program.urn("aws:iam/role:Role", "r" * 100)
    assert len(plain_map(program.check(urn, {"assumeRolePolicy": "{}"}))["name"]) == 64


def test_a_name_prefix_takes_the_logical_names_place(program: Program) -> None:
    urn = program.urn("aws:iam/role:Role")
    name = plain_map(program.check(urn, {"assumeRolePolicy": "{}", "namePrefix": "nodes-"}))["name"]
    assert name.startswith("nodes-")


def test_check_names_what_it_has_filled_in(program: Program) -> None:
    urn = program.urn("aws:ec2/securityGroup:SecurityGroup")
    checked = plain_map(program.check(urn, {"vpcId": "vpc-1", "revokeRulesOnDelete": True}))
    assert checked["__defaults"] == ["description", "name"]
    assert checked["description"] == "Managed by Pulumi"
    assert checked["tagsAll"] == {"owner": "ml"}


def test_unknown_inputs_of_a_preview_stay_unknown_and_create_nothing(program: Program, client: Client) -> None:
    before = client("ec2").describe_subnets()["Subnets"]
    subnet = {"vpcId": UNKNOWN, "cidrBlock": "10.0.0.0/24", "tags": {"Name": UNKNOWN}}
    state = program.preview("aws:ec2/subnet:Subnet", subnet)
    assert state["vpcId"] == UNKNOWN
    assert state["tagsAll"] == UNKNOWN
    assert "id" not in state
    assert client("ec2").describe_subnets()["Subnets"] == before


def test_what_aws_adds_inside_an_input_is_unknown_in_the_preview(program: Program) -> None:
    cluster = {"roleArn": UNKNOWN, "vpcConfig": {"subnetIds": [UNKNOWN]}}
    state = program.preview("aws:eks/cluster:Cluster", cluster)
    assert state["vpcConfig"] == {"subnetIds": [UNKNOWN], "clusterSecurityGroupId": UNKNOWN, "vpcId": UNKNOWN}


def test_an_unknown_that_is_left_at_creation_is_an_error_that_names_the_input(program: Program) -> None:
    with pytest.raises(RehearsalError, match="vpcId: still unknown although the resource is to be created"):
        program.create("aws:ec2/subnet:Subnet", {"vpcId": UNKNOWN, "cidrBlock": "10.0.0.0/24"})


def test_an_unknown_in_the_place_of_a_known_value_is_a_change(stack: Stack) -> None:
    token = "aws:ec2/subnet:Subnet"
    difference = stack.program.diff(stack.get(token), {**stack.declared[token], "vpcId": UNKNOWN})
    assert difference.replaces == ["vpcId"]


def test_the_order_of_keys_and_of_actions_in_a_document_is_no_difference(program: Program) -> None:
    document = {
        "Version": "2012-10-17",
        "Statement": [{"Effect": "Allow", "Action": ["s3:A", "s3:B"], "Resource": "*"}],
    }
    shuffled = {
        "Statement": {"Action": ["s3:B", "s3:A"], "Resource": ["*"], "Effect": "Allow"},
        "Version": "2012-10-17",
    }
    policy = program.create("aws:iam/policy:Policy", {"policy": json.dumps(document)})
    assert program.diff(policy, {"policy": json.dumps(shuffled)}).changes is False
    assert program.diff(policy, {"policy": GRANT}).diffs == ["policy"]


def test_the_order_of_a_set_is_no_difference(program: Program) -> None:
    urn = {"roleArn": "arn:aws:iam::111122223333:role/x"}
    stack = Stack(program)
    inputs = {**stack.inputs("aws:eks/cluster:Cluster"), **urn, "enabledClusterLogTypes": ["api", "audit"]}
    cluster = program.create("aws:eks/cluster:Cluster", inputs)
    assert program.diff(cluster, {**inputs, "enabledClusterLogTypes": ["audit", "api"]}).changes is False


def test_a_nested_input_that_aws_does_not_have_is_refused_by_its_path(program: Program) -> None:
    template = {"metadataOptions": {"httpTokens": "required", "httpHops": 1}}
    with pytest.raises(RehearsalError, match=r"launchTemplateData\.metadataOptions\.httpHops: .* has no such input"):
        program.create("aws:ec2/launchTemplate:LaunchTemplate", template)


def test_a_value_that_aws_does_not_take_is_refused_with_those_it_takes(program: Program) -> None:
    template = {"metadataOptions": {"httpTokens": "sometimes"}}
    with pytest.raises(RehearsalError, match=r"httpTokens: 'sometimes' .* expected one of optional, required"):
        program.create("aws:ec2/launchTemplate:LaunchTemplate", template)


def test_an_error_of_aws_comes_with_its_own_code(program: Program) -> None:
    with pytest.raises(AwsError, match="operation error ec2: CreateSubnet, api error InvalidVpcID.NotFound") as error:
        program.create("aws:ec2/subnet:Subnet", {"vpcId": "vpc-12345678", "cidrBlock": "10.0.0.0/24"})
    assert error.value.code == "InvalidVpcID.NotFound"


def test_a_vpc_that_something_stands_in_is_not_deleted(stack: Stack) -> None:
    for token in ("aws:ec2/subnet:Subnet", "aws:ec2/securityGroup:SecurityGroup"):
        stack.get(token)
        with pytest.raises(AwsError, match="DependencyViolation"):
            stack.program.delete(stack.get("aws:ec2/vpc:Vpc"))


def test_a_cluster_with_node_groups_is_not_deleted(stack: Stack) -> None:
    stack.get("aws:eks/nodeGroup:NodeGroup")
    with pytest.raises(AwsError, match="ResourceInUseException"):
        stack.program.delete(stack.get("aws:eks/cluster:Cluster"))


def test_a_bucket_with_objects_goes_only_if_the_program_says_so(program: Program, client: Client) -> None:
    kept, emptied = (program.create("aws:s3/bucket:Bucket", {"forceDestroy": force}) for force in (False, True))
    for bucket in (kept, emptied):
        client("s3").put_object(Bucket=bucket.id, Key="weights", Body=b"0")
    program.delete(emptied)
    with pytest.raises(AwsError, match="BucketNotEmpty"):
        program.delete(kept)


def test_a_cluster_has_the_security_group_that_eks_makes(stack: Stack, client: Client) -> None:
    cluster = stack.get("aws:eks/cluster:Cluster")
    group_id = cluster["vpcConfig"]["clusterSecurityGroupId"]
    group = client("ec2").describe_security_groups(GroupIds=[group_id])["SecurityGroups"][0]
    assert group["VpcId"] == cluster["vpcConfig"]["vpcId"] == stack.id("aws:ec2/vpc:Vpc")
    assert cluster["certificateAuthority"]["data"]
    assert cluster["identities"][0]["oidcs"][0]["issuer"].startswith("https://")


def test_what_the_api_in_memory_lacks_is_recorded_with_its_request_and_never_passed_off(stack: Stack) -> None:
    entry = stack.get("aws:eks/accessEntry:AccessEntry").state
    assert entry["__gpufleetRecorded"] == ["CreateAccessEntry"]
    request = json.loads(entry["__gpufleetRequests"]["CreateAccessEntry"])
    assert request["principalArn"] == entry["principalArn"]
    assert request["tags"] == {"owner": "ml"}

    cluster = stack.get("aws:eks/cluster:Cluster").state
    assert "CreateCluster.accessConfig" in cluster["__gpufleetRecorded"]
    assert "__gpufleetRecorded" not in stack.get("aws:ec2/subnet:Subnet").state


def test_a_recorded_request_is_held_against_the_service_model_too(stack: Stack) -> None:
    addon = {**stack.inputs("aws:eks/addon:Addon"), "resolveConflictsOnCreate": "ALWAYS"}
    with pytest.raises(RehearsalError, match="resolveConflicts: 'ALWAYS'"):
        stack.program.create("aws:eks/addon:Addon", addon)
    with pytest.raises(AwsError, match="Missing required parameter"):
        stack.program.create(
            "aws:eks/accessPolicyAssociation:AccessPolicyAssociation",
            {
                "clusterName": "lab",
                "principalArn": "arn:aws:iam::111122223333:role/x",
                "policyArn": "arn:aws:eks::aws:x",
            },
        )


def test_a_refresh_sees_what_someone_else_has_changed(stack: Stack, client: Client) -> None:
    token = "aws:kms/key:Key"
    key = stack.get(token)
    client("kms").disable_key_rotation(KeyId=key.id)
    refreshed = stack.program.read(key)
    assert refreshed is not None
    assert refreshed["enableKeyRotation"] is False
    difference = stack.program.diff(refreshed, stack.declared[token])
    assert difference.diffs == ["enableKeyRotation"]


def test_a_resource_that_someone_else_has_deleted_is_gone_on_refresh(stack: Stack, client: Client) -> None:
    address = stack.get("aws:ec2/eip:Eip")
    client("ec2").release_address(AllocationId=address.id)
    assert stack.program.read(address) is None


def test_an_existing_vpc_can_be_imported(program: Program, client: Client) -> None:
    vpc = client("ec2").create_vpc(CidrBlock="10.3.0.0/16")["Vpc"]["VpcId"]
    imported = program.import_("aws:ec2/vpc:Vpc", vpc)
    assert imported.state["cidrBlock"] == "10.3.0.0/16"
    assert plain_map(imported.inputs)["enableDnsSupport"] is True


def test_the_lookups_of_a_program_are_answered(program: Program) -> None:
    account = program.account
    assert program.invoke("aws:index/getCallerIdentity:getCallerIdentity")["accountId"] == account
    assert program.invoke("aws:index/getRegion:getRegion")["region"] == "us-east-1"
    assert program.invoke("aws:index/getPartition:getPartition")["partition"] == "aws"
    assert "us-east-1a" in program.invoke("aws:index/getAvailabilityZones:getAvailabilityZones")["names"]
    arm = {"filters": [{"name": "architecture", "values": ["arm64"]}], "owners": ["amazon"]}
    assert program.invoke("aws:ec2/getAmi:getAmi", arm)["architecture"] == "arm64"
    image = {"name": "/aws/service/eks/optimized-ami/1.35/amazon-linux-2023/x86_64/nvidia/recommended/image_id"}
    assert program.invoke("aws:ssm/getParameter:getParameter", image)["value"].startswith("ami-")
    assert program.invoke("aws:eks/getClusterAuth:getClusterAuth", {"name": "lab"})["token"]


def test_a_lookup_without_an_answer_is_an_error_that_names_those_with_one(program: Program) -> None:
    with pytest.raises(RehearsalError, match=r"aws:rds/getCluster:getCluster is not among .* aws:ec2/getAmi:getAmi"):
        program.invoke("aws:rds/getCluster:getCluster")


def test_a_parameter_that_is_not_there_is_an_error(program: Program) -> None:
    with pytest.raises(RehearsalError, match="ssm parameter '/mine': there is none of that name in us-east-1"):
        program.invoke("aws:ssm/getParameter:getParameter", {"name": "/mine"})


def test_a_resource_may_name_a_region_of_its_own(program: Program, endpoint: str) -> None:
    bucket = program.create("aws:s3/bucket:Bucket", {"region": "eu-west-1"})
    location = Api(endpoint, program.account).client("s3", "eu-west-1").get_bucket_location(Bucket=bucket.id)
    assert location["LocationConstraint"] == "eu-west-1"
    assert bucket["bucketRegion"] == bucket["region"] == "eu-west-1"

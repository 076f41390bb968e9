"""Updates in place, as boto3 sees them, and what AWS cannot change in place."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from gpufleet.rehearsal.aws.errors import RehearsalError
from gpufleet.rehearsal.aws.values import UNKNOWN
from tests.rehearsal.aws.documents import GRANT, TRUST, WORKER
from tests.rehearsal.aws.stack import Stack

Client = Callable[[str], Any]


def _changed(stack: Stack, token: str, **inputs: Any) -> dict[str, Any]:
    """Update the stack's resource of the type and return its new state."""
    standing = stack.get(token)
    return stack.program.update(standing, {**stack.declared[token], **inputs}).state


def test_tags_follow_the_program_over_the_providers_default_tags(stack: Stack, client: Client) -> None:
    state = _changed(stack, "aws:ec2/vpc:Vpc", tags={"team": "vision"})
    assert state["tags"] == {"team": "vision"}
    assert state["tagsAll"] == {"owner": "ml", "team": "vision"}
    vpc = client("ec2").describe_vpcs(VpcIds=[state["id"]])["Vpcs"][0]
    assert {tag["Key"]: tag["Value"] for tag in vpc["Tags"]} == {"owner": "ml", "team": "vision"}


def test_another_default_tag_of_the_provider_is_an_update_of_every_tagged_resource(stack: Stack, endpoint: str) -> None:
    standing = stack.get("aws:ec2/vpc:Vpc")
    other = type(stack.program)(endpoint, account=stack.program.account, defaultTags='{"tags": {"owner": "hpc"}}')
    difference = other.diff(standing, stack.declared["aws:ec2/vpc:Vpc"])
    assert difference.diffs == ["tagsAll"]
    assert difference.replaces == []


def test_vpc_and_subnet_attributes_change_in_place(stack: Stack, client: Client) -> None:
    _changed(stack, "aws:ec2/vpc:Vpc", enableDnsHostnames=False)
    state = _changed(stack, "aws:ec2/subnet:Subnet", mapPublicIpOnLaunch=True)
    vpc = {"VpcId": state["vpcId"], "Attribute": "enableDnsHostnames"}
    assert client("ec2").describe_vpc_attribute(**vpc)["EnableDnsHostnames"]["Value"] is False
    assert client("ec2").describe_subnets(SubnetIds=[state["id"]])["Subnets"][0]["MapPublicIpOnLaunch"] is True


def test_a_key_changes_its_policy_its_rotation_and_whether_it_is_enabled(stack: Stack, client: Client) -> None:
    policy = json.dumps({"Version": "2012-10-17", "Statement": [_key_administration(stack.program.account)]})
    changes = {"policy": policy, "enableKeyRotation": False, "isEnabled": False, "description": "off"}
    key = {"KeyId": _changed(stack, "aws:kms/key:Key", **changes)["keyId"]}
    assert client("kms").get_key_policy(**key, PolicyName="default")["Policy"] == policy
    assert client("kms").get_key_rotation_status(**key)["KeyRotationEnabled"] is False
    described = client("kms").describe_key(**key)["KeyMetadata"]
    assert (described["Enabled"], described["Description"]) == (False, "off")


def _key_administration(account: str) -> dict[str, Any]:
    return {
        "Effect": "Allow",
        "Principal": {"AWS": f"arn:aws:iam::{account}:root"},
        "Action": "kms:*",
        "Resource": "*",
    }


def test_a_bucket_policy_and_its_encryption_change_in_place(stack: Stack, client: Client) -> None:
    policy = GRANT.replace("GetObject", "PutObject")
    bucket = _changed(stack, "aws:s3/bucketPolicy:BucketPolicy", policy=policy)["bucket"]
    encryption = {"applyServerSideEncryptionByDefault": {"sseAlgorithm": "AES256"}}
    _changed(
        stack,
        "aws:s3/bucketServerSideEncryptionConfiguration:BucketServerSideEncryptionConfiguration",
        rules=[encryption],
    )
    assert client("s3").get_bucket_policy(Bucket=bucket)["Policy"] == policy
    rules = client("s3").get_bucket_encryption(Bucket=bucket)["ServerSideEncryptionConfiguration"]["Rules"]
    assert rules[0]["ApplyServerSideEncryptionByDefault"] == {"SSEAlgorithm": "AES256"}


def test_a_changed_launch_template_is_a_new_default_version(stack: Stack, client: Client) -> None:
    before = stack.get("aws:ec2/launchTemplate:LaunchTemplate").state
    options = {"httpTokens": "required", "httpPutResponseHopLimit": 2}
    after = _changed(stack, "aws:ec2/launchTemplate:LaunchTemplate", metadataOptions=options)
    assert (before["latestVersion"], before["defaultVersion"]) == (1, 1)
    assert (after["latestVersion"], after["defaultVersion"]) == (2, 2)
    asked = {"LaunchTemplateId": after["id"], "Versions": ["$Default"]}
    version = client("ec2").describe_launch_template_versions(**asked)["LaunchTemplateVersions"][0]
    assert version["LaunchTemplateData"]["MetadataOptions"]["HttpPutResponseHopLimit"] == 2


def test_the_preview_of_an_update_leaves_unknown_what_the_update_moves_and_nothing_else(stack: Stack) -> None:
    token = "aws:ec2/launchTemplate:LaunchTemplate"
    template = stack.get(token)
    changed = {**stack.declared[token], "imageId": "ami-12345678"}
    preview = stack.program.preview_update(template, changed)
    assert (preview["latestVersion"], preview["defaultVersion"]) == (UNKNOWN, UNKNOWN)
    assert preview["arn"] == template["arn"]
    retagged = {**stack.declared[token], "tags": {"pool": "l4"}}
    assert stack.program.preview_update(template, retagged)["latestVersion"] == 1


def test_new_tags_on_a_launch_template_make_no_version(stack: Stack) -> None:
    after = _changed(stack, "aws:ec2/launchTemplate:LaunchTemplate", tags={"pool": "l4"})
    assert after["latestVersion"] == 1


def test_a_node_group_scales_and_changes_labels_and_taints_in_place(stack: Stack, client: Client) -> None:
    state = _changed(
        stack,
        "aws:eks/nodeGroup:NodeGroup",
        scalingConfig={"minSize": 0, "desiredSize": 2, "maxSize": 8},
        labels={"pool": "l4", "team": "vision"},
        taints=[],
    )
    named = {"clusterName": state["clusterName"], "nodegroupName": state["nodeGroupName"]}
    group = client("eks").describe_nodegroup(**named)["nodegroup"]
    assert group["scalingConfig"] == {"minSize": 0, "desiredSize": 2, "maxSize": 8}
    assert group["labels"] == {"pool": "l4", "team": "vision"}
    assert group["taints"] == []


def test_a_cluster_changes_its_logging_and_keeps_its_security_group(stack: Stack, client: Client) -> None:
    before = stack.get("aws:eks/cluster:Cluster").state
    after = _changed(stack, "aws:eks/cluster:Cluster", enabledClusterLogTypes=["audit"])
    logging = client("eks").describe_cluster(name="lab")["cluster"]["logging"]["clusterLogging"]
    assert [entry["types"] for entry in logging if entry["enabled"]] == [["audit"]]
    assert after["vpcConfig"] == before["vpcConfig"]


def test_a_cluster_version_moves_up_in_place_and_says_that_the_call_was_recorded(stack: Stack) -> None:
    after = _changed(stack, "aws:eks/cluster:Cluster", version="1.36")
    assert "UpdateClusterVersion" in after["__gpufleetRecorded"]
    assert json.loads(after["__gpufleetRequests"]["UpdateClusterVersion"]) == {"name": "lab", "version": "1.36"}


def test_a_log_group_changes_its_retention(stack: Stack, client: Client) -> None:
    name = _changed(stack, "aws:cloudwatch/logGroup:LogGroup", retentionInDays=365)["name"]
    groups = client("logs").describe_log_groups(logGroupNamePrefix=name)["logGroups"]
    assert groups[0]["retentionInDays"] == 365


def test_a_role_changes_trust_boundary_and_session(stack: Stack, client: Client) -> None:
    trust = TRUST.replace("ec2.amazonaws.com", "pods.eks.amazonaws.com")
    boundary = stack.get("aws:iam/policy:Policy").id
    changes = {"assumeRolePolicy": trust, "permissionsBoundary": boundary, "maxSessionDuration": 7200}
    name = _changed(stack, "aws:iam/role:Role", **changes, managedPolicyArns=[WORKER])["name"]
    role = client("iam").get_role(RoleName=name)["Role"]
    assert role["AssumeRolePolicyDocument"] == json.loads(trust)
    assert role["PermissionsBoundary"]["PermissionsBoundaryArn"] == boundary
    assert role["MaxSessionDuration"] == 7200
    attached = client("iam").list_attached_role_policies(RoleName=name)["AttachedPolicies"]
    assert [policy["PolicyArn"] for policy in attached] == [WORKER]


def test_a_managed_policy_takes_more_new_versions_than_iam_keeps(stack: Stack, client: Client) -> None:
    standing = stack.get("aws:iam/policy:Policy")
    for number in range(7):
        inputs = {**stack.declared["aws:iam/policy:Policy"], "policy": GRANT.replace("b/*", f"b{number}/*")}
        standing = stack.program.update(standing, inputs)
    versions = client("iam").list_policy_versions(PolicyArn=standing.id)["Versions"]
    assert len(versions) <= 5
    assert "b6/*" in standing["policy"]


def test_a_route_a_table_association_and_an_endpoint_move_in_place(stack: Stack, client: Client) -> None:
    other = stack.add("aws:ec2/routeTable:RouteTable", {"vpcId": stack.id("aws:ec2/vpc:Vpc")}).id
    gateway = stack.id("aws:ec2/internetGateway:InternetGateway")
    _changed(stack, "aws:ec2/routeTableAssociation:RouteTableAssociation", routeTableId=other)
    _changed(stack, "aws:ec2/vpcEndpoint:VpcEndpoint", routeTableIds=[other])
    route = stack.get("aws:ec2/route:Route")
    inputs = {key: value for key, value in stack.declared["aws:ec2/route:Route"].items() if key != "natGatewayId"}
    stack.program.update(route, {**inputs, "gatewayId": gateway})

    table = client("ec2").describe_route_tables(RouteTableIds=[other])["RouteTables"][0]
    assert [association["SubnetId"] for association in table["Associations"]] == [stack.id("aws:ec2/subnet:Subnet")]
    endpoints = client("ec2").describe_vpc_endpoints()["VpcEndpoints"]
    assert [endpoint["RouteTableIds"] for endpoint in endpoints] == [[other]]
    routes = client("ec2").describe_route_tables(RouteTableIds=[route["routeTableId"]])["RouteTables"][0]["Routes"]
    assert [r["GatewayId"] for r in routes if r.get("DestinationCidrBlock") == "0.0.0.0/0"] == [gateway]
    stack.down()


def test_security_group_rules_change_in_place(stack: Stack, client: Client) -> None:
    _changed(stack, "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule", toPort=4096, description="wider")
    group = stack.id("aws:ec2/securityGroup:SecurityGroup")
    _changed(stack, "aws:ec2/securityGroup:SecurityGroup", ingress=[])
    rules = client("ec2").describe_security_groups(GroupIds=[group])["SecurityGroups"][0]["IpPermissions"]
    assert rules == []


def test_a_new_group_lets_nothing_out(stack: Stack, client: Client) -> None:
    group = stack.id("aws:ec2/securityGroup:SecurityGroup")
    assert client("ec2").describe_security_groups(GroupIds=[group])["SecurityGroups"][0]["IpPermissionsEgress"] == []


def test_the_default_group_is_emptied(stack: Stack, client: Client) -> None:
    group = stack.id("aws:ec2/defaultSecurityGroup:DefaultSecurityGroup")
    described = client("ec2").describe_security_groups(GroupIds=[group])["SecurityGroups"][0]
    assert (described["GroupName"], described["IpPermissions"], described["IpPermissionsEgress"]) == ("default", [], [])


def test_a_queue_and_a_budgets_notifications_change_in_place(stack: Stack, client: Client) -> None:
    url = _changed(stack, "aws:sqs/queue:Queue", visibilityTimeoutSeconds=60)["url"]
    attributes = client("sqs").get_queue_attributes(QueueUrl=url, AttributeNames=["VisibilityTimeout"])["Attributes"]
    assert attributes == {"VisibilityTimeout": "60"}

    notification = {**stack.inputs("aws:budgets/budget:Budget")["notifications"][0], "threshold": 100}
    name = _changed(stack, "aws:budgets/budget:Budget", notifications=[notification])["name"]
    budget = {"AccountId": stack.program.account, "BudgetName": name}
    notifications = client("budgets").describe_notifications_for_budget(**budget)["Notifications"]
    assert [entry["Threshold"] for entry in notifications] == [100]


@pytest.mark.parametrize(
    ("token", "change"),
    [
        ("aws:ec2/vpc:Vpc", {"cidrBlock": "10.1.0.0/16"}),
        ("aws:ec2/subnet:Subnet", {"availabilityZone": "us-east-1b"}),
        ("aws:ec2/securityGroup:SecurityGroup", {"description": "other"}),
        ("aws:ec2/natGateway:NatGateway", {"subnetId": "subnet-1"}),
        ("aws:ec2/launchTemplate:LaunchTemplate", {"name": "other"}),
        ("aws:kms/key:Key", {"keyUsage": "SIGN_VERIFY"}),
        ("aws:s3/bucket:Bucket", {"bucket": "other"}),
        ("aws:iam/role:Role", {"path": "/nodes/"}),
        ("aws:eks/cluster:Cluster", {"roleArn": "arn:aws:iam::111122223333:role/other"}),
        ("aws:eks/nodeGroup:NodeGroup", {"instanceTypes": ["g6.8xlarge"]}),
        ("aws:eks/nodeGroup:NodeGroup", {"capacityType": "ON_DEMAND"}),
        ("aws:cloudwatch/logGroup:LogGroup", {"name": "other"}),
        ("aws:ec2/vpc:Vpc", {"region": "eu-west-1"}),
    ],
)
def test_what_aws_cannot_change_in_place_is_replaced(stack: Stack, token: str, change: dict[str, Any]) -> None:
    difference = stack.program.diff(stack.get(token), {**stack.declared[token], **change})
    assert difference.replaces == list(change)


def test_a_resource_with_a_name_of_its_own_is_deleted_before_it_is_replaced(stack: Stack) -> None:
    trust = {"assumeRolePolicy": TRUST, "path": "/a/"}
    named = stack.program.create("aws:iam/role:Role", {**trust, "name": "nodes"})
    unnamed = stack.program.create("aws:iam/role:Role", trust)
    other = {**trust, "path": "/b/"}
    assert stack.program.diff(named, {**other, "name": "nodes"}).delete_before_replace is True
    assert stack.program.diff(named, {**other, "name": "another"}).delete_before_replace is False
    assert stack.program.diff(unnamed, other).delete_before_replace is False


def test_what_can_stand_only_once_is_deleted_before_it_is_replaced(stack: Stack) -> None:
    token = "aws:eks/addon:Addon"
    difference = stack.program.diff(stack.get(token), {**stack.declared[token], "addonName": "coredns"})
    assert difference.delete_before_replace is True


def test_a_change_that_the_program_ignores_is_none(stack: Stack) -> None:
    token = "aws:eks/nodeGroup:NodeGroup"
    group = stack.get(token)
    scaled = {**stack.declared[token], "scalingConfig": {"minSize": 0, "desiredSize": 3, "maxSize": 4}}
    difference = stack.program.diff(group, scaled, ignored=("scalingConfig.desiredSize",))
    assert difference.changes is False


def test_what_lies_beside_an_ignored_path_is_a_change(stack: Stack) -> None:
    token = "aws:eks/nodeGroup:NodeGroup"
    group = stack.get(token)
    scaled = {**stack.declared[token], "scalingConfig": {"minSize": 0, "desiredSize": 3, "maxSize": 8}}
    difference = stack.program.diff(group, scaled, ignored=("scalingConfig.desiredSize",))
    assert difference.diffs == ["scalingConfig"]


def test_an_item_of_a_map_is_ignored_by_its_quoted_key(stack: Stack) -> None:
    token = "aws:eks/nodeGroup:NodeGroup"
    group = stack.get(token)
    labelled = {**stack.declared[token], "labels": {**stack.declared[token]["labels"], "example.com/a": "b"}}
    assert stack.program.diff(group, labelled, ignored=('labels["example.com/a"]',)).changes is False
    assert stack.program.diff(group, labelled, ignored=('labels["example.com/b"]',)).diffs == ["labels"]


def test_a_cluster_takes_other_subnets_of_its_network_and_none_of_another(stack: Stack) -> None:
    token = "aws:eks/cluster:Cluster"
    cluster, declared = stack.get(token), stack.inputs(token)
    elsewhere = stack.add("aws:ec2/vpc:Vpc", {"cidrBlock": "10.99.0.0/16"})
    zone = {"availabilityZone": "us-east-1a", "cidrBlock": "10.99.0.0/20", "vpcId": elsewhere.id}
    stranger = stack.add("aws:ec2/subnet:Subnet", zone)
    moved = {**declared, "vpcConfig": {**declared["vpcConfig"], "subnetIds": [stranger.id]}}

    assert stack.program.diff(cluster, moved).replaces == []
    with pytest.raises(RehearsalError, match=f"must belong to cluster's vpc {cluster['vpcConfig']['vpcId']}"):
        stack.program.update(cluster, moved)

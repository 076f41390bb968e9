"""What AWS refuses, keeps and changes of repositories, caches, secrets, copies and the defaults of a region."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from gpufleet.rehearsal.aws.errors import AwsError
from tests.rehearsal.aws.inputs_data import TIDY
from tests.rehearsal.aws.stack import Stack

Client = Callable[[str], Any]


def _changed(stack: Stack, token: str, **inputs: Any) -> dict[str, Any]:
    """Update the stack's resource of the type and return its new state."""
    return stack.program.update(stack.get(token), {**stack.declared[token], **inputs}).state


def test_encryption_by_default_is_on_while_it_stands_and_off_after(stack: Stack, client: Client) -> None:
    standing = stack.get("aws:ebs/encryptionByDefault:EncryptionByDefault")
    assert client("ec2").get_ebs_encryption_by_default()["EbsEncryptionByDefault"] is True
    stack.program.delete(standing)
    assert client("ec2").get_ebs_encryption_by_default()["EbsEncryptionByDefault"] is False


def test_the_metadata_defaults_go_back_to_no_preference_where_the_program_drops_one(stack: Stack) -> None:
    token = "aws:ec2/instanceMetadataDefaults:InstanceMetadataDefaults"
    state = stack.program.update(stack.get(token), {"httpTokens": "required"}).state
    assert json.loads(state["__gpufleetRequests"]["ModifyInstanceMetadataDefaults"]) == {
        "HttpEndpoint": "no-preference",
        "HttpPutResponseHopLimit": -1,
        "HttpTokens": "required",
        "InstanceMetadataTags": "no-preference",
    }


def test_a_sharing_state_that_ec2_does_not_know_is_refused(stack: Stack) -> None:
    with pytest.raises(Exception, match="expected one of block-all-sharing, block-new-sharing, unblocked"):
        stack.add("aws:ebs/snapshotBlockPublicAccess:SnapshotBlockPublicAccess", {"state": "block"})


def test_the_account_block_of_public_access_changes_in_place_and_goes(stack: Stack, client: Client) -> None:
    token = "aws:s3/accountPublicAccessBlock:AccountPublicAccessBlock"
    account = _changed(stack, token, blockPublicAcls=False)["accountId"]
    found = client("s3control").get_public_access_block(AccountId=account)["PublicAccessBlockConfiguration"]
    assert (found["BlockPublicAcls"], found["BlockPublicPolicy"]) == (False, True)
    stack.program.delete(stack.get(token))
    assert stack.program.read(stack.get(token)) is None


def test_a_repository_changes_scanning_and_tags_in_place(stack: Stack, client: Client) -> None:
    state = _changed(
        stack,
        "aws:ecr/repository:Repository",
        imageTagMutability="MUTABLE",
        imageScanningConfiguration={"scanOnPush": False},
        tags={"team": "vision"},
    )
    found = client("ecr").describe_repositories(repositoryNames=[state["name"]])["repositories"][0]
    assert found["imageTagMutability"] == "MUTABLE"
    assert found["imageScanningConfiguration"] == {"scanOnPush": False}
    assert state["tagsAll"] == {"owner": "ml", "team": "vision"}
    assert state["repositoryUrl"] == f"{stack.program.account}.dkr.ecr.us-east-1.amazonaws.com/lab/trainer"


@pytest.mark.parametrize(
    ("token", "change"),
    [
        ("aws:ecr/repository:Repository", {"encryptionConfigurations": [{"encryptionType": "AES256"}]}),
        ("aws:ecr/lifecyclePolicy:LifecyclePolicy", {"policy": TIDY.replace("100", "10")}),
        ("aws:ecr/pullThroughCacheRule:PullThroughCacheRule", {"upstreamRegistryUrl": "registry.k8s.io"}),
        ("aws:fsx/lustreFileSystem:LustreFileSystem", {"efaEnabled": False}),
        ("aws:fsx/lustreFileSystem:LustreFileSystem", {"securityGroupIds": ["sg-1"]}),
        ("aws:fsx/dataRepositoryAssociation:DataRepositoryAssociation", {"fileSystemPath": "/other"}),
        ("aws:s3/directoryBucket:DirectoryBucket", {"bucket": "other--use1-az4--x-s3"}),
        ("aws:secretsmanager/secret:Secret", {"name": "other"}),
    ],
)
def test_what_aws_cannot_change_in_place_is_replaced(stack: Stack, token: str, change: dict[str, Any]) -> None:
    difference = stack.program.diff(stack.get(token), {**stack.declared[token], **change})
    assert difference.replaces == list(change)


def test_a_lifecycle_policy_that_ecr_would_not_take_is_refused(stack: Stack) -> None:
    repository = stack.id("aws:ecr/repository:Repository")
    inputs = {"repository": repository, "policy": TIDY.replace("imageCountMoreThan", "tooMany")}
    with pytest.raises(AwsError, match="PutLifecyclePolicy, api error InvalidParameterException"):
        stack.add("aws:ecr/lifecyclePolicy:LifecyclePolicy", inputs)


def test_a_cache_grows_in_place_by_a_recorded_call_and_gets_its_tags(stack: Stack, client: Client) -> None:
    token = "aws:fsx/lustreFileSystem:LustreFileSystem"
    state = _changed(stack, token, storageCapacity=7200, perUnitStorageThroughput=500, tags={"Name": "wider"})
    assert json.loads(state["__gpufleetRequests"]["UpdateFileSystem"]) == {
        "FileSystemId": state["id"],
        "StorageCapacity": 7200,
        "LustreConfiguration": {"PerUnitStorageThroughput": 500},
    }
    found = client("fsx").describe_file_systems(FileSystemIds=[state["id"]])["FileSystems"][0]
    assert {tag["Key"]: tag["Value"] for tag in found["Tags"]} == {"Name": "wider", "owner": "ml"}


def test_a_cache_in_a_subnet_that_is_not_there_is_refused(stack: Stack) -> None:
    inputs = {**stack.inputs("aws:fsx/lustreFileSystem:LustreFileSystem"), "subnetIds": "subnet-00000000"}
    with pytest.raises(AwsError, match=r"InvalidSubnetID\.NotFound"):
        stack.add("aws:fsx/lustreFileSystem:LustreFileSystem", inputs)


def test_a_link_to_a_bucket_keeps_its_whole_request(stack: Stack) -> None:
    state = stack.get("aws:fsx/dataRepositoryAssociation:DataRepositoryAssociation").state
    request = json.loads(state["__gpufleetRequests"]["CreateDataRepositoryAssociation"])
    assert request["S3"]["AutoImportPolicy"] == {"Events": ["NEW", "CHANGED", "DELETED"]}
    assert request["Tags"] == [{"Key": "owner", "Value": "ml"}]
    assert state["associationId"] == state["id"]


def test_a_directory_bucket_takes_encryption_policy_and_lifecycle(stack: Stack, client: Client) -> None:
    bucket = stack.id("aws:s3/directoryBucket:DirectoryBucket")
    key = {"sseAlgorithm": "aws:kms", "kmsMasterKeyId": stack.get("aws:kms/key:Key")["arn"]}
    rule = {"applyServerSideEncryptionByDefault": key, "bucketKeyEnabled": True}
    encryption = "aws:s3/bucketServerSideEncryptionConfiguration:BucketServerSideEncryptionConfiguration"
    stack.add(encryption, {"bucket": bucket, "rules": [rule]})
    expiry = {"id": "expire", "status": "Enabled", "filter": {"prefix": ""}, "expiration": {"days": 14}}
    lifecycle = {"bucket": bucket, "rules": [expiry]}
    stack.add("aws:s3/bucketLifecycleConfiguration:BucketLifecycleConfiguration", lifecycle)
    found = client("s3").get_bucket_encryption(Bucket=bucket)["ServerSideEncryptionConfiguration"]["Rules"][0]
    assert found["ApplyServerSideEncryptionByDefault"]["KMSMasterKeyID"] == key["kmsMasterKeyId"]
    rules = client("s3").get_bucket_lifecycle_configuration(Bucket=bucket)["Rules"]
    assert [entry["Expiration"]["Days"] for entry in rules] == [14]


def test_a_directory_bucket_can_be_made_in_any_region(stack: Stack) -> None:
    inputs = {"bucket": "lab--euw1-az1--x-s3", "location": {"name": "euw1-az1"}, "region": "eu-west-1"}
    made = stack.add("aws:s3/directoryBucket:DirectoryBucket", inputs)
    assert made["arn"] == f"arn:aws:s3express:eu-west-1:{stack.program.account}:bucket/lab--euw1-az1--x-s3"
    assert json.loads(made["__gpufleetRequests"]["CreateBucket.CreateBucketConfiguration"]) == {
        "Bucket": {"DataRedundancy": "SingleAvailabilityZone", "Type": "Directory"},
        "Location": {"Name": "euw1-az1", "Type": "AvailabilityZone"},
        "Tags": [{"Key": "owner", "Value": "ml"}],
    }


def test_the_name_of_a_directory_bucket_must_say_its_zone(stack: Stack) -> None:
    for name in ("lab", "lab--use1-az5--x-s3"):
        with pytest.raises(AwsError, match="InvalidBucketName.*ends with --use1-az4--x-s3"):
            stack.add("aws:s3/directoryBucket:DirectoryBucket", {"bucket": name, "location": {"name": "use1-az4"}})


def test_new_tags_of_a_directory_bucket_are_set_and_the_real_call_recorded(stack: Stack, client: Client) -> None:
    state = _changed(stack, "aws:s3/directoryBucket:DirectoryBucket", tags={"team": "vision"})
    tags = client("s3").get_bucket_tagging(Bucket=state["bucket"])["TagSet"]
    assert {tag["Key"]: tag["Value"] for tag in tags} == {"owner": "ml", "team": "vision"}
    assert json.loads(state["__gpufleetRequests"]["TagResource"])["ResourceArn"] == state["arn"]


def test_replication_to_a_bucket_without_versions_is_refused(stack: Stack) -> None:
    token = "aws:s3/bucketReplicationConfig:BucketReplicationConfig"
    inputs = stack.inputs(token)
    plain = stack.add("aws:s3/bucket:Bucket", {"bucket": f"plain-{stack.program.account}"})
    for destination in (plain["arn"], "arn:aws:s3:::nowhere-at-all"):
        rule = {**inputs["rules"][0], "destination": {"bucket": destination}}
        with pytest.raises(AwsError, match="PutBucketReplication, api error InvalidRequest: Destination bucket must"):
            stack.add(token, {**inputs, "rules": [rule]})


def test_archive_tiers_are_recorded_with_their_conditions_joined(stack: Stack) -> None:
    token = "aws:s3/bucketIntelligentTieringConfiguration:BucketIntelligentTieringConfiguration"
    request = json.loads(stack.get(token)["__gpufleetRequests"]["PutBucketIntelligentTieringConfiguration"])
    assert request["IntelligentTieringConfiguration"]["Filter"] == {
        "And": {"Prefix": "old/", "Tags": [{"Key": "tier", "Value": "cold"}]}
    }


def test_a_secret_changes_in_place_and_waits_out_its_window(stack: Stack, client: Client) -> None:
    token = "aws:secretsmanager/secret:Secret"
    arn = _changed(stack, token, description="new", tags={})["arn"]
    assert client("secretsmanager").describe_secret(SecretId=arn)["Description"] == "new"
    stack.program.delete(stack.get(token))
    deleted = client("secretsmanager").describe_secret(SecretId=arn)
    assert "DeletedDate" in deleted
    assert stack.program.read(stack.get(token)) is None

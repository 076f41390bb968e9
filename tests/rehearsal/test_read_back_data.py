"""Reading back repositories, caches, secrets, copies and the defaults of a region, made by hand in the AWS API."""

import json
from typing import Any

import pytest

from gpufleet.rehearsal.aws.table import table
from gpufleet.rehearsal.cloud import Cloud
from gpufleet.rehearsal.read_back import READERS, is_only_recorded, read_back
from tests.rehearsal.conftest import ACCOUNT
from tests.rehearsal.test_read_back import REGION, asked, state

KEY = f"arn:aws:kms:{REGION}:{ACCOUNT}:key/1"

# moto answers no question about these: they are recorded, or kept where no call of AWS's looks. The last is a rule
# without an id of its own.
UNANSWERED = {
    "aws:ebs/defaultKmsKey:DefaultKmsKey",
    "aws:ebs/snapshotBlockPublicAccess:SnapshotBlockPublicAccess",
    "aws:ec2/capacityBlockReservation:CapacityBlockReservation",
    "aws:ec2/capacityReservation:CapacityReservation",
    "aws:ec2/imageBlockPublicAccess:ImageBlockPublicAccess",
    "aws:ec2/instanceMetadataDefaults:InstanceMetadataDefaults",
    "aws:ec2/placementGroup:PlacementGroup",
    "aws:ecr/pullThroughCacheRule:PullThroughCacheRule",
    "aws:ecr/repositoryCreationTemplate:RepositoryCreationTemplate",
    "aws:eks/accessEntry:AccessEntry",
    "aws:eks/accessPolicyAssociation:AccessPolicyAssociation",
    "aws:eks/addon:Addon",
    "aws:eks/podIdentityAssociation:PodIdentityAssociation",
    "aws:fsx/dataRepositoryAssociation:DataRepositoryAssociation",
    "aws:s3/bucketIntelligentTieringConfiguration:BucketIntelligentTieringConfiguration",
    "aws:ec2/securityGroupRule:SecurityGroupRule",
}


def test_every_type_that_moto_keeps_is_read_back() -> None:
    assert sorted(table().keys() - READERS.keys() - UNANSWERED) == []
    assert sorted(READERS.keys() & UNANSWERED) == []


def test_a_repository_is_read_back_with_its_key_and_what_differs(cloud: Cloud) -> None:
    cloud.client("ecr", REGION).create_repository(
        repositoryName="lab/a", encryptionConfiguration={"encryptionType": "KMS", "kmsKey": KEY}
    )
    inputs = {
        "imageTagMutability": "IMMUTABLE",
        "imageScanningConfiguration": {"scanOnPush": True},
        "encryptionConfigurations": [{"encryptionType": "KMS", "kmsKey": KEY}],
    }
    assert asked(cloud, state("aws:ecr/repository:Repository", "lab/a", inputs)) == {
        "tags": ("IMMUTABLE", "MUTABLE"),
        "encryption": ("KMS", "KMS"),
        "key": (KEY, KEY),
        "scan on push": (True, False),
    }


def test_a_cache_is_read_back_with_what_lustre_is_told(cloud: Cloud) -> None:
    lustre = {
        "DeploymentType": "PERSISTENT_2",
        "PerUnitStorageThroughput": 250,
        "RootSquashConfiguration": {"RootSquash": "65534:65534"},
    }
    made = cloud.client("fsx", REGION).create_file_system(
        FileSystemType="LUSTRE",
        StorageCapacity=4800,
        SubnetIds=["subnet-12345678"],
        KmsKeyId=KEY,
        LustreConfiguration=lustre,
    )
    inputs = {
        "storageCapacity": 4800.0,
        "kmsKeyId": KEY,
        "subnetIds": "subnet-12345678",
        "deploymentType": "PERSISTENT_2",
        "perUnitStorageThroughput": 500,
        "rootSquashConfiguration": {"rootSquash": "65534:65534"},
    }
    system = made["FileSystem"]["FileSystemId"]
    assert asked(cloud, state("aws:fsx/lustreFileSystem:LustreFileSystem", system, inputs)) == {
        "GiB": (4800, 4800),
        "key": (KEY, KEY),
        "subnet": ("subnet-12345678", "subnet-12345678"),
        "deploymentType": ("PERSISTENT_2", "PERSISTENT_2"),
        "perUnitStorageThroughput": (500, 250),
        "root squash": ("65534:65534", "65534:65534"),
    }


def test_a_cache_that_is_not_there_does_not_exist(cloud: Cloud) -> None:
    answers = read_back(cloud, state("aws:fsx/lustreFileSystem:LustreFileSystem", "fs-00000000", {}))
    assert [(answer.fact.check, answer.fact.ok) for answer in answers] == [("exists", False)]


def test_a_secret_that_is_being_deleted_is_not_as_declared(cloud: Cloud) -> None:
    secrets = cloud.client("secretsmanager", REGION)
    arn = secrets.create_secret(Name="lab", KmsKeyId=KEY)["ARN"]
    secrets.delete_secret(SecretId=arn, RecoveryWindowInDays=7)
    assert asked(cloud, state("aws:secretsmanager/secret:Secret", arn, {"kmsKeyId": KEY})) == {
        "being deleted": (False, True),
        "key": (KEY, KEY),
    }


def test_a_secret_in_its_recovery_window_is_no_leftover(cloud: Cloud) -> None:
    secrets = cloud.client("secretsmanager", REGION)
    arn = secrets.create_secret(Name="lab")["ARN"]
    assert [item["kind"] for item in cloud.inventory()] == ["FakeSecret"]
    secrets.delete_secret(SecretId=arn, RecoveryWindowInDays=7)
    assert cloud.inventory() == []


def test_replication_is_read_back_by_rule(cloud: Cloud) -> None:
    s3, where = cloud.client("s3", REGION), {"CreateBucketConfiguration": {"LocationConstraint": REGION}}
    s3.create_bucket(Bucket="source", **where)
    s3.put_bucket_versioning(Bucket="source", VersioningConfiguration={"Status": "Enabled"})
    destination = {"Bucket": "arn:aws:s3:::copy", "EncryptionConfiguration": {"ReplicaKmsKeyID": KEY}}
    rule = {"ID": "eu-west-1", "Priority": 1, "Status": "Enabled", "Filter": {"Prefix": ""}}
    configuration = {"Role": "arn:aws:iam::1:role/r", "Rules": [{**rule, "Destination": destination}]}
    s3.put_bucket_replication(Bucket="source", ReplicationConfiguration=configuration)
    declared = {
        "id": "eu-west-1",
        "status": "Disabled",
        "destination": {"bucket": "arn:aws:s3:::copy", "encryptionConfiguration": {"replicaKmsKeyId": KEY}},
    }
    inputs = {"bucket": "source", "role": "arn:aws:iam::1:role/r", "rules": [declared]}
    found = asked(cloud, state("aws:s3/bucketReplicationConfig:BucketReplicationConfig", "source", inputs))
    assert found["role"] == ("arn:aws:iam::1:role/r", "arn:aws:iam::1:role/r")
    assert found["rules"] == (
        [("eu-west-1", "Disabled", "arn:aws:s3:::copy", KEY)],
        [("eu-west-1", "Enabled", "arn:aws:s3:::copy", KEY)],
    )


def test_the_defaults_of_a_region_and_an_account_are_read_back(cloud: Cloud) -> None:
    cloud.client("ec2", REGION).enable_ebs_encryption_by_default()
    blocks = dict.fromkeys(("BlockPublicAcls", "BlockPublicPolicy", "IgnorePublicAcls"), True)
    cloud.client("s3control", REGION).put_public_access_block(
        AccountId=ACCOUNT, PublicAccessBlockConfiguration={**blocks, "RestrictPublicBuckets": False}
    )
    encryption = state("aws:ebs/encryptionByDefault:EncryptionByDefault", REGION, {"enabled": True})
    assert asked(cloud, encryption) == {"enabled": (True, True)}
    names = ("blockPublicAcls", "blockPublicPolicy", "ignorePublicAcls", "restrictPublicBuckets")
    block = state("aws:s3/accountPublicAccessBlock:AccountPublicAccessBlock", ACCOUNT, dict.fromkeys(names, True))
    assert asked(cloud, block) == {**dict.fromkeys(names[:3], (True, True)), "restrictPublicBuckets": (True, False)}


def test_scanning_and_the_registrys_policy_are_read_back(cloud: Cloud) -> None:
    ecr = cloud.client("ecr", REGION)
    policy = json.dumps({"Version": "2012-10-17", "Statement": [_replicate()]})
    ecr.put_registry_policy(policyText=policy)
    rule = {"scanFrequency": "CONTINUOUS_SCAN", "repositoryFilters": [{"filter": "*", "filterType": "WILDCARD"}]}
    ecr.put_registry_scanning_configuration(scanType="ENHANCED", rules=[rule])
    scanning = "aws:ecr/registryScanningConfiguration:RegistryScanningConfiguration"
    assert asked(cloud, state(scanning, ACCOUNT, {"scanType": "BASIC", "rules": [rule]})) == {
        "kind": ("BASIC", "ENHANCED"),
        "frequencies": (["CONTINUOUS_SCAN"], ["CONTINUOUS_SCAN"]),
    }
    answers = read_back(cloud, state("aws:ecr/registryPolicy:RegistryPolicy", ACCOUNT, {"policy": policy}))
    assert [(answer.fact.check, answer.fact.ok) for answer in answers] == [("policy", True)]


def _replicate() -> dict[str, Any]:
    return {
        "Sid": "Replicate",
        "Effect": "Allow",
        "Principal": {"AWS": "arn:aws:iam::111122223333:root"},
        "Action": ["ecr:CreateRepository", "ecr:ReplicateImage"],
        "Resource": f"arn:aws:ecr:{REGION}:{ACCOUNT}:repository/*",
    }


@pytest.mark.parametrize(
    ("marks", "only"),
    [
        (["CreateAddon"], True),
        (["EnableSnapshotBlockPublicAccess"], True),
        (["ModifyInstanceMetadataDefaults"], True),
        (["CreateBucket.CreateBucketConfiguration"], False),
        (["PutLogGroupDeletionProtection"], False),
        (["UpdateFileSystem"], False),
    ],
)
def test_a_resource_is_only_recorded_where_the_call_that_makes_it_is(marks: list[str], only: bool) -> None:
    resource = state("aws:x/y:Y", "1", {}, __gpufleetRecorded=marks)[1]
    assert is_only_recorded(resource) is only

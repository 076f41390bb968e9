"""Inputs for one resource of every type that holds data beside ordinary buckets."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.rehearsal.aws.stack import Stack

PULL = json.dumps(
    {
        "Version": "2012-10-17",
        "Statement": [
            {
                "Sid": "Pull",
                "Effect": "Allow",
                "Principal": {"AWS": "arn:aws:iam::111122223333:root"},
                "Action": "ecr:BatchGetImage",
            }
        ],
    }
)
TIDY = json.dumps(
    {
        "rules": [
            {
                "rulePriority": 1,
                "selection": {"tagStatus": "any", "countType": "imageCountMoreThan", "countNumber": 100},
                "action": {"type": "expire"},
            }
        ]
    }
)


def _key(stack: Stack) -> Any:
    return stack.get("aws:kms/key:Key")["arn"]


def s3_bucket_replication_config(stack: Stack) -> dict[str, Any]:
    bucket = stack.id("aws:s3/bucket:Bucket")
    stack.get("aws:s3/bucketVersioning:BucketVersioning")
    copy = stack.add("aws:s3/bucket:Bucket", {"bucket": f"copy-of-{bucket}"})
    versioned = {"bucket": copy.id, "versioningConfiguration": {"status": "Enabled"}}
    stack.add("aws:s3/bucketVersioning:BucketVersioning", versioned)
    rule = {
        "id": "eu-west-1",
        "priority": 1,
        "status": "Enabled",
        "filter": {"prefix": ""},
        "deleteMarkerReplication": {"status": "Disabled"},
        "sourceSelectionCriteria": {"sseKmsEncryptedObjects": {"status": "Enabled"}},
        "destination": {"bucket": copy["arn"], "encryptionConfiguration": {"replicaKmsKeyId": _key(stack)}},
    }
    return {"bucket": bucket, "role": stack.get("aws:iam/role:Role")["arn"], "rules": [rule]}


def s3_bucket_intelligent_tiering_configuration(stack: Stack) -> dict[str, Any]:
    return {
        "bucket": stack.id("aws:s3/bucket:Bucket"),
        "name": "archive",
        "filter": {"prefix": "old/", "tags": {"tier": "cold"}},
        "tierings": [{"accessTier": "ARCHIVE_ACCESS", "days": 125}],
    }


def s3_directory_bucket(stack: Stack) -> dict[str, Any]:
    return {
        "bucket": f"lab-{stack.program.account}--use1-az4--x-s3",
        "dataRedundancy": "SingleAvailabilityZone",
        "location": {"name": "use1-az4", "type": "AvailabilityZone"},
    }


def ecr_repository(stack: Stack) -> dict[str, Any]:
    return {
        "name": "lab/trainer",
        "imageTagMutability": "IMMUTABLE",
        "imageScanningConfiguration": {"scanOnPush": True},
        "encryptionConfigurations": [{"encryptionType": "KMS", "kmsKey": _key(stack)}],
    }


def ecr_lifecycle_policy(stack: Stack) -> dict[str, Any]:
    return {"repository": stack.id("aws:ecr/repository:Repository"), "policy": TIDY}


def ecr_repository_policy(stack: Stack) -> dict[str, Any]:
    return {"repository": stack.id("aws:ecr/repository:Repository"), "policy": PULL}


def ecr_pull_through_cache_rule(stack: Stack) -> dict[str, Any]:
    return {"ecrRepositoryPrefix": "lab/quay.io", "upstreamRegistryUrl": "quay.io"}


def ecr_repository_creation_template(stack: Stack) -> dict[str, Any]:
    return {
        "prefix": "lab",
        "description": "cached",
        "appliedFors": ["PULL_THROUGH_CACHE"],
        "imageTagMutability": "IMMUTABLE",
        "encryptionConfigurations": [{"encryptionType": "KMS", "kmsKey": _key(stack)}],
        "lifecyclePolicy": TIDY,
        "customRoleArn": stack.get("aws:iam/role:Role")["arn"],
        "resourceTags": {"cached": "yes"},
    }


def ecr_registry_policy(stack: Stack) -> dict[str, Any]:
    replicate = {**json.loads(PULL)["Statement"][0], "Action": ["ecr:CreateRepository", "ecr:ReplicateImage"]}
    replicate["Resource"] = f"arn:aws:ecr:us-east-1:{stack.program.account}:repository/*"
    return {"policy": json.dumps({"Version": "2012-10-17", "Statement": [replicate]})}


def fsx_lustre_file_system(stack: Stack) -> dict[str, Any]:
    return {
        "deploymentType": "PERSISTENT_2",
        "storageType": "SSD",
        "storageCapacity": 4800,
        "perUnitStorageThroughput": 250,
        "fileSystemTypeVersion": "2.15",
        "dataCompressionType": "LZ4",
        "efaEnabled": True,
        "metadataConfiguration": {"mode": "USER_PROVISIONED", "iops": 6000},
        "subnetIds": stack.id("aws:ec2/subnet:Subnet"),
        "securityGroupIds": [stack.id("aws:ec2/securityGroup:SecurityGroup")],
        "kmsKeyId": _key(stack),
        "rootSquashConfiguration": {"rootSquash": "65534:65534"},
        "logConfiguration": {
            "level": "WARN_ERROR",
            "destination": stack.get("aws:cloudwatch/logGroup:LogGroup")["arn"],
        },
        "automaticBackupRetentionDays": 0,
        "tags": {"Name": "cache"},
    }


def fsx_data_repository_association(stack: Stack) -> dict[str, Any]:
    events = ["NEW", "CHANGED", "DELETED"]
    return {
        "fileSystemId": stack.id("aws:fsx/lustreFileSystem:LustreFileSystem"),
        "fileSystemPath": "/data",
        "dataRepositoryPath": f"s3://{stack.id('aws:s3/bucket:Bucket')}/imagenet/",
        "batchImportMetaDataOnCreate": True,
        "deleteDataInFilesystem": True,
        "s3": {"autoImportPolicy": {"events": events}, "autoExportPolicy": {"events": events}},
    }


def secretsmanager_secret(stack: Stack) -> dict[str, Any]:
    policy = {**json.loads(PULL)["Statement"][0], "Action": "secretsmanager:GetSecretValue", "Resource": "*"}
    return {
        "name": "lab/registry",
        "description": "of the registry",
        "kmsKeyId": _key(stack),
        "policy": json.dumps({"Version": "2012-10-17", "Statement": [policy]}),
        "recoveryWindowInDays": 7,
        "tags": {"Name": "registry"},
    }


INPUTS: dict[str, Callable[[Stack], dict[str, Any]]] = {
    "aws:ecr/lifecyclePolicy:LifecyclePolicy": ecr_lifecycle_policy,
    "aws:ecr/pullThroughCacheRule:PullThroughCacheRule": ecr_pull_through_cache_rule,
    "aws:ecr/registryPolicy:RegistryPolicy": ecr_registry_policy,
    "aws:ecr/repository:Repository": ecr_repository,
    "aws:ecr/repositoryCreationTemplate:RepositoryCreationTemplate": ecr_repository_creation_template,
    "aws:ecr/repositoryPolicy:RepositoryPolicy": ecr_repository_policy,
    "aws:fsx/dataRepositoryAssociation:DataRepositoryAssociation": fsx_data_repository_association,
    "aws:fsx/lustreFileSystem:LustreFileSystem": fsx_lustre_file_system,
    "aws:s3/bucketIntelligentTieringConfiguration:BucketIntelligentTieringConfiguration": (
        s3_bucket_intelligent_tiering_configuration
    ),
    "aws:s3/bucketReplicationConfig:BucketReplicationConfig": s3_bucket_replication_config,
    "aws:s3/directoryBucket:DirectoryBucket": s3_directory_bucket,
    "aws:secretsmanager/secret:Secret": secretsmanager_secret,
}

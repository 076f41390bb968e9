"""Readers for what holds data beside plain buckets: repositories, caches, secrets, and what is set on buckets."""

from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

from gpufleet.rehearsal.read_back.asking import Declared, Fact, Reader, document, facts, fields, inner, items, ordered


def repository(resource: Declared) -> Iterator[Fact]:
    """Tags that cannot be moved, encryption and scanning."""
    found = resource.client("ecr").describe_repositories(repositoryNames=[resource.id])["repositories"][0]
    inputs = resource.inputs
    yield Fact("tags", inputs.get("imageTagMutability", "MUTABLE"), found["imageTagMutability"])
    encryption = fields(found.get("encryptionConfiguration"))
    declared_type = inner(inputs, "encryptionConfigurations", "encryptionType", default="AES256")
    yield Fact("encryption", declared_type, encryption.get("encryptionType"))
    if declared_key := inner(inputs, "encryptionConfigurations", "kmsKey"):
        yield Fact("key", declared_key, encryption.get("kmsKey"))
    scanned = inner(inputs, "imageScanningConfiguration", "scanOnPush", default=False)
    yield Fact("scan on push", scanned, inner(found, "imageScanningConfiguration", "scanOnPush", default=False))


def repository_lifecycle(resource: Declared) -> Iterator[Fact]:
    """The document."""
    found = resource.client("ecr").get_lifecycle_policy(repositoryName=resource.inputs["repository"])
    yield Fact("policy", document(resource.inputs["policy"]), document(found["lifecyclePolicyText"]))


def repository_policy(resource: Declared) -> Iterator[Fact]:
    """The document."""
    found = resource.client("ecr").get_repository_policy(repositoryName=resource.inputs["repository"])
    yield Fact("policy", document(resource.inputs["policy"]), document(found["policyText"]))


def file_system(resource: Declared) -> Iterator[Fact]:
    """Size, key, place and what Lustre is told."""
    # moto gives no answer at all for an id it does not know.
    found = resource.client("fsx").describe_file_systems(FileSystemIds=[resource.id])["FileSystems"][0]
    inputs, lustre = resource.inputs, fields(found.get("LustreConfiguration"))
    yield Fact("GiB", inputs.get("storageCapacity"), found["StorageCapacity"])
    yield Fact("key", inputs.get("kmsKeyId"), found.get("KmsKeyId"))
    yield Fact("subnet", inputs["subnetIds"], inner(found, "SubnetIds", default=[""])[0])
    names = ("deploymentType", "perUnitStorageThroughput", "dataCompressionType", "efaEnabled")
    told = {name[0].lower() + name[1:]: value for name, value in lustre.items()}
    yield from facts({name: inputs[name] for name in names if name in inputs}, told)
    if "rootSquashConfiguration" in inputs:
        declared = inner(inputs, "rootSquashConfiguration", "rootSquash")
        yield Fact("root squash", declared, inner(lustre, "RootSquashConfiguration", "RootSquash"))


def secret(resource: Declared) -> Iterator[Fact]:
    """Its key, and that it is not being deleted."""
    found = resource.client("secretsmanager").describe_secret(SecretId=resource.id)
    yield Fact("being deleted", False, "DeletedDate" in found)
    yield Fact("key", resource.inputs.get("kmsKeyId"), found.get("KmsKeyId"))


def directory_bucket(resource: Declared) -> Iterator[Fact]:
    """That the bucket that stands for it is there; its kind and zone are only recorded."""
    answer = resource.client("s3").head_bucket(Bucket=resource.id)
    yield Fact("exists", True, answer["ResponseMetadata"]["HTTPStatusCode"] == HTTPStatus.OK)


def bucket_logging(resource: Declared) -> Iterator[Fact]:
    """Where the logs of access go."""
    found = fields(resource.client("s3").get_bucket_logging(Bucket=resource.inputs["bucket"]).get("LoggingEnabled"))
    yield Fact("target", resource.inputs["targetBucket"], found.get("TargetBucket"))
    yield Fact("prefix", resource.inputs.get("targetPrefix", ""), found.get("TargetPrefix", ""))


def bucket_replication(resource: Declared) -> Iterator[Fact]:
    """The role, and of each rule the status, the destination and the key there."""
    answer = resource.client("s3").get_bucket_replication(Bucket=resource.inputs["bucket"])
    found: dict[str, Any] = answer["ReplicationConfiguration"]
    yield Fact("role", resource.inputs["role"], found["Role"])
    key = ("destination", "encryptionConfiguration", "replicaKmsKeyId")
    declared = [
        (rule["id"], rule["status"], inner(rule, "destination", "bucket"), inner(rule, *key))
        for rule in items(resource.inputs["rules"])
    ]
    answered = [
        (
            rule["ID"],
            rule["Status"],
            inner(rule, "Destination", "Bucket"),
            inner(rule, "Destination", "EncryptionConfiguration", "ReplicaKmsKeyID"),
        )
        for rule in found["Rules"]
    ]
    yield Fact("rules", ordered(declared), ordered(answered))


READERS: dict[str, Reader] = {
    "aws:ecr/lifecyclePolicy:LifecyclePolicy": repository_lifecycle,
    "aws:ecr/repository:Repository": repository,
    "aws:ecr/repositoryPolicy:RepositoryPolicy": repository_policy,
    "aws:fsx/lustreFileSystem:LustreFileSystem": file_system,
    "aws:s3/bucketLogging:BucketLogging": bucket_logging,
    "aws:s3/bucketReplicationConfig:BucketReplicationConfig": bucket_replication,
    "aws:s3/directoryBucket:DirectoryBucket": directory_bucket,
    "aws:secretsmanager/secret:Secret": secret,
}

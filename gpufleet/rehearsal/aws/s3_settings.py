"""What is set on an S3 bucket by resources of their own: one Put to create and update, one Get to read, one Delete."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from gpufleet.rehearsal.aws.calls import Aws
from gpufleet.rehearsal.aws.errors import AwsError
from gpufleet.rehearsal.aws.table import DOCUMENT, FIXED, PLAIN, SET, AwsType, Input, Properties, pick

_GONE = (
    "NoSuchBucket",
    "NoSuchBucketPolicy",
    "NoSuchLifecycleConfiguration",
    "NoSuchPublicAccessBlockConfiguration",
    "OwnershipControlsNotFoundError",
    "ObjectLockConfigurationNotFoundError",
    "ReplicationConfigurationNotFoundError",
    "ServerSideEncryptionConfigurationNotFoundError",
)
_RENAMES = {
    "LifecycleConfiguration.rules.noncurrentVersionExpiration.noncurrentDays": "NoncurrentDays",
    "ServerSideEncryptionConfiguration.rules.applyServerSideEncryptionByDefault.kmsMasterKeyId": "KMSMasterKeyID",
    "ServerSideEncryptionConfiguration.rules.applyServerSideEncryptionByDefault.sseAlgorithm": "SSEAlgorithm",
}


@dataclass(frozen=True)
class _Setting:
    """A setting of a bucket: its type, its inputs, the operations, and the Put's body from the inputs."""

    name: str
    inputs: Mapping[str, Input]
    put: str
    get: str
    body: Callable[[Properties], dict[str, Any]]
    delete: str | None
    """None where S3 has no operation for it: `off` is put instead."""
    off: Mapping[str, Any] | None = None
    outputs: tuple[str, ...] = ()
    before: Callable[[Aws, Properties], None] | None = None
    """What S3 looks at before it takes the setting, and moto does not."""

    def entry(self) -> AwsType:
        """Return the entry of the table."""
        return AwsType(
            name=self.name,
            inputs={"bucket": FIXED, **self.inputs},
            outputs=self.outputs,
            singular=True,
            create=self._create,
            read=self._read,
            update=self._update,
            delete=self._delete,
        )

    def _create(self, aws: Aws, inputs: Properties) -> str:
        if self.before:
            self.before(aws, inputs)
        aws.call("s3", self.put, {"Bucket": inputs["bucket"], **self.body(inputs)}, _RENAMES)
        return str(inputs["bucket"])

    def _read(self, aws: Aws, bucket: str, state: Properties) -> Properties | None:
        answer = aws.find("s3", self.get, {"Bucket": bucket}, *_GONE)
        if answer is None:
            return None
        return {"bucket": bucket, **({"policy": answer["Policy"]} if "Policy" in answer else {})}

    def _update(self, aws: Aws, bucket: str, old: Properties, new: Properties) -> None:
        self._create(aws, new)

    def _delete(self, aws: Aws, bucket: str, state: Properties) -> None:
        if self.delete:
            aws.drop("s3", self.delete, {"Bucket": bucket}, *_GONE)
        elif self.off is not None:
            aws.drop("s3", self.put, {"Bucket": bucket, **self.off}, *_GONE)


_BLOCKS = ("blockPublicAcls", "blockPublicPolicy", "ignorePublicAcls", "restrictPublicBuckets")


def _lifecycle_rule(rule: Properties) -> dict[str, Any]:
    """Return S3's rule: an empty filter means every object, and days and sizes come as text from some program
    languages."""
    return {**rule, "filter": rule.get("filter") or {"prefix": rule.get("prefix") or ""}}


def _logging(inputs: Properties) -> dict[str, Any]:
    target = {"targetBucket": inputs["targetBucket"], "targetPrefix": inputs.get("targetPrefix", "")}
    return {"BucketLoggingStatus": {"LoggingEnabled": {**target, **pick(inputs, "targetObjectKeyFormat")}}}


def _destinations_keep_versions(aws: Aws, inputs: Properties) -> None:
    for rule in inputs["rules"]:
        destination = str(rule["destination"]["bucket"]).rpartition(":")[2]
        found = aws.find("s3", "GetBucketVersioning", {"Bucket": destination}, "NoSuchBucket")
        if found is None or found.get("Status") != "Enabled":
            problem = f"Destination bucket must exist and have versioning enabled: {destination}."
            raise AwsError("s3", "PutBucketReplication", "InvalidRequest", problem)


TYPES = tuple(
    setting.entry()
    for setting in (
        _Setting(
            "aws:s3/bucketVersioning:BucketVersioning",
            {"versioningConfiguration": PLAIN},
            put="PutBucketVersioning",
            get="GetBucketVersioning",
            body=lambda inputs: {"VersioningConfiguration": inputs["versioningConfiguration"]},
            # Versioning cannot be taken away, only suspended.
            delete=None,
            off={"VersioningConfiguration": {"Status": "Suspended"}},
        ),
        _Setting(
            "aws:s3/bucketServerSideEncryptionConfiguration:BucketServerSideEncryptionConfiguration",
            {"rules": SET},
            put="PutBucketEncryption",
            get="GetBucketEncryption",
            body=lambda inputs: {"ServerSideEncryptionConfiguration": {"rules": inputs["rules"]}},
            delete="DeleteBucketEncryption",
        ),
        _Setting(
            "aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock",
            dict.fromkeys(_BLOCKS, Input(default=False)),
            put="PutPublicAccessBlock",
            get="GetPublicAccessBlock",
            body=lambda inputs: {"PublicAccessBlockConfiguration": pick(inputs, *_BLOCKS)},
            delete="DeletePublicAccessBlock",
        ),
        _Setting(
            "aws:s3/bucketOwnershipControls:BucketOwnershipControls",
            {"rule": PLAIN},
            put="PutBucketOwnershipControls",
            get="GetBucketOwnershipControls",
            body=lambda inputs: {"OwnershipControls": {"rules": [inputs["rule"]]}},
            delete="DeleteBucketOwnershipControls",
        ),
        _Setting(
            "aws:s3/bucketLifecycleConfiguration:BucketLifecycleConfiguration",
            {"rules": PLAIN, "transitionDefaultMinimumObjectSize": PLAIN},
            put="PutBucketLifecycleConfiguration",
            get="GetBucketLifecycleConfiguration",
            body=lambda inputs: {
                "LifecycleConfiguration": {"rules": [_lifecycle_rule(rule) for rule in inputs["rules"]]},
                **pick(inputs, "transitionDefaultMinimumObjectSize"),
            },
            delete="DeleteBucketLifecycle",
        ),
        _Setting(
            "aws:s3/bucketPolicy:BucketPolicy",
            {"policy": DOCUMENT},
            put="PutBucketPolicy",
            get="GetBucketPolicy",
            body=lambda inputs: {"Policy": inputs["policy"]},
            delete="DeleteBucketPolicy",
        ),
        _Setting(
            "aws:s3/bucketLogging:BucketLogging",
            {"targetBucket": PLAIN, "targetObjectKeyFormat": PLAIN, "targetPrefix": PLAIN},
            put="PutBucketLogging",
            get="GetBucketLogging",
            body=_logging,
            delete=None,
            off={"BucketLoggingStatus": {}},
        ),
        _Setting(
            "aws:s3/bucketReplicationConfig:BucketReplicationConfig",
            {"role": PLAIN, "rules": PLAIN, "token": PLAIN},
            put="PutBucketReplication",
            get="GetBucketReplication",
            body=lambda inputs: {"ReplicationConfiguration": pick(inputs, "role", "rules"), **pick(inputs, "token")},
            delete="DeleteBucketReplication",
            before=_destinations_keep_versions,
        ),
    )
)

"""An AWS account in memory with what a stack keeps there, and the stack's own settings."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from gpufleet.cleanup import lifecycle, scope
from gpufleet.cleanup.account import Account
from gpufleet.plan.project import Project

ACCOUNT = "123456789012"
REGION = "us-east-1"
CALLER = f"arn:aws:sts::{ACCOUNT}:user/moto"
STACK = "gpufleet-dev"

ABORT = {"ID": "abort-abandoned-uploads", "AbortIncompleteMultipartUpload": {"DaysAfterInitiation": 7}}
EXPIRE = {"ID": "expire-objects", "Expiration": {"Days": 14}}
OLD = {"ID": "expire-old-versions", "NoncurrentVersionExpiration": {"NoncurrentDays": 1}}
SCRATCH = (ABORT, EXPIRE, OLD)


def project(account_id: Any = ACCOUNT, regions: Sequence[str] = (REGION,), workspaces: Sequence[str] = ()) -> Project:
    settings: Mapping[str, Any] = {
        "account_id": account_id,
        "regions": {region: {} for region in regions},
        "workspaces": [{"name": name} for name in workspaces],
    }
    return Project(
        directory=Path("/nowhere"),
        name="gpufleet",
        main=".",
        stack="dev",
        config={"gpufleet:settings": json.dumps(settings)},
        secret_keys=(),
        source="stacks/Pulumi.dev.yaml",
    )


def rules(entries: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [{"Status": "Enabled", "Filter": {"Prefix": ""}, **entry} for entry in entries]


def read(*entries: Mapping[str, Any]) -> lifecycle.Lifecycle:
    return lifecycle.read(rules(entries))


class World:
    """The account."""

    def __init__(self, session: Any, region: str = REGION) -> None:
        self.session, self.region = session, region
        self.s3, self.kms, self.ec2, self.logs = (self.client(name) for name in ("s3", "kms", "ec2", "logs"))

    def client(self, service: str) -> Any:
        return self.session.client(service, region_name=self.region)

    def account(self) -> Account:
        return Account.connect(ACCOUNT, REGION)

    def scope(self, **given: Any) -> scope.Scope:
        return scope.read(project(**given))

    def key(self, alias: str, workspace: str | None = None, *, stack: str = STACK) -> str:
        tags = {"gpufleet-stack": stack, **({"gpufleet-workspace": workspace} if workspace else {})}
        made = self.kms.create_key(Tags=[{"TagKey": name, "TagValue": value} for name, value in tags.items()])
        self.kms.create_alias(AliasName=f"alias/{alias}", TargetKeyId=made["KeyMetadata"]["KeyId"])
        return str(made["KeyMetadata"]["Arn"])

    def bucket(
        self,
        name: str,
        purpose: str | None,
        key: str | None = None,
        *,
        workspace: str | None = None,
        entries: Sequence[Mapping[str, Any]] = (),
        stack: str | None = STACK,
        versioned: bool = True,
    ) -> str:
        tags = {"gpufleet-stack": stack, "purpose": purpose, "gpufleet-workspace": workspace}
        self.s3.create_bucket(Bucket=name)
        listed = [{"Key": key, "Value": value} for key, value in tags.items() if value]
        self.s3.put_bucket_tagging(Bucket=name, Tagging={"TagSet": listed})
        if versioned:
            self.s3.put_bucket_versioning(Bucket=name, VersioningConfiguration={"Status": "Enabled"})
        if key is not None:
            default = {"SSEAlgorithm": "aws:kms", "KMSMasterKeyID": key}
            self.s3.put_bucket_encryption(
                Bucket=name,
                ServerSideEncryptionConfiguration={"Rules": [{"ApplyServerSideEncryptionByDefault": default}]},
            )
        if entries:
            configuration = {"Rules": rules(entries)}
            self.s3.put_bucket_lifecycle_configuration(Bucket=name, LifecycleConfiguration=configuration)
        return name

    def put(self, bucket: str, key: str, *bodies: bytes) -> None:
        for body in bodies:
            self.s3.put_object(Bucket=bucket, Key=key, Body=body)

    def upload(self, bucket: str, key: str, body: bytes) -> str:
        upload_id = str(self.s3.create_multipart_upload(Bucket=bucket, Key=key)["UploadId"])
        self.s3.upload_part(Bucket=bucket, Key=key, UploadId=upload_id, PartNumber=1, Body=body)
        return upload_id

    def state(self, key: str) -> str:
        return str(self.kms.describe_key(KeyId=key)["KeyMetadata"]["KeyState"])

from typing import Any

import pulumi
import pulumi_aws as aws
import pytest

from components.ordering import after
from components.storage.encrypted_bucket import EncryptedBucket, EncryptedBucketArgs
from components.storage.lustre_cache import LustreCache
from tests.components.builds import KEY
from tests.components.storage import compositions
from tests.harness import record

SYSTEM = "aws:fsx/lustreFileSystem:LustreFileSystem"
LINK = "aws:fsx/dataRepositoryAssociation:DataRepositoryAssociation"
EVENTS = ["NEW", "CHANGED", "DELETED"]


def test_a_cache_is_persistent_encrypted_squashed_and_logged_and_not_backed_up() -> None:
    recorded = record(compositions.lustre())

    log = recorded.one("aws:cloudwatch/logGroup:LogGroup")
    assert log.inputs == {"name": "/aws/fsx/gpufleet-dev-datasets", "retentionInDays": 90, "kmsKeyId": KEY}
    assert recorded.one(SYSTEM).inputs == {
        "deploymentType": "PERSISTENT_2",
        "storageType": "SSD",
        "storageCapacity": 4800,
        "perUnitStorageThroughput": 250,
        "fileSystemTypeVersion": "2.15",
        "dataCompressionType": "LZ4",
        "metadataConfiguration": {"mode": "AUTOMATIC"},
        "subnetIds": "subnet-a",
        "securityGroupIds": ["sg-lustre"],
        "kmsKeyId": KEY,
        "rootSquashConfiguration": {"rootSquash": "65534:65534"},
        "logConfiguration": {"level": "WARN_ERROR", "destination": log.outputs["arn"]},
        "automaticBackupRetentionDays": 0,
        "skipFinalBackup": True,
        "tags": {"Name": "gpufleet-dev-datasets"},
    }


def test_it_follows_the_bucket_and_does_not_write_to_it() -> None:
    recorded = record(compositions.lustre(bucket_prefix="imagenet/", path="/imagenet"))

    assert recorded.one(LINK).inputs == {
        "fileSystemId": recorded.one(SYSTEM).id,
        "fileSystemPath": "/imagenet",
        "dataRepositoryPath": "s3://datasets-bucket/imagenet/",
        "batchImportMetaDataOnCreate": True,
        "deleteDataInFilesystem": True,
        "s3": {"autoImportPolicy": {"events": EVENTS}},
    }


def test_it_writes_back_only_where_that_was_asked_for() -> None:
    assert record(compositions.lustre(exports=True)).one(LINK).inputs["s3"]["autoExportPolicy"] == {"events": EVENTS}


def test_a_cache_that_may_hold_what_is_nowhere_else_is_protected_and_another_is_not() -> None:
    protected = [
        record(compositions.lustre(**changes)).one(SYSTEM).protect
        for changes in ({}, {"exports": True}, {"exports": True, "protection": "none"})
    ]

    assert protected == [False, True, False]


def test_with_efa_it_says_so_and_has_the_metadata_configuration_that_efa_needs() -> None:
    inputs = record(compositions.lustre(efa=True, throughput=1000)).one(SYSTEM).inputs

    assert (inputs["efaEnabled"], inputs["metadataConfiguration"]) == (True, {"mode": "AUTOMATIC"})


def test_metadata_speed_can_be_bought() -> None:
    inputs = record(compositions.lustre(metadata_iops=12_000)).one(SYSTEM).inputs

    assert inputs["metadataConfiguration"] == {"mode": "USER_PROVISIONED", "iops": 12_000}


def test_the_file_system_waits_for_the_rules_of_its_group_and_not_only_for_the_group() -> None:
    def build() -> None:
        group = aws.ec2.SecurityGroup("lustre", vpc_id="vpc")
        rules = [
            aws.vpc.SecurityGroupIngressRule(
                f"lustre-{port}", security_group_id=group.id, ip_protocol="tcp", from_port=port, to_port=to
            )
            for port, to in ((988, 988), (1018, 1023))
        ]
        LustreCache("cache", compositions.lustre_args(security_group_ids=[after(group.id, *rules)]))

    recorded = record(build)

    for rule in recorded.all("aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule"):
        assert rule.urn in recorded.one(SYSTEM).dependencies


def test_who_mounts_it_waits_for_the_link_and_the_link_for_a_closed_bucket() -> None:
    def build() -> None:
        bucket = EncryptedBucket("data", EncryptedBucketArgs(purpose="datasets", key_arn=KEY, partition="aws"))
        cache = LustreCache("cache", compositions.lustre_args(bucket_name=bucket.bucket_name))
        pulumi.export("path", cache.path)
        aws.ssm.Parameter("mount", type="String", value=cache.mount_name)

    recorded = record(build)

    link = recorded.one(LINK)
    assert link.urn in recorded.one("aws:ssm/parameter:Parameter").dependencies
    assert recorded.one("aws:s3/bucketPolicy:BucketPolicy").urn in link.dependencies
    assert recorded.outputs["path"] == "/data"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"zone": "us-west-2a"}, "zone: 'us-west-2a' of the cache is not in us-east-1; name a zone such as us-east-1a"),
        ({"size_gib": 5000}, "size_gib: 5000 is not offered; .* take 7200"),
        ({"efa": True}, "with EFA at 250 MB/s for each TiB, allowed are multiples of 19200 GiB: take 19200"),
        ({"security_group_ids": []}, "security_group_ids: is empty; FSx would take the default group"),
        ({"path": "data"}, "path: 'data' must begin with / and not end with it"),
        ({"bucket_prefix": "/x/"}, "bucket_prefix: '/x/' begins with /; S3 keys do not"),
        ({"compression": "zstd"}, "compression: 'zstd' is not known; allowed are LZ4, NONE"),
        ({"root_squash": "0:0"}, "root_squash: '0:0' must be UID:GID, neither of them 0"),
        ({"root_squash": "nobody"}, "root_squash: 'nobody' must be UID:GID"),
        ({"cache_name": "a b"}, "cache_name: 'a b' must be 1 to 100 letters"),
    ],
)
def test_a_mistake_is_answered_with_what_is_allowed(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        compositions.lustre_args(**changes)

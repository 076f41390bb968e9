import json
from typing import Any

import pulumi
import pulumi_aws as aws
import pytest

from components.storage.encrypted_bucket import EncryptedBucket, EncryptedBucketArgs
from components.storage.replication import BucketReplication
from tests.components.builds import ACCOUNT, KEY
from tests.components.storage import compositions
from tests.components.storage.compositions import THERE
from tests.harness import Recorded, record

CONFIG = "aws:s3/bucketReplicationConfig:BucketReplicationConfig"
COPY, SOURCE, KEY_THERE = "arn:aws:s3:::copy", "arn:aws:s3:::source", f"arn:aws:kms:{THERE}:{ACCOUNT}:key/there"


def granted(recorded: Recorded) -> dict[str, dict[str, Any]]:
    policy = json.loads(recorded.one("aws:iam/rolePolicy:RolePolicy").inputs["policy"])
    return {statement["Sid"]: statement for statement in policy["Statement"]}


def test_each_region_gets_objects_under_its_own_key_and_deletions_do_not_travel() -> None:
    recorded = record(compositions.replication())

    assert recorded.one(CONFIG).inputs == {
        "bucket": "source",
        "role": recorded.one("aws:iam/role:Role").outputs["arn"],
        "rules": [
            {
                "id": THERE,
                "priority": 1,
                "status": "Enabled",
                "filter": {"prefix": ""},
                "deleteMarkerReplication": {"status": "Disabled"},
                "sourceSelectionCriteria": {"sseKmsEncryptedObjects": {"status": "Enabled"}},
                "destination": {"bucket": COPY, "encryptionConfiguration": {"replicaKmsKeyId": KEY_THERE}},
            }
        ],
    }


def test_rules_of_several_regions_differ_in_priority() -> None:
    regions = ["eu-west-1", "ap-south-1", "us-west-2"]
    recorded = record(
        compositions.replication(
            destination_bucket_arns={region: f"arn:aws:s3:::{region}" for region in regions},
            destination_key_arns=dict.fromkeys(regions, KEY_THERE),
        )
    )

    rules = recorded.one(CONFIG).inputs["rules"]
    assert [(rule["id"], rule["priority"]) for rule in rules] == [("ap-south-1", 1), ("eu-west-1", 2), ("us-west-2", 3)]


def test_s3_reads_the_source_and_writes_the_copy_and_nothing_else() -> None:
    assert granted(record(compositions.replication())) == {
        "ReadSourceSettings": {
            "Sid": "ReadSourceSettings",
            "Effect": "Allow",
            "Action": ["s3:GetReplicationConfiguration", "s3:ListBucket"],
            "Resource": [SOURCE],
        },
        "ReadSourceObjects": {
            "Sid": "ReadSourceObjects",
            "Effect": "Allow",
            "Action": [
                "s3:GetObjectVersionAcl",
                "s3:GetObjectVersionForReplication",
                "s3:GetObjectVersionTagging",
            ],
            "Resource": [f"{SOURCE}/*"],
        },
        "DecryptSource": {
            "Sid": "DecryptSource",
            "Effect": "Allow",
            "Action": ["kms:Decrypt"],
            "Resource": [KEY],
            "Condition": {
                "StringEquals": {"kms:ViaService": "s3.us-east-1.amazonaws.com"},
                "StringLike": {"kms:EncryptionContext:aws:s3:arn": [SOURCE, f"{SOURCE}/*"]},
            },
        },
        "WriteCopies": {
            "Sid": "WriteCopies",
            "Effect": "Allow",
            "Action": ["s3:ReplicateObject", "s3:ReplicateTags"],
            "Resource": [f"{COPY}/*"],
        },
        "EncryptCopiesInUsWest2": {
            "Sid": "EncryptCopiesInUsWest2",
            "Effect": "Allow",
            "Action": ["kms:Encrypt", "kms:GenerateDataKey"],
            "Resource": [KEY_THERE],
            "Condition": {
                "StringEquals": {"kms:ViaService": f"s3.{THERE}.amazonaws.com"},
                "StringLike": {"kms:EncryptionContext:aws:s3:arn": [COPY, f"{COPY}/*"]},
            },
        },
    }


def test_deletions_are_copied_where_that_was_asked_for() -> None:
    recorded = record(compositions.replication(replicate_deletes=True))

    assert recorded.one(CONFIG).inputs["rules"][0]["deleteMarkerReplication"] == {"status": "Enabled"}
    assert "s3:ReplicateDelete" in granted(recorded)["WriteCopies"]["Action"]


def test_the_role_is_taken_on_by_s3_and_may_be_bounded() -> None:
    boundary = f"arn:aws:iam::{ACCOUNT}:policy/boundary"
    role = record(compositions.replication(permissions_boundary_arn=boundary)).one("aws:iam/role:Role")

    (statement,) = json.loads(role.inputs["assumeRolePolicy"])["Statement"]
    assert statement["Principal"] == {"Service": "s3.amazonaws.com"}
    assert role.inputs["permissionsBoundary"] == boundary


def test_replication_waits_for_its_grant_and_for_versions_on_both_sides() -> None:
    def build() -> None:
        args = EncryptedBucketArgs(purpose="datasets", key_arn=KEY, partition="aws")
        there = aws.Provider("there", region=THERE)
        source = EncryptedBucket("source", args)
        copy = EncryptedBucket("copy", args, pulumi.ResourceOptions(providers=[there]))
        BucketReplication(
            "copies",
            compositions.replication_args(
                bucket_name=source.bucket_name,
                bucket_arn=source.bucket_arn,
                destination_bucket_arns={THERE: copy.bucket_arn},
            ),
        )

    recorded = record(build)

    waits_for = recorded.one(CONFIG).dependencies
    for name in ("source", "copy"):
        assert recorded.one("aws:s3/bucketVersioning:BucketVersioning", name).urn in waits_for
    assert recorded.one("aws:iam/rolePolicy:RolePolicy").urn in waits_for


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"destination_bucket_arns": {}}, "destination_bucket_arns: is empty; name a region"),
        ({"destination_key_arns": {}}, "destination_key_arns: has none, but buckets are in us-west-2; give the key"),
        ({"region": THERE}, "destination_bucket_arns: us-west-2 is the region of the source; name other regions"),
        (
            {"partition": "aws-cn", "region": "cn-north-1"},
            "destination_bucket_arns: 'us-west-2' is no region of partition aws-cn",
        ),
    ],
)
def test_a_mistake_is_answered_with_what_is_allowed(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        compositions.replication_args(**changes)

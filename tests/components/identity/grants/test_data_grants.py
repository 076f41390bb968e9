"""The grants on buckets: who reads, who uploads, and with which rights on the key."""

from typing import Any

import pytest

from components.identity.grants import (
    artifact_publisher,
    bucket_access,
    checkpoint_writer,
    dataset_reader,
    mountpoint_s3_csi,
    scratch_user,
)
from tests.components.identity.grants.catalogue import BUCKET, HOME, KEY, PLACES, by_sid

OWN = "${aws:PrincipalTag/kubernetes-namespace}/"
THROUGH_S3 = {"StringEquals": {"kms:ViaService": ["s3.us-east-1.amazonaws.com"]}}


def key_actions(statements: dict[str, dict[str, Any]]) -> list[str]:
    (key,) = [statement for statement in statements.values() if statement["Resource"] == [KEY]]
    assert key["Condition"] == THROUGH_S3
    return key["Action"]


def test_a_dataset_reader_reads_and_decrypts_and_makes_no_data_key() -> None:
    granted = by_sid(dataset_reader.statements(HOME, BUCKET, KEY))

    assert granted["ReadDatasets"]["Action"] == ["s3:GetObject"]
    assert granted["ReadDatasets"]["Resource"] == [f"{BUCKET}/*"]
    assert "Condition" not in granted["ListPrefix"]
    assert key_actions(granted) == ["kms:Decrypt"]
    assert {action for statement in granted.values() for action in statement["Action"]} == {
        "s3:GetBucketLocation",
        "s3:GetObject",
        "s3:ListBucket",
        "kms:Decrypt",
    }


def test_a_reader_of_one_data_set_lists_and_reads_no_other() -> None:
    granted = by_sid(dataset_reader.statements(HOME, BUCKET, KEY, prefix="imagenet/"))

    assert granted["ListPrefix"]["Condition"] == {"StringLike": {"s3:prefix": "imagenet/*"}}
    assert granted["ReadDatasets"]["Resource"] == [f"{BUCKET}/imagenet/*"]


def test_a_checkpoint_of_any_size_can_be_uploaded_since_its_parts_can_be_decrypted() -> None:
    granted = by_sid(checkpoint_writer.statements(HOME, BUCKET, KEY))

    assert granted["SaveCheckpoints"]["Action"] == [
        "s3:AbortMultipartUpload",
        "s3:ListMultipartUploadParts",
        "s3:PutObject",
    ]
    assert key_actions(granted) == ["kms:Decrypt", "kms:GenerateDataKey"]


def test_a_checkpoint_writer_keeps_to_the_namespace_of_its_pod() -> None:
    granted = by_sid(checkpoint_writer.statements(HOME, BUCKET, KEY, prunes=True))

    assert granted["ListPrefix"]["Condition"] == {"StringLike": {"s3:prefix": f"{OWN}*"}}
    for sid in ("SaveCheckpoints", "ResumeFromCheckpoints", "PruneCheckpoints"):
        assert granted[sid]["Resource"] == [f"{BUCKET}/{OWN}*"]


def test_only_a_job_that_prunes_deletes_checkpoints() -> None:
    assert "PruneCheckpoints" not in by_sid(checkpoint_writer.statements(HOME, BUCKET, KEY))
    assert by_sid(checkpoint_writer.statements(HOME, BUCKET, KEY, prunes=True))["PruneCheckpoints"]["Action"] == [
        "s3:DeleteObject"
    ]


def test_an_artifact_that_is_written_once_cannot_be_overwritten_but_uploaded_in_parts() -> None:
    granted = by_sid(artifact_publisher.statements(HOME, BUCKET, KEY, write_once=True))

    assert granted["RefuseOverwriting"] == {
        "Sid": "RefuseOverwriting",
        "Effect": "Deny",
        "Action": ["s3:PutObject"],
        "Resource": [f"{BUCKET}/{OWN}*"],
        "Condition": {"Bool": {"s3:ObjectCreationOperation": "true"}, "Null": {"s3:if-none-match": "true"}},
    }


def test_nobody_but_the_user_of_scratch_deletes_by_default() -> None:
    def deletes(statements: dict[str, dict[str, Any]]) -> bool:
        return any("s3:DeleteObject" in statement["Action"] for statement in statements.values())

    for module in (dataset_reader, checkpoint_writer, artifact_publisher, mountpoint_s3_csi):
        assert not deletes(by_sid(module.statements(HOME, BUCKET, KEY)))
    assert deletes(by_sid(scratch_user.statements(HOME, BUCKET, KEY)))


def test_a_mount_is_read_only_unless_it_writes() -> None:
    assert key_actions(by_sid(mountpoint_s3_csi.statements(HOME, BUCKET, KEY))) == ["kms:Decrypt"]
    writing = by_sid(mountpoint_s3_csi.statements(HOME, BUCKET, KEY, writes=True))
    assert key_actions(writing) == ["kms:Decrypt", "kms:GenerateDataKey"]
    express = HOME.arn("s3express", "bucket/fast--use1-az4--x-s3")
    (session,) = mountpoint_s3_csi.directory_bucket(HOME, express)
    assert session.as_dict()["Condition"] == {"StringEquals": {"s3express:SessionMode": "ReadOnly"}}
    (session,) = mountpoint_s3_csi.directory_bucket(HOME, express, writes=True)
    assert "Condition" not in session.as_dict()


@pytest.mark.parametrize("prefix", ["team", "/team/", "*/", "team-?/", "a//", "${aws:username}/", ".."])
def test_a_prefix_that_is_no_path_is_refused(prefix: str) -> None:
    with pytest.raises(ValueError, match="prefix: .* is not allowed; path parts"):
        bucket_access.objects("Read", BUCKET, prefix, ["s3:GetObject"])


@pytest.mark.parametrize(
    ("bucket", "key"), [("arn:aws:s3:::*", KEY), ("data", KEY), (BUCKET, HOME.arn("kms", "key/*"))]
)
def test_a_grant_names_one_bucket_and_one_key(bucket: str, key: str) -> None:
    with pytest.raises(ValueError, match="does not name one resource; allowed is a full ARN"):
        dataset_reader.statements(HOME, bucket, key)


def test_a_key_in_china_is_used_through_either_spelling_of_the_service() -> None:
    assert PLACES["aws-cn"].via("s3") == ["s3.cn-north-1.amazonaws.com", "s3.cn-north-1.amazonaws.com.cn"]
    assert PLACES["aws-us-gov"].via("s3") == ["s3.us-gov-west-1.amazonaws.com"]

"""The guide's own code, run against KMS and S3 in memory, and the grant that it speaks of."""

import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from cryptography.exceptions import InvalidTag
from moto import mock_aws

from components.storage import client_side_encryption
from tests.components.builds import KEY

GUIDE = (Path(__file__).parents[3] / "docs" / "guides" / "client-side-encryption.md").read_text()
SHARDS = [b"weights of rank 0", b"weights of rank 1"]


@pytest.fixture(scope="module")
def guide() -> dict[str, Any]:
    namespace: dict[str, Any] = {}
    for block in re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL):
        exec(compile(block, "client-side-encryption.md", "exec"), namespace)
    return namespace


@pytest.fixture
def cloud(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Any, Any, str]]:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "testing")
    with mock_aws():
        boto3: Any = importlib.import_module("boto3")  # ships no types
        s3, kms = (boto3.client(service, region_name="us-east-1") for service in ("s3", "kms"))
        s3.create_bucket(Bucket="checkpoints")
        yield s3, kms, kms.create_key()["KeyMetadata"]["Arn"]


def test_what_is_saved_can_be_loaded_and_is_not_to_be_seen_in_the_bucket(
    guide: dict[str, Any], cloud: tuple[Any, Any, str]
) -> None:
    s3, kms, key = cloud
    guide["save_step"](s3, kms, "checkpoints", key, "vision", 100, SHARDS)

    assert guide["load_step"](s3, kms, "checkpoints", "vision", 100, 2) == SHARDS
    for item in s3.list_objects_v2(Bucket="checkpoints")["Contents"]:
        assert b"weights" not in s3.get_object(Bucket="checkpoints", Key=item["Key"])["Body"].read()


def test_another_workspaces_context_opens_nothing(guide: dict[str, Any], cloud: tuple[Any, Any, str]) -> None:
    s3, kms, key = cloud
    guide["save_step"](s3, kms, "checkpoints", key, "vision", 100, SHARDS)
    stranger = guide["Checkpoint"](s3, kms, "checkpoints", "vision/step-100", {"workspace": "speech"})

    with pytest.raises(kms.exceptions.InvalidCiphertextException):
        stranger.open()


@pytest.mark.parametrize("tamper", ["changed", "moved"])
def test_a_file_that_was_changed_or_put_in_anothers_place_is_noticed(
    guide: dict[str, Any], cloud: tuple[Any, Any, str], tamper: str
) -> None:
    s3, kms, key = cloud
    guide["save_step"](s3, kms, "checkpoints", key, "vision", 100, SHARDS)
    first = s3.get_object(Bucket="checkpoints", Key="vision/step-100/shard-0")["Body"].read()
    second = s3.get_object(Bucket="checkpoints", Key="vision/step-100/shard-1")["Body"].read()
    body = {"changed": first[:-1] + bytes([first[-1] ^ 1]), "moved": second}[tamper]
    s3.put_object(Bucket="checkpoints", Key="vision/step-100/shard-0", Body=body)

    with pytest.raises(InvalidTag):
        guide["load_step"](s3, kms, "checkpoints", "vision", 100, 2)


def test_the_guide_shows_the_grant_that_the_code_makes() -> None:
    (shown,) = re.findall(r"```yaml\n(.*?)```", GUIDE, re.DOTALL)
    (statement,) = client_side_encryption.statements(KEY, {"workspace": "vision"})

    made = statement.as_dict()
    assert {key: value for key, value in yaml.safe_load(shown).items() if key != "Resource"} == {
        key: value for key, value in made.items() if key not in ("Sid", "Resource")
    }
    assert made["Resource"] == [KEY]


def test_who_only_reads_can_have_no_new_data_keys_made() -> None:
    (statement,) = client_side_encryption.statements(KEY, {"workspace": "vision", "run": "7"}, read_only=True)

    assert statement.actions == ["kms:Decrypt"]
    assert statement.conditions == {
        "StringEquals": {"kms:EncryptionContext:run": "7", "kms:EncryptionContext:workspace": "vision"},
        "ForAllValues:StringEquals": {"kms:EncryptionContextKeys": ["run", "workspace"]},
    }


def test_a_grant_for_no_context_is_refused_because_it_would_be_for_every_one() -> None:
    with pytest.raises(ValueError, match="context: is empty; name at least whose data it is"):
        client_side_encryption.statements(KEY, {})

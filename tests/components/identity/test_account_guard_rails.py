from typing import Any

import pulumi_aws as aws

from components.identity.account_guard_rails import AccountGuardRails, AccountGuardRailsArgs
from tests.components import builds
from tests.harness import record

KEY = "aws:ebs/defaultKmsKey:DefaultKmsKey"
EVERYTHING: dict[str, dict[str, Any]] = {
    "aws:ebs/encryptionByDefault:EncryptionByDefault": {"enabled": True},
    "aws:ebs/snapshotBlockPublicAccess:SnapshotBlockPublicAccess": {"state": "block-all-sharing"},
    "aws:ec2/imageBlockPublicAccess:ImageBlockPublicAccess": {"state": "block-new-sharing"},
    "aws:ec2/instanceMetadataDefaults:InstanceMetadataDefaults": {
        "httpEndpoint": "enabled",
        "httpTokens": "required",
        "httpPutResponseHopLimit": 1,
    },
    "aws:s3/accountPublicAccessBlock:AccountPublicAccessBlock": {
        "accountId": builds.ACCOUNT,
        "blockPublicAcls": True,
        "blockPublicPolicy": True,
        "ignorePublicAcls": True,
        "restrictPublicBuckets": True,
    },
}


def build(**changes: Any) -> AccountGuardRails:
    defaults: dict[str, Any] = {"account_id": builds.ACCOUNT}
    return AccountGuardRails("rails", AccountGuardRailsArgs(**(defaults | changes)))


def test_volumes_are_encrypted_metadata_is_guarded_and_nothing_is_shared_with_the_public() -> None:
    assert {r.type: r.inputs for r in record(build).resources if r.custom} == EVERYTHING


def test_in_a_further_region_the_accounts_own_setting_is_left_to_the_first() -> None:
    types = {r.type for r in record(lambda: build(guards_s3=False)).resources if r.custom}

    assert types == EVERYTHING.keys() - {"aws:s3/accountPublicAccessBlock:AccountPublicAccessBlock"}


def test_the_rails_outlive_the_stack_since_others_rely_on_them() -> None:
    recorded = record(lambda: build(ebs_key_arn=builds.KEY))

    kept = {r.name for r in recorded.resources if r.options.get("retainOnDelete")}
    assert {r.name for r in recorded.resources if r.custom} - kept == {"rails-ebs-key"}


def test_the_default_key_goes_back_to_awss_own_before_the_stacks_key_goes() -> None:
    def stack() -> None:
        key = aws.kms.Key("key")
        build(ebs_key_arn=key.arn)

    recorded = record(stack)

    default = recorded.one(KEY)
    assert default.inputs == {"keyArn": recorded.one("aws:kms/key:Key").outputs["arn"]}
    assert recorded.one("aws:kms/key:Key").urn in default.dependencies
    assert "retainOnDelete" not in default.options


def test_without_a_key_awss_own_stays_the_default() -> None:
    assert record(build).all(KEY) == []


def test_a_preview_registers_what_the_update_registers() -> None:
    previewed, updated = (record(lambda: build(ebs_key_arn=builds.KEY), preview=preview) for preview in (True, False))

    assert [r.urn for r in previewed.resources] == [r.urn for r in updated.resources]

from typing import Any

import pulumi_aws as aws

from policies.rules.efs_encrypted_with_own_key import RULE
from tests.policies.judging import later, messages


def _efs(encrypted: Any = None, key: Any = None) -> None:
    aws.efs.FileSystem("efs", encrypted=encrypted, kms_key_id=key)


def test_files_in_the_clear_are_reported(preview: bool) -> None:
    assert messages(RULE, _efs, preview=preview) == ["efs: encrypted is not set (AWS default false); it must be true."]


def test_amazons_own_key_is_reported(preview: bool) -> None:
    assert messages(RULE, lambda: _efs(True), preview=preview) == [
        "efs: kmsKeyId is not set (AWS default aws/elasticfilesystem); it must name a KMS key of your own."
    ]


def test_a_key_of_ones_own_is_quiet(preview: bool) -> None:
    assert messages(RULE, lambda: _efs(True, later("arn:k")), preview=preview) == []


def test_an_unknown_flag_is_quiet_until_it_is_known() -> None:
    assert messages(RULE, lambda: _efs(later(False), "arn:k"), preview=True) == []
    assert messages(RULE, lambda: _efs(later(False), "arn:k")) == [
        "efs: encrypted is false (AWS default false); it must be true."
    ]

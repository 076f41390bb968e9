from typing import Any

import pulumi_aws as aws
import pytest

from policies.rules.fsx_encrypted_with_own_key import RULE
from tests.policies.judging import later, messages

FAULT = ["lustre: kmsKeyId is not set (AWS default aws/fsx); it must name a KMS key of your own."]


def _lustre(deployment: Any, key: Any = None) -> None:
    aws.fsx.LustreFileSystem(
        "lustre", subnet_ids="subnet-1", storage_capacity=1200, deployment_type=deployment, kms_key_id=key
    )


@pytest.mark.parametrize("deployment", ["PERSISTENT_1", "PERSISTENT_2"])
def test_a_persistent_file_system_without_a_key_of_its_own_is_reported(deployment: str, preview: bool) -> None:
    assert messages(RULE, lambda: _lustre(deployment), preview=preview) == FAULT


def test_a_key_even_an_unknown_one_and_scratch_which_takes_none_are_quiet(preview: bool) -> None:
    assert messages(RULE, lambda: _lustre("PERSISTENT_2", later("arn:k")), preview=preview) == []
    assert messages(RULE, lambda: _lustre("SCRATCH_2"), preview=preview) == []
    assert messages(RULE, lambda: _lustre(None), preview=preview) == []


def test_the_other_kinds_of_file_system_are_read(preview: bool) -> None:
    def build() -> None:
        aws.fsx.OpenZfsFileSystem(
            "lustre", subnet_ids="subnet-1", deployment_type="SINGLE_AZ_1", throughput_capacity=64, storage_capacity=64
        )

    assert messages(RULE, build, preview=preview) == FAULT


def test_an_unknown_deployment_is_quiet_until_it_is_known() -> None:
    assert messages(RULE, lambda: _lustre(later("PERSISTENT_2")), preview=True) == []
    assert messages(RULE, lambda: _lustre(later("PERSISTENT_2"))) == FAULT

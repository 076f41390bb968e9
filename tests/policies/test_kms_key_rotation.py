import pulumi_aws as aws
import pytest

from policies.rules.kms_key_rotation import RULE
from tests.policies.judging import later, messages


@pytest.mark.parametrize(("setting", "found"), [(None, "not set"), (False, "false")])
def test_a_key_that_never_changes_is_reported(setting: bool | None, found: str, preview: bool) -> None:
    def build() -> None:
        aws.kms.Key("key", enable_key_rotation=setting, policy=later("{}"))

    assert messages(RULE, build, preview=preview) == [
        f"key: enableKeyRotation is {found} (AWS default false); it must be true."
    ]


def test_a_rotating_key_and_one_that_cannot_rotate_are_quiet(preview: bool) -> None:
    def build() -> None:
        aws.kms.Key("key", enable_key_rotation=True)
        aws.kms.Key("signing", key_usage="SIGN_VERIFY", customer_master_key_spec="RSA_4096")

    assert messages(RULE, build, preview=preview) == []


def test_an_unknown_setting_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        aws.kms.Key("key", enable_key_rotation=later(False))

    assert messages(RULE, build, preview=True) == []
    assert len(messages(RULE, build)) == 1

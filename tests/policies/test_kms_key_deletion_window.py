from typing import Any

import pulumi_aws as aws
import pytest

from policies.rules.kms_key_deletion_window import RULE
from tests.policies.judging import later, messages


def _key(days: Any) -> None:
    aws.kms.Key("key", deletion_window_in_days=days)


def _fault(days: int, least: int = 14) -> list[str]:
    return [f"key: deletionWindowInDays is {days} (AWS default 30); it must be at least {least}."]


@pytest.mark.parametrize("days", [7, 13])
def test_a_short_window_is_reported(days: int, preview: bool) -> None:
    assert messages(RULE, lambda: _key(days), preview=preview) == _fault(days)


@pytest.mark.parametrize("days", [14, 30, None])
def test_two_weeks_more_and_the_default_are_quiet(days: int | None, preview: bool) -> None:
    assert messages(RULE, lambda: _key(days), preview=preview) == []


def test_the_least_window_is_a_setting(preview: bool) -> None:
    assert messages(RULE, lambda: _key(7), preview=preview, config={"min_days": 7}) == []
    assert messages(RULE, lambda: _key(20), preview=preview, config={"min_days": 30}) == _fault(20, 30)


def test_an_unknown_window_is_quiet_until_it_is_known() -> None:
    assert messages(RULE, lambda: _key(later(7)), preview=True) == []
    assert messages(RULE, lambda: _key(later(7))) == _fault(7)

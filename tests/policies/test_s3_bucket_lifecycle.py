from typing import Any

import pulumi_aws as aws
import pytest

from policies.rules.s3_bucket_lifecycle import RULE
from tests.policies.judging import later, messages

MUST = "an enabled rule for the whole bucket must abort incomplete multipart uploads after 30 days at most."
LATE = [f"life: no rule aborts incomplete uploads in time; {MUST}"]


def _rule(days: Any = 7, **changes: Any) -> dict[str, Any]:
    abort = {"abort_incomplete_multipart_upload": {"days_after_initiation": days}} if days else {}
    return {"id": "r", "status": "Enabled", "filter": {"prefix": ""}, **abort, **changes}


def _bucket(*rules: Any) -> None:
    aws.s3.BucketLifecycleConfiguration("life", bucket=aws.s3.Bucket("bucket").id, rules=list(rules))


def test_a_bucket_without_a_lifecycle_is_reported(preview: bool) -> None:
    assert messages(RULE, lambda: aws.s3.Bucket("bucket"), preview=preview) == [
        f"bucket: has no BucketLifecycleConfiguration; {MUST}"
    ]


@pytest.mark.parametrize(
    "rule",
    [
        _rule(None, expiration={"days": 30}),
        _rule(31),
        _rule(status="Disabled"),
        _rule(filter={"prefix": "tmp/"}),
        _rule(filter={"tag": {"key": "a", "value": "b"}}),
    ],
    ids=["expiry-only", "too-late", "disabled", "a-prefix", "a-tag"],
)
def test_a_lifecycle_that_leaves_parts_behind_is_reported(rule: Any, preview: bool) -> None:
    assert messages(RULE, lambda: _bucket(rule), preview=preview) == LATE


@pytest.mark.parametrize("rule", [_rule(), _rule(filter={}), _rule(filter=None), _rule(30)])
def test_one_rule_that_aborts_them_is_enough(rule: Any, preview: bool) -> None:
    assert messages(RULE, lambda: _bucket(_rule(None, expiration={"days": 30}), rule), preview=preview) == []


def test_the_old_inline_form_is_read(preview: bool) -> None:
    def build(**rule: Any) -> None:
        inline: Any = {"enabled": True, **rule}
        aws.s3.Bucket("life", lifecycle_rules=[inline])

    assert messages(RULE, lambda: build(abort_incomplete_multipart_upload_days=7), preview=preview) == []
    assert messages(RULE, lambda: build(), preview=preview) == LATE


def test_the_days_are_a_setting(preview: bool) -> None:
    found = messages(RULE, lambda: _bucket(_rule(7)), preview=preview, config={"max_days": 3})
    assert found == [LATE[0].replace("30 days", "3 days")]


def test_unknown_days_are_quiet_until_they_are_known() -> None:
    assert messages(RULE, lambda: _bucket(_rule(later(90))), preview=True) == []
    assert messages(RULE, lambda: _bucket(_rule(later(90)))) == LATE

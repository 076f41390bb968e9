import pulumi
import pulumi_aws as aws
from pulumi_policy import EnforcementLevel

from policies.rules.s3_bucket_access_logs import RULE
from tests.policies.judging import later, messages

FAULT = "has no BucketLogging; who reads and writes it should be logged into a bucket of its own."


def _stack(*, logged: bool) -> None:
    logs, data = aws.s3.Bucket("logs"), aws.s3.Bucket("data")
    aws.s3.Bucket("other")
    if logged:
        aws.s3.BucketLogging("data", bucket=data.id, target_bucket=logs.id, target_prefix="data/")


def test_where_one_bucket_is_logged_every_other_but_the_logs_must_be(preview: bool) -> None:
    assert messages(RULE, lambda: _stack(logged=True), preview=preview) == [f"other: {FAULT}"]


def test_a_bucket_of_another_region_is_left_alone_where_that_region_logs_nothing(preview: bool) -> None:
    def build() -> None:
        _stack(logged=True)
        aws.s3.Bucket("copy", region="eu-west-1")

    assert messages(RULE, build, preview=preview) == [f"other: {FAULT}"]


def test_a_stack_that_must_log_is_told_of_every_bucket(preview: bool) -> None:
    assert messages(RULE, lambda: _stack(logged=False), preview=preview, config={"required": True}) == [
        f"{name}: {FAULT}" for name in ("data", "logs", "other")
    ]


def test_a_stack_without_a_bucket_for_logs_is_quiet_by_default_and_so_is_the_inline_form(preview: bool) -> None:
    def inline() -> None:
        logs = aws.s3.Bucket("logs")
        aws.s3.Bucket("data", logging={"target_bucket": logs.id, "target_prefix": "data/"})

    assert messages(RULE, lambda: _stack(logged=False), preview=preview) == []
    assert messages(RULE, inline, preview=preview) == []


def test_it_is_only_an_advice_since_a_trail_may_tell_the_same() -> None:
    assert RULE.enforcement_level is EnforcementLevel.ADVISORY


def test_a_target_outside_the_stack_or_unknown_counts_as_one(preview: bool) -> None:
    def build() -> None:
        data = aws.s3.Bucket("data")
        aws.s3.BucketLogging("data", bucket=data.id, target_bucket=later("central-logs"), target_prefix="data/")
        aws.s3.Bucket("other")

    assert messages(RULE, build, preview=preview) == [f"other: {FAULT}"]


def test_a_bucket_that_is_unknown_is_taken_for_any_it_may_be() -> None:
    def build() -> None:
        buckets = [aws.s3.Bucket(name) for name in ("data", "other")]
        chosen = pulumi.Output.all(*(bucket.id for bucket in buckets)).apply(lambda ids: ids[0])
        aws.s3.BucketLogging("data", bucket=chosen, target_bucket="central-logs", target_prefix="data/")

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == [f"other: {FAULT}"]

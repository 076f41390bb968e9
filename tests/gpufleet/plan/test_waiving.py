"""What waivers do to violations, on the day before, on the day and on the day after."""

from datetime import date

import pytest

from gpufleet.plan import waiving
from gpufleet.plan.violations import Violation
from gpufleet.plan.waivers import Waiver

DAY = date(2027, 1, 31)
STACK = waiving.stack_urn("prod", "fleet")
URN = "urn:pulumi:prod::fleet::aws:s3/bucket:Bucket::scratch"


def violation(rule: str = "some-rule", urn: str = URN, level: str = "mandatory") -> Violation:
    return Violation(rule, urn, "found it", level, "high", "mend it")


def waiver(rule: str = "some-rule", resource: str = "scratch", expires: date | None = DAY) -> Waiver:
    return Waiver(
        rule=rule,
        resource=resource,
        reason="made again by every job",
        owner="ml-platform",
        expires=expires,
        origin="Pulumi.prod.yaml: waivers.0",
    )


def judged(found: Violation, *waivers: Waiver, today: date = DAY) -> list[Violation]:
    return waiving.apply([found], waivers, stack=STACK, today=today)


def test_a_waived_violation_stays_marked_and_does_not_fail():
    [found] = judged(violation(), waiver())
    assert not found.mandatory
    assert found.as_document() == {
        "rule": "some-rule",
        "level": "mandatory",
        "severity": "high",
        "urn": URN,
        "message": "found it",
        "fix": "mend it",
        "waiver": {
            "rule": "some-rule",
            "resource": "scratch",
            "reason": "made again by every job",
            "owner": "ml-platform",
            "expires": "2027-01-31",
        },
    }


def test_one_that_ended_is_a_violation_itself_and_what_it_waived_counts_again():
    expired, found = sorted(judged(violation(), waiver(), today=date(2027, 2, 1)), key=lambda v: v.rule, reverse=True)
    assert (found.rule, found.waiver, found.mandatory) == ("some-rule", None, True)
    assert (expired.rule, expired.level, expired.urn, expired.mandatory) == ("waiver-expired", "mandatory", "", True)
    assert expired.message == (
        "Pulumi.prod.yaml: waivers.0: the waiver of some-rule on scratch by ml-platform ended on 2027-01-31: made "
        "again by every job"
    )


def test_one_that_ended_gives_way_to_one_in_force():
    later = waiver(expires=date(2027, 6, 30))
    found = judged(violation(), waiver(), later, today=date(2027, 2, 1))
    assert [(v.rule, v.waiver) for v in found] == [("some-rule", later), ("waiver-expired", None)]


@pytest.mark.parametrize("unused", [waiver(resource="other"), waiver(rule="other-rule")])
def test_one_that_waives_nothing_is_an_advisory(unused: Waiver):
    found = {v.rule: v for v in judged(violation(), unused)}
    assert found["some-rule"].mandatory
    assert (found["waiver-unused"].level, found["waiver-unused"].mandatory) == ("advisory", False)
    assert found["waiver-unused"].message.endswith("nothing that it covers violates the rule")


def test_a_second_one_of_the_same_is_not_called_unused():
    assert [v.rule for v in judged(violation(), waiver(), waiver(resource="*"))] == ["some-rule"]


def test_an_exception_without_a_day_waives_and_is_never_called_unused():
    exception = waiver(resource=URN, expires=None)
    assert [v.waiver for v in judged(violation(), exception, today=date.max)] == [exception]
    assert [v.rule for v in judged(violation("other-rule"), exception)] == ["other-rule"]


def test_a_violation_of_the_whole_stack_is_the_stack_resources():
    whole = violation(urn="")
    assert judged(whole, waiver(resource="fleet-prod"))[0].waiver is not None
    assert judged(whole, waiver(resource=STACK))[0].waiver is not None
    assert judged(whole, waiver(resource="scratch"))[0].waiver is None


@pytest.mark.parametrize("rule", ["plan-preview-equals-update", "waiver-expired"])
def test_what_the_verdict_rests_on_is_never_waived(rule: str):
    assert judged(violation(rule), waiver(rule))[0].waiver is None


def test_a_rule_that_was_not_judged_leaves_its_waivers_alone():
    assert waiving.apply([], [waiver()], stack=STACK, today=DAY, rules={"other-rule"}) == []


def test_a_mistyped_rule_is_told_with_the_nearest():
    [found] = waiving.misnamed([waiver(rule="s3-bucket-version")], {"s3-bucket-versioned", "kms-key-rotation"})
    assert found.message.endswith(": there is no such rule; did you mean s3-bucket-versioned?")
    assert waiving.misnamed([waiver()], {"some-rule"}) == []

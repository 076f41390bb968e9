"""The mutation test of the pack: what it changes, and that the pack sees enough of it."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from gpufleet.plan import police
from tools.mutation import decisions, documents, operators, report, scoring
from tools.mutation.judging import Court
from tools.mutation.mutants import distinct, generate
from tools.mutation.values import ABSENT, changed, pattern, places

ROOT = Path(__file__).resolve().parents[2]
STACKS = scoring.stacks(ROOT)


def _document(**statement: object) -> str:
    return json.dumps({"Version": "2012-10-17", "Statement": [statement]})


def test_a_place_is_changed_and_its_neighbours_are_not() -> None:
    value = {"rules": [{"status": "Enabled", "id": "a"}, {"status": "Enabled"}]}
    assert changed(value, ("rules", 0, "status"), "Disabled")["rules"][0] == {"status": "Disabled", "id": "a"}
    assert changed(value, ("rules", 1), ABSENT) == {"rules": [{"status": "Enabled", "id": "a"}]}
    assert value["rules"][0]["status"] == "Enabled"


def test_places_are_named_alike_for_every_item_of_a_list() -> None:
    assert [pattern(place) for place, _ in places({"a": [{"b": 1}, {"b": 2}]})] == ["a", "a[]", "a[].b", "a[]", "a[].b"]


@pytest.mark.parametrize(
    ("operator", "value", "made"),
    [
        ("flip", True, False),
        ("flip", "true", "false"),
        ("times:100", 4, 400),
        ("times:100", "200Gi", "20000Gi"),
        ("times:0.01", "160000.00", "1600"),
        ("open", "10.0.0.0/8", "0.0.0.0/0"),
        ("open", "fc00::/7", "::/0"),
        ("empty", ["a"], []),
        ("=Suspended", "Enabled", "Suspended"),
        ("with:operator=NotIn", {"operator": "In"}, {"operator": "NotIn"}),
        ("add:b", ["a"], ["a", "b"]),
        ("remove", 1, ABSENT),
    ],
)
def test_an_operator_makes_a_value_weaker(operator: str, value: object, made: object) -> None:
    assert list(operators.changes(operator, ("key",), value)) == [(operator, ((("key",), made),))]


@pytest.mark.parametrize(("operator", "value"), [("flip", "x"), ("=a", "a"), ("empty", []), ("open", "0.0.0.0/0")])
def test_an_operator_that_changes_nothing_makes_no_mutant(operator: str, value: object) -> None:
    assert list(operators.changes(operator, ("key",), value)) == []


def test_a_grant_is_widened_in_each_of_its_limits() -> None:
    text = _document(
        Sid="S",
        Effect="Allow",
        Action=["s3:GetObject"],
        Resource=["arn:aws:s3:::b/*"],
        Condition={"StringEquals": {"aws:SourceAccount": "111122223333", "aws:PrincipalOrgID": "o-1"}},
    )
    assert [what for what, _ in documents.weaker(text)] == [
        "S: Action *",
        "S: Action s3:*",
        "S: Resource *",
        "S: Condition removed",
        "S: Condition aws:SourceAccount removed",
        "S: Condition aws:SourceAccount like *",
        "S: Condition aws:PrincipalOrgID removed",
        "S: Condition aws:PrincipalOrgID like *",
    ]


def test_a_refusal_is_removed_and_made_to_hold_never() -> None:
    text = _document(
        Effect="Deny", Principal="*", Action="s3:*", Resource="*", Condition={"Bool": {"aws:SecureTransport": "false"}}
    )
    assert [what for what, _ in documents.weaker(text)] == [
        "statement 1: Deny removed",
        "statement 1: Deny narrowed by aws:SecureTransport that never holds",
    ]


def test_what_changes_nothing_in_a_document_is_left_alone() -> None:
    arn = "arn:aws:eks:us-east-1:111122223333:cluster/c"
    text = _document(
        Effect="Allow",
        Principal="*",
        Action="kms:*",
        Resource="b",
        Condition={"StringEquals": {"aws:SourceAccount": "111122223333"}, "ArnLike": {"aws:SourceArn": arn}},
    )
    assert [what for what, _ in documents.weaker(text, of_resource=True)] == [
        "statement 1: Condition removed",
        "statement 1: Condition aws:SourceArn removed",
        "statement 1: Condition aws:SourceArn like *",
    ]


def test_every_entry_of_the_tables_gives_a_reason() -> None:
    entries = [*decisions.table("relevant"), *decisions.table("ignored")]
    assert [entry for entry in entries if len(entry.why) < 5] == []
    assert [one for one in scoring.accepted() if len(one.why) < 20] == []


@pytest.mark.slow
@pytest.mark.parametrize("stack", STACKS)
def test_the_pack_sees_what_is_made_weaker(stack: str) -> None:
    """A sample of each stack: every input is decided, every survivor accounted for, and few survive."""
    score = scoring.score(ROOT, stack, sample=250, seed=11, processes=1)
    assert report.undecided([score]) == []
    assert report.unaccounted([score]) == []
    assert report.share([score]) >= 0.92  # of a sample; `make mutate` holds all of them to 95 %


@pytest.mark.slow
def test_judging_a_mutant_alone_says_what_judging_the_whole_run_says() -> None:
    run = scoring.of(ROOT, "dev")
    rules = police.load_pack(ROOT / "policies")
    court = Court(rules, run)
    for mutant in list(distinct(generate(run).mutants))[::60]:
        others = tuple(r for r in run.resources if r.urn != mutant.original.urn)
        resources = others if mutant.resource is None else (*others, mutant.resource)
        whole = {(v.rule, v.urn, v.message) for v in police.judge(rules, replace(run, resources=resources))}
        assert bool(whole - court.before) == (court.sees(mutant) is not None), mutant.label

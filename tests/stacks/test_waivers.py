"""A waiver in the settings: what is taken, and how a wrong one is answered."""

from collections.abc import Mapping
from typing import Any

import pytest
from pydantic import ValidationError

from gpufleet.plan import waivers as offline
from stacks.settings import waivers
from stacks.settings.mistakes import explain
from stacks.settings.waivers import Waiver

GIVEN = {
    "rule": "s3-bucket-versioned",
    "resource": "*-scratch",
    "reason": "made again by every job",
    "owner": "ml-platform",
    "expires": "2027-01-31",
}


def test_a_waiver_is_kept_as_it_is_written():
    assert Waiver.model_validate(GIVEN).model_dump() == GIVEN


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"rule": "all"},
            "waiver.rule: 'all'\n  allowed: the id of one rule, such as s3-bucket-versioned\n  fix: copy it",
        ),
        (
            {"rule": "waiver-expired"},
            "waiver.rule: 'waiver-expired'\n  allowed: any rule but plan-preview-equals-update",
        ),
        (
            {"reason": "  because   "},
            "waiver.reason: '  because   '\n  allowed: at least 10 characters\n  fix: say why",
        ),
        ({"owner": " "}, "waiver.owner: ' '\n  allowed: a team or a person\n  fix: name who answers for it"),
        ({"expires": "31.1.2027"}, "waiver.expires: '31.1.2027'\n  allowed: a quoted date, YYYY-MM-DD\n  fix: write"),
        ({"expires": "20270131"}, "waiver.expires: '20270131'\n  allowed: a quoted date"),
        ({"resource": ""}, "waiver.resource: ''\n  allowed: at least 1 characters"),
        ({"until": "2027"}, "waiver.until: no such setting\n  allowed: rule, resource, reason, owner, expires"),
    ],
)
def test_a_wrong_one_is_answered_with_path_value_allowed_and_fix(change: Mapping[str, Any], message: str):
    given = {**GIVEN, **change}
    with pytest.raises(ValidationError) as refused:
        Waiver.model_validate(given)
    assert message in str(explain(refused.value, Waiver, "waiver", given))


def test_the_settings_refuse_what_the_judges_refuse():
    """Two readers of one thing: the program's own, and the one that judges any program."""
    assert waivers.SHORTEST_REASON == offline.SHORTEST_REASON
    for rule in offline.NOT_WAIVABLE:
        with pytest.raises(ValidationError):
            Waiver.model_validate({**GIVEN, "rule": rule})

"""Fires where the configuration hands it a waiver whose day is over."""

from collections.abc import Mapping
from typing import Any

import pytest

from policies.rules.waiver_expired import RULE
from tests.harness import violations

WAIVER = {
    "rule": "kms-key-rotation",
    "resource": "imported",
    "reason": "KMS cannot rotate imported material",
    "owner": "security",
    "expires": "2027-01-31",
    "origin": "Pulumi.prod.yaml: gpufleet:waivers.0",
}
TOLD = (
    "Pulumi.prod.yaml: gpufleet:waivers.0: the waiver of kms-key-rotation on imported by security ended on 2027-01-31: "
    "KMS cannot rotate imported material"
)


def found(*waivers: Mapping[str, Any], today: str, preview: bool) -> list[tuple[str, str]]:
    return violations(RULE, lambda: None, config={"today": today, "waivers": list(waivers)}, preview=preview)


def test_a_waiver_that_ended_is_told(preview: bool):
    assert found(WAIVER, today="2027-02-01", preview=preview) == [("", TOLD)]


def test_a_waiver_holds_on_its_last_day():
    assert found(WAIVER, today="2027-01-31", preview=False) == []


@pytest.mark.parametrize("expires", [None, "soon"])
def test_what_has_no_day_does_not_end(expires: str | None):
    assert found({**WAIVER, "expires": expires}, today="2099-01-01", preview=False) == []


def test_a_stack_without_waivers_has_none_that_ended():
    assert violations(RULE, lambda: None) == []

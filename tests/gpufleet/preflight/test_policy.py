"""The IAM policy that a preflight needs: read-only, complete, and nothing more."""

import json
from pathlib import Path
from typing import Any

from policy_sentry.querying.actions import get_action_data

from gpufleet.preflight import suggest
from gpufleet.preflight.checks import CHECKS

ROOT = Path(__file__).parents[3]
POLICY = ROOT / "docs/security/preflight-policy.json"
PAGE = ROOT / "docs/reference/preflight.md"


def statements() -> dict[str, list[str]]:
    document: dict[str, Any] = json.loads(POLICY.read_text())
    return {one["Sid"]: one["Action"] for one in document["Statement"]}


def sid(check: str) -> str:
    return "Preflight" + "".join(part.capitalize() for part in check.split("-"))


def test_each_check_has_a_statement_with_what_it_asks() -> None:
    expected = {sid(check.name): sorted(set(check.permissions)) for check in CHECKS}
    assert statements() == {**expected, "PreflightSuggest": sorted(suggest.PERMISSIONS)}


def test_every_action_exists_and_only_reads() -> None:
    for action in {action for actions in statements().values() for action in actions}:
        service, name = action.split(":")
        found: Any = get_action_data(service, name)
        assert found, action
        levels = {row["access_level"] for row in found[service] if row["action"].lower() == action.lower()}
        assert levels <= {"List", "Read"}, (action, levels)


def test_the_reference_names_every_check() -> None:
    text = PAGE.read_text()
    assert [check.name for check in CHECKS if f"| `{check.name}` |" not in text] == []

"""The reference names every rule as the code has it."""

from pathlib import Path

from gpufleet.lint.rules import RULES

PAGE = Path(__file__).parents[3] / "docs/reference/lint.md"


def test_the_page_has_a_row_for_each_rule_in_the_order_of_the_code() -> None:
    rows = [line for line in PAGE.read_text().splitlines() if line.startswith("| `") and line.count(" | ") == 2]
    assert rows == [f"| `{rule.name}` | {rule.severity} | {rule.why} |" for rule in RULES]

"""A waiver whose last day is over hides a risk that nobody answers for any more.

The engine knows exceptions without a day. `gpufleet check --write-policy-config` hands the waivers behind them to this
rule, so that a file that is used too long fails in `pulumi up` as the waivers themselves fail in a plan.
"""

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

from pulumi_policy import EnforcementLevel, PolicyConfigSchema, Severity, StackValidationPolicy

from ._reading import elements, entries
from ._stack import Report, Stack, for_stack


def _check(stack: Stack, report: Report) -> None:
    given = stack.config.get("today")
    today = date.fromisoformat(given) if given else date.today()
    for waiver, day in _dated(stack.config.get("waivers")):
        if today > day:
            what, who = f"{waiver.get('rule')} on {waiver.get('resource')}", waiver.get("owner")
            report(f"{waiver.get('origin')}: the waiver of {what} by {who} ended on {day}: {waiver.get('reason')}", "")


def _dated(waivers: Any) -> Iterator[tuple[Mapping[str, Any], date]]:
    for waiver in map(entries, elements(waivers)):
        try:
            yield waiver, date.fromisoformat(str(waiver.get("expires")))
        except ValueError:
            continue  # whoever wrote the file reads the waivers first and refuses such a day


RULE = StackValidationPolicy(
    name="waiver-expired",
    description="A waiver whose last day is over hides a risk that nobody answers for any more.",
    severity=Severity.HIGH,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["waivers"],
    remediation_steps="Mend what it waived and take it out, or have its owner renew it with a later day and a reason "
    "that holds.",
    url="https://docs.aws.amazon.com/wellarchitected/latest/operational-excellence-pillar/ops_priorities_eval_tradeoffs.html",
    config_schema=PolicyConfigSchema(
        {
            "today": {"type": "string", "default": "", "description": "ISO date to judge by; empty for the real one"},
            "waivers": {"type": "array", "default": [], "description": "The stack's, with rule, owner and expires"},
        }
    ),
    validate=for_stack(_check),
)

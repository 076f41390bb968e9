"""A stack whose ceilings add up to more than was agreed can spend it any night."""

from pulumi_policy import EnforcementLevel, PolicyConfigSchema, Severity, StackValidationPolicy

from ._reading import UNKNOWN, number, read
from ._spend import lines
from ._stack import Report, Stack, for_stack

_MAX_HOURLY_USD = 500
_DEAREST = 3
"""How many lines the message shows."""


def _check(stack: Stack, report: Report) -> None:
    priced: list[tuple[float, str, str]] = []
    for line in lines(stack):
        priced.append((line.usd, f"{line.resource.name} ({line.what}) {line.usd:.2f}", line.resource.urn))
    ceiling, origin = _ceiling(stack)
    total = sum(usd for usd, _, _ in priced)
    if total > ceiling:
        priced.sort(reverse=True)
        dearest = ", ".join(label for _, label, _ in priced[:_DEAREST])
        report(
            f"everything at its ceiling costs {total:.2f} USD an hour; {origin} allows {ceiling:.2f}. Dearest: "
            f"{dearest}.",
            priced[0][2],
        )


def _ceiling(stack: Stack) -> tuple[float, str]:
    """The lowest of what the pack's configuration allows and what the stack's budget promises; else the default."""
    ceilings: list[tuple[float, str]] = []
    if configured := stack.config.get("max_hourly_usd"):
        ceilings.append((float(configured), "max_hourly_usd of this rule"))
    for budget in stack.of("gpufleet:index:SpendBudget"):
        promised = read(budget.props, "maxHourlyUsd")
        if promised is not UNKNOWN and (usd := number(promised)) is not None:
            ceilings.append((usd, f"budget {budget.name}"))
    return min(ceilings, default=(_MAX_HOURLY_USD, "the default of this rule"))


RULE = StackValidationPolicy(
    name="spend-hourly-ceiling",
    description="A stack whose ceilings add up to more than was agreed can spend it any night.",
    severity=Severity.HIGH,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["money"],
    remediation_steps="Lower the ceilings of the dearest pools, or have the budget's max_hourly_usd (and this rule's, "
    "in the pack's configuration) raised by its owner.",
    url="https://docs.aws.amazon.com/wellarchitected/latest/cost-optimization-pillar/governance.html",
    config_schema=PolicyConfigSchema(
        {
            "max_hourly_usd": {
                "type": "number",
                "minimum": 0,
                "default": 0,
                "description": f"USD an hour; 0: what the stack's budget promises, {_MAX_HOURLY_USD} where none does",
            }
        }
    ),
    validate=for_stack(_check),
)

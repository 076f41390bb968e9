"""A budget below what runs day and night is exceeded every month, and soon nobody reads its alerts."""

from typing import Any

from pulumi_policy import EnforcementLevel, PolicyResource, Severity, StackValidationPolicy

from gpufleet.facts import prices

from ._reading import UNKNOWN, number, read, shown
from ._spend import floors
from ._stack import Report, Stack, for_stack


def _check(stack: Stack, report: Report) -> None:
    for budget in stack.of("gpufleet:index:SpendBudget"):
        promised = read(budget.props, "monthlyUsd")
        monthly = None if promised is UNKNOWN else number(promised)
        if monthly is None:
            continue
        found = [(line.usd, line) for line in floors(stack)]
        floor = sum(usd for usd, _ in found) * prices.HOURS_PER_MONTH
        if floor > monthly:
            usd, dearest = max(found, key=lambda entry: entry[0])
            report(
                f"the budget is {monthly:.2f} USD a month, and everything at its floor costs {floor:.2f}; the dearest "
                f"is {dearest.resource.name} ({dearest.what}), {usd * prices.HOURS_PER_MONTH:.2f}.",
                budget.urn,
            )

    for budget in stack.of("aws:budgets/budget:Budget"):
        _check_limit(budget, report)


def _check_limit(budget: PolicyResource, report: Report) -> None:
    """What is promised is what AWS is told to watch."""
    above = budget.parent if budget.parent and budget.parent.resource_type == "gpufleet:index:SpendBudget" else None
    promised, limit = read(above.props, "monthlyUsd") if above else None, read(budget.props, "limitAmount")
    if above is None or UNKNOWN in (promised, limit) or _cents(limit) == _cents(promised):
        return
    report(
        f"limitAmount is {shown(limit)}, and budget {above.name} promises {shown(promised)}; they must be the same.",
        budget.urn,
    )


def _cents(amount: Any) -> int | None:
    """Budgets are kept to the cent."""
    usd = number(amount)
    return None if usd is None else round(usd * 100)


RULE = StackValidationPolicy(
    name="spend-monthly-floor",
    description="A budget below what runs day and night is exceeded every month, and soon nobody reads its alerts.",
    severity=Severity.MEDIUM,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["money"],
    remediation_steps="Raise the budget's monthly_usd to what the floor costs and more, or lower the pools' floors.",
    url="https://docs.aws.amazon.com/cost-management/latest/userguide/budgets-best-practices.html",
    validate=for_stack(_check),
)

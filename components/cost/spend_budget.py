"""A budget on what carries one tag, and the hourly ceiling that policies hold the plan to."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import pulumi
import pulumi_aws as aws

from ..arguments import typed

ALERTS = (("ACTUAL", 80.0), ("FORECASTED", 100.0))
"""Kind of figure, and the per cent of the limit at which mail goes out."""
MOST_RECIPIENTS = 10
"""https://docs.aws.amazon.com/cost-management/latest/userguide/budgets-create.html"""

_EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")


@dataclass(frozen=True, kw_only=True)
class SpendBudgetArgs:
    """What a `SpendBudget` is made from."""

    budget_name: str
    """Unique in the account."""
    monthly_usd: float
    max_hourly_usd: float
    """What the whole stack may cost in an hour with every pool at its ceiling; a promise that policies check."""
    alert_emails: Sequence[str]
    """One to ten addresses."""
    tag_key: str
    """A cost allocation tag, activated in the paying account: until then the budget sees nothing."""
    tag_value: str

    def __post_init__(self) -> None:
        for field, usd in (("monthly_usd", self.monthly_usd), ("max_hourly_usd", self.max_hourly_usd)):
            if usd <= 0:
                raise ValueError(f"{field}: {usd} must be more than 0; give the sum in US dollars")
        if not 1 <= len(self.alert_emails) <= MOST_RECIPIENTS:
            raise ValueError(
                f"alert_emails: {len(self.alert_emails)} addresses; allowed are 1 to {MOST_RECIPIENTS}; "
                "for more, give the address of a mailing list"
            )
        if wrong := [address for address in self.alert_emails if not _EMAIL.fullmatch(address)]:
            raise ValueError(
                f"alert_emails: {', '.join(wrong)} is no e-mail address; write one like gpu-costs@example.com"
            )


class SpendBudget(pulumi.ComponentResource):
    """A monthly AWS budget that writes mail at 80 % spent and at 100 % foreseen.

    Its own inputs carry both ceilings, so that a policy can hold the stack's pools against them. Deliberately not: an
    action that stops anything. AWS counts hours late, so a budget is no switch: pools have ceilings for that.
    """

    budget_name: pulumi.Output[str]

    def __init__(self, name: str, args: SpendBudgetArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        args = typed(args, SpendBudgetArgs)
        ceilings = {"monthlyUsd": args.monthly_usd, "maxHourlyUsd": args.max_hourly_usd}
        super().__init__("gpufleet:index:SpendBudget", name, ceilings, opts)

        budget = aws.budgets.Budget(
            name,
            name=args.budget_name,
            budget_type="COST",
            time_unit="MONTHLY",
            limit_amount=f"{args.monthly_usd:.2f}",
            limit_unit="USD",
            cost_filters=[
                aws.budgets.BudgetCostFilterArgs(name="TagKeyValue", values=[f"user:{args.tag_key}${args.tag_value}"])
            ],
            notifications=[
                aws.budgets.BudgetNotificationArgs(
                    notification_type=kind,
                    comparison_operator="GREATER_THAN",
                    threshold=threshold,
                    threshold_type="PERCENTAGE",
                    subscriber_email_addresses=sorted(set(args.alert_emails)),
                )
                for kind, threshold in ALERTS
            ],
            opts=pulumi.ResourceOptions(parent=self),
        )

        self.budget_name = budget.name
        # Stack policies see a component's outputs, not its inputs.
        self.register_outputs({"budgetName": self.budget_name, **ceilings})

from typing import Any

import pytest

from components import SpendBudgetArgs
from tests.components import builds
from tests.harness import record

BUDGET = "aws:budgets/budget:Budget"


def test_mail_goes_out_at_80_per_cent_spent_and_at_100_per_cent_foreseen() -> None:
    recorded = record(builds.budget(alert_emails=["b@example.com", "a@example.com"]))

    def mail(kind: str, threshold: int) -> dict[str, Any]:
        return {
            "notificationType": kind,
            "comparisonOperator": "GREATER_THAN",
            "threshold": threshold,
            "thresholdType": "PERCENTAGE",
            "subscriberEmailAddresses": ["a@example.com", "b@example.com"],
        }

    assert recorded.one(BUDGET).inputs == {
        "name": "gpufleet-dev",
        "budgetType": "COST",
        "timeUnit": "MONTHLY",
        "limitAmount": "4000.00",
        "limitUnit": "USD",
        "costFilters": [{"name": "TagKeyValue", "values": ["user:gpufleet-stack$dev"]}],
        "notifications": [mail("ACTUAL", 80), mail("FORECASTED", 100)],
    }


def test_the_component_itself_carries_both_ceilings_for_policies_to_see() -> None:
    component = record(builds.budget()).one("gpufleet:index:SpendBudget")

    assert component.inputs == {"monthlyUsd": 4000, "maxHourlyUsd": 60}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"monthly_usd": 0}, "monthly_usd: 0 must be more than 0"),
        ({"max_hourly_usd": -1}, "max_hourly_usd: -1 must be more than 0"),
        ({"alert_emails": []}, "alert_emails: 0 addresses; allowed are 1 to 10"),
        ({"alert_emails": [f"a{n}@example.com" for n in range(11)]}, "alert_emails: 11 addresses; allowed are 1 to 10"),
        ({"alert_emails": ["ann"]}, "alert_emails: ann is no e-mail address"),
    ],
)
def test_a_mistake_is_answered_with_the_value_and_what_is_allowed(changes: dict[str, Any], message: str) -> None:
    args: dict[str, Any] = {
        "budget_name": "b",
        "monthly_usd": 1,
        "max_hourly_usd": 1,
        "alert_emails": ["a@example.com"],
        "tag_key": "k",
        "tag_value": "v",
    }

    with pytest.raises(ValueError, match=message):
        SpendBudgetArgs(**(args | changes))

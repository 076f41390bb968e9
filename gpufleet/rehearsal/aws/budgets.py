"""AWS Budgets: a spending limit and whom to tell."""

from typing import Any

from gpufleet.rehearsal.aws.calls import Aws
from gpufleet.rehearsal.aws.diff import normal
from gpufleet.rehearsal.aws.table import FIXED, PLAIN, SET, AutoName, AwsType, Properties, pick

_NONE = "NotFoundException"


def _budget(inputs: Properties) -> dict[str, Any]:
    limit = {"Amount": inputs["limitAmount"], "Unit": inputs["limitUnit"]} if inputs.get("limitAmount") else None
    filters = {entry["name"]: entry["values"] for entry in inputs.get("costFilters") or ()}
    return {
        "BudgetName": inputs["name"],
        "BudgetType": inputs["budgetType"],
        "TimeUnit": inputs["timeUnit"],
        "BudgetLimit": limit,
        "CostFilters": filters or None,
        "CostTypes": inputs.get("costTypes"),
    }


def _notification(entry: Properties) -> dict[str, Any]:
    told = [("EMAIL", "subscriberEmailAddresses"), ("SNS", "subscriberSnsTopicArns")]
    return {
        "Notification": pick(entry, "comparisonOperator", "notificationType", "threshold", "thresholdType"),
        "Subscribers": [
            {"SubscriptionType": kind, "Address": address} for kind, name in told for address in entry.get(name) or ()
        ],
    }


def _create(aws: Aws, inputs: Properties) -> str:
    account = inputs.get("accountId", aws.account_id)
    notifications = [_notification(entry) for entry in inputs.get("notifications") or ()]
    request = {"AccountId": account, "Budget": _budget(inputs), "NotificationsWithSubscribers": notifications or None}
    aws.call("budgets", "CreateBudget", {**request, "ResourceTags": aws.tags(inputs) or None})
    return f"{account}:{inputs['name']}"


def _named(budget_id: str) -> dict[str, str]:
    account, _, name = budget_id.partition(":")
    return {"AccountId": account, "BudgetName": name}


def _read(aws: Aws, budget_id: str, state: Properties) -> Properties | None:
    if aws.find("budgets", "DescribeBudget", _named(budget_id), _NONE) is None:
        return None
    account, _, name = budget_id.partition(":")
    return {"accountId": account, "arn": f"arn:{aws.partition}:budgets::{account}:budget/{name}", "name": name}


def _update(aws: Aws, budget_id: str, old: Properties, new: Properties) -> None:
    if _budget(old) != _budget(new):
        aws.call("budgets", "UpdateBudget", {"AccountId": _named(budget_id)["AccountId"], "NewBudget": _budget(new)})
    if normal(old.get("notifications"), SET) != normal(new.get("notifications"), SET):
        for entry in old.get("notifications") or ():
            gone = {"Notification": _notification(entry)["Notification"]}
            aws.drop("budgets", "DeleteNotification", {**_named(budget_id), **gone}, _NONE)
        for entry in new.get("notifications") or ():
            aws.call("budgets", "CreateNotification", {**_named(budget_id), **_notification(entry)})
    if aws.tags(old) != aws.tags(new):
        arn = f"arn:{aws.partition}:budgets::{_named(budget_id)['AccountId']}:budget/{new['name']}"
        aws.call("budgets", "TagResource", {"ResourceARN": arn, "ResourceTags": aws.tags(new)})


def _delete(aws: Aws, budget_id: str, state: Properties) -> None:
    aws.drop("budgets", "DeleteBudget", _named(budget_id), _NONE)


TYPES = (
    AwsType(
        name="aws:budgets/budget:Budget",
        inputs={
            "accountId": FIXED,
            "budgetType": PLAIN,
            "costFilters": SET,
            "costTypes": PLAIN,
            "limitAmount": PLAIN,
            "limitUnit": PLAIN,
            "name": FIXED,
            "namePrefix": FIXED,
            "notifications": SET,
            "tags": PLAIN,
            "timeUnit": PLAIN,
        },
        outputs=("accountId", "arn"),
        autoname=AutoName(limit=100),
        regional=False,
        create=_create,
        read=_read,
        update=_update,
        delete=_delete,
    ),
)

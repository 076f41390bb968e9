"""A budget that tells nobody, or tells it too late, is a number in a console that nobody opens."""

from collections.abc import Iterator
from typing import Any

from pulumi_policy import EnforcementLevel, ResourceValidationArgs, ResourceValidationPolicy, Severity

from ._for_type import Report, for_type
from ._reading import UNKNOWN, elements, number, read, shown

_WATCHED = ("COST", "USAGE", None, UNKNOWN)


def _check(args: ResourceValidationArgs, report: Report) -> None:
    if read(args.props, "budgetType") not in _WATCHED:
        return
    period = read(args.props, "timeUnit")
    if period in ("QUARTERLY", "ANNUALLY"):
        report(f"timeUnit is {period}; it must be MONTHLY or DAILY, or the year is over before anybody hears of it.")
    notifications = elements(read(args.props, "notifications"))
    if UNKNOWN in notifications:
        return
    if not notifications:
        report("has no notifications; it must tell people of what was spent and of what will be.")
    for index, one in enumerate(notifications):
        for fault in _faults(one):
            report(f"notifications[{index}] {fault}")
    kinds = {read(one, "notificationType") for one in notifications}
    if notifications and "FORECASTED" not in kinds and UNKNOWN not in kinds:
        report("has no notification of type FORECASTED; one must come before the money is spent.")


def _faults(notification: Any) -> Iterator[str]:
    told = [
        who
        for key in ("subscriberEmailAddresses", "subscriberSnsTopicArns")
        for who in elements(read(notification, key))
    ]
    if not told:
        yield "tells nobody; it must name mail addresses or a topic."
    threshold, unit = read(notification, "threshold"), read(notification, "thresholdType")
    percent = None if threshold is UNKNOWN else number(threshold)
    if unit == "PERCENTAGE" and percent is not None and percent > 100:
        yield f"speaks at {shown(threshold)} per cent; it must speak at 100 at the latest."


RULE = ResourceValidationPolicy(
    name="budgets-tell-somebody",
    description="A budget that tells nobody, or tells it too late, is a number in a console that nobody opens.",
    severity=Severity.MEDIUM,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["money"],
    remediation_steps="Notify people who will act at 80 per cent of what was spent (ACTUAL) and at 100 of what is "
    "FORECASTED, each month.",
    url="https://docs.aws.amazon.com/cost-management/latest/userguide/budgets-create.html",
    validate=for_type(_check, "aws:budgets/budget:Budget"),
)

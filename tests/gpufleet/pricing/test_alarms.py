"""Alarms: by the metric, dearer at high resolution."""

from decimal import Decimal
from typing import Any

import pytest

from tests.gpufleet.pricing.plans import bill, reasons, resource

ALARM = "aws:cloudwatch/metricAlarm:MetricAlarm"
COMPOSITE = "aws:cloudwatch/compositeAlarm:CompositeAlarm"


def _query(period: int = 300) -> dict[str, Any]:
    return {"id": "m1", "metric": {"metricName": "ErrorPortAllocation", "period": period, "stat": "Sum"}}


@pytest.mark.parametrize(
    ("inputs", "usd"),
    [
        ({"metricName": "ErrorPortAllocation", "period": 300}, "0.1"),
        ({"metricName": "ErrorPortAllocation"}, "0.1"),
        ({"metricName": "ErrorPortAllocation", "period": 10}, "0.3"),
        ({"metricQueries": [_query(), _query(), {"id": "e1", "expression": "m1 + m2"}]}, "0.2"),
        ({"metricQueries": [_query(10), {"id": "e1", "expression": "m1 * 2"}]}, "0.3"),
        ({"metricQueries": [_query(), {"id": "e1", "expression": "ANOMALY_DETECTION_BAND(m1)"}]}, "0.3"),
    ],
)
def test_an_alarm_costs_by_the_metrics_it_watches(inputs: dict[str, Any], usd: str) -> None:
    line = bill(resource(ALARM, "nat", inputs)).lines[0]
    assert (line.maximum_usd, line.minimum_usd, line.unit) == (Decimal(usd), Decimal(usd), "month")


def test_an_alarm_on_a_query_over_metrics_is_listed() -> None:
    inputs = {"metricQueries": [{"id": "q1", "expression": "select AVG(x) FROM SCHEMA(y)"}]}
    cost = bill(resource(ALARM, "all", inputs))
    assert cost.lines == ()
    assert reasons(cost) == ["an alarm on a Metrics Insights query costs by the metrics that the query meets"]


def test_an_alarm_on_alarms_costs_its_list_price() -> None:
    assert [line.maximum_usd for line in bill(resource(COMPOSITE, "all")).lines] == [Decimal("0.5")]


def test_an_alarm_whose_period_is_no_number_is_listed() -> None:
    assert reasons(bill(resource(ALARM, "odd", {"period": "often"}))) == [
        "period is 'often', not a number of zero or more"
    ]

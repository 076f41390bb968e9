"""Price rules for alarms of CloudWatch: by the metrics they watch."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from gpufleet.facts import prices
from gpufleet.pricing import wire
from gpufleet.pricing.charge import Charge, Gap, fixed
from gpufleet.pricing.index import Context, Resource

_ONE: Final = Decimal(1)
_STANDARD_SECONDS: Final = 60
"""An alarm of a shorter period is one of high resolution."""
_BAND_METRICS: Final = 3
"""A metric that is held against its expected band counts as itself and the two bounds."""


def metric(resource: Resource, context: Context) -> Iterator[Charge | Gap]:
    """An alarm on a metric, or on what is computed from several."""
    inputs = resource.get("inputs")
    queries = wire.items(inputs, "metricQueries")
    if any(wire.text(query, "expression").upper().startswith("SELECT") for query in queries):
        yield Gap("an alarm on a Metrics Insights query costs by the metrics that the query meets")
        return
    metrics = [query for query in queries if wire.value(query, "metric") is not None]
    periods = [wire.number(query, "metric.period", default=_STANDARD_SECONDS) for query in metrics]
    if not queries:
        periods = [wire.number(inputs, "period", default=_STANDARD_SECONDS)]
    fast = any(period < _STANDARD_SECONDS for period in periods)
    key = "cloudwatch-alarm-high-resolution" if fast else "cloudwatch-alarm"
    in_band = any("ANOMALY_DETECTION_BAND" in wire.text(query, "expression") for query in queries)
    yield from _monthly("alarm", Decimal(len(periods) * (_BAND_METRICS if in_band else 1)), key, context)


def composite(_: Resource, context: Context) -> Iterator[Charge | Gap]:
    """An alarm on other alarms."""
    yield from _monthly("composite alarm", _ONE, "cloudwatch-composite-alarm", context)


def _monthly(what: str, quantity: Decimal, key: str, context: Context) -> Iterator[Charge | Gap]:
    price = prices.service(key, context.region)
    if price is None:
        yield Gap(f"no price is known for {what}")
    else:
        yield fixed(what, quantity, price)

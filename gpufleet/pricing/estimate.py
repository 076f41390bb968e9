"""Prices the resources of a plan, one by one, each by the rule of its type."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any, Final

from gpufleet.pricing import pools, rules, usage, wire
from gpufleet.pricing.assumptions import Assumptions
from gpufleet.pricing.charge import Charge, Gap, usd
from gpufleet.pricing.cost import Cost, Line, Unpriced
from gpufleet.pricing.index import Context, Index, RegionOf, Resource, field, is_component
from gpufleet.pricing.reserved import Reserved

_STAND_IN_REGION: Final = "us-east-1"


def price(
    resources: Sequence[Mapping[str, Any]],
    region_of: RegionOf | None = None,
    *,
    today: date | None = None,
    assumptions: Assumptions | None = None,
) -> Cost:
    """The bill of a plan.

    `resources` are those of the plan document (`urn`, `type`, `name`, `parent`, `provider`, `inputs` in wire form,
    `id`, `outputs`), of any Pulumi program. `region_of` may answer for a resource's region; else it is the resource's
    own `region`, else its provider's, else us-east-1 is assumed and the line says so. `today` (default: the clock's)
    decides which Kubernetes versions cost extended support. `assumptions` decide what is expected between floor and
    ceiling, and the traffic and storage that no plan tells. Nothing is raised for odd inputs and nothing billable is
    dropped: what cannot be priced is in `Cost.unpriced`.
    """
    index = Index(resources, region_of)
    reserved = Reserved(resources, index)
    day, assumed = today or date.today(), assumptions or Assumptions()
    lines: list[Line] = []
    unpriced: list[Unpriced] = []
    for resource in resources:
        region = index.region(resource)
        for answer in _answers(resource, Context(index, region or _STAND_IN_REGION, day, assumed, reserved)):
            if isinstance(answer, Gap):
                named = (field(resource, name) for name in ("urn", "type", "name"))
                unpriced.append(Unpriced(*named, reason=answer.reason))
            else:
                lines.append(_line(resource, answer, index, region))
    return Cost.of(lines, unpriced)


def _answers(resource: Resource, context: Context) -> Iterator[Charge | Gap]:
    yield from usage.charges(resource, context)
    resource_type = field(resource, "type")
    rule = rules.RULES.get(resource_type)
    if rule is not None:
        try:
            yield from rule(resource, context)
        except wire.Unreadable as problem:
            yield problem.gap
    elif not resource_type:
        yield Gap("the entry names no type")
    # A component costs nothing, but a resource of AWS is no component, even where a document gives it no id.
    elif not rules.is_free(resource_type) and (resource_type.startswith("aws:") or not is_component(resource)):
        yield Gap(rules.why_unpriced(resource_type))


def _line(resource: Resource, charge: Charge, index: Index, region: str | None) -> Line:
    notes = [charge.note]
    if region is None:
        notes.append(f"region unknown: {_STAND_IN_REGION} assumed")
    elif charge.price.assumed:
        notes.append(f"list price of {charge.price.region} stands in for {region}")
    return Line(
        urn=field(resource, "urn"),
        type=field(resource, "type"),
        name=field(resource, "name"),
        component=index.component(resource),
        what=charge.what,
        quantity_minimum=charge.count.minimum,
        quantity_expected=charge.count.expected,
        quantity_maximum=charge.count.maximum,
        unit_usd=usd(charge.price),
        unit=charge.price.unit,
        minimum_usd=charge.minimum_usd,
        expected_usd=charge.expected_usd,
        maximum_usd=charge.maximum_usd,
        purchase=charge.purchase,
        region=region or _STAND_IN_REGION,
        assumed=region is None or charge.price.assumed,
        note="; ".join(note for note in notes if note),
        pool=pools.name(resource),
        workspace=pools.workspace(resource),
        types=charge.types,
        price_date=charge.price.date,
    )

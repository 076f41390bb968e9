"""A budget that counts other tags than the pools bear, or has room for more than they can cost, never speaks."""

import re
from collections.abc import Iterator
from typing import Any, Final

from pulumi_policy import EnforcementLevel, PolicyResource, Severity, StackValidationPolicy

from gpufleet.facts import prices

from ._karpenter import NODE_CLASS, NODE_POOL
from ._node_sets import node_sets
from ._reading import UNKNOWN, elements, entries, number, read
from ._spend import lines
from ._stack import Report, Stack, for_stack

_FILTER: Final = re.compile(r"(?:user:)?(?P<key>[^$]+)\$(?P<value>.*)")
_ROOM: Final = 10.0
"""How many times what everything at its ceiling costs in a month."""


def _check(stack: Stack, report: Report) -> None:
    made = [(nodes.resource, _tags(nodes.maker)) for nodes in node_sets(stack) if nodes.is_gpu and nodes.maker]
    budgets = stack.of("aws:budgets/budget:Budget")
    for budget in budgets:
        wanted = list(_wanted(budget))
        if not wanted or UNKNOWN in wanted:
            continue
        for pool, tags in made:
            if tags is not None and not any(tags.get(key) in (value, UNKNOWN) for key, value in wanted):
                counted = " or ".join(f"{key}={value}" for key, value in wanted)
                report(f"counts {counted}, and the nodes of {pool.name} do not bear it; they must.", budget.urn)
                break
    _check_room(stack, budgets, report)


def _check_room(stack: Stack, budgets: list[PolicyResource], report: Report) -> None:
    if any(read(pool.props, "spec") is None for pool in stack.of(*NODE_POOL)):
        return  # the engine's preview shows nothing of what goes into a cluster that is not there yet
    most = sum(line.usd for line in lines(stack)) * prices.HOURS_PER_MONTH
    for budget in budgets:
        limit, unit = read(budget.props, "limitAmount"), read(budget.props, "timeUnit")
        amount = None if limit is UNKNOWN else number(limit)
        if most and amount is not None and unit == "MONTHLY" and amount > _ROOM * most:
            report(
                f"limitAmount is {amount:.2f} USD a month, and everything at its ceiling costs {most:.2f}; such a "
                "budget never speaks.",
                budget.urn,
            )


def _wanted(budget: PolicyResource) -> Iterator[Any]:
    """The tags that a filter counts; other filters are not about tags."""
    for one in elements(read(budget.props, "costFilters")):
        if read(one, "name") == "TagKeyValue":
            for value in elements(read(one, "values")):
                found = None if value is UNKNOWN else _FILTER.fullmatch(str(value))
                yield (found["key"], found["value"]) if found else UNKNOWN


def _tags(maker: PolicyResource) -> dict[str, Any] | None:
    """What instances bear: of a template what it says for instances, since default tags do not reach them."""
    if maker.resource_type in NODE_CLASS:
        found = read(maker.props, "spec", "tags")
    else:
        specifications = elements(read(maker.props, "tagSpecifications"))
        found = next((read(one, "tags") for one in specifications if read(one, "resourceType") == "instance"), None)
    return None if found is UNKNOWN else entries(found)


RULE = StackValidationPolicy(
    name="budgets-cover-the-pools",
    description="A budget that counts other tags than the pools bear, or has room for more than they can cost, never "
    "speaks.",
    severity=Severity.MEDIUM,
    enforcement_level=EnforcementLevel.ADVISORY,
    tags=["money", "gpu"],
    remediation_steps="Filter by a tag (user:KEY$VALUE) that launch templates and node classes put on instances, "
    "activate it as a cost allocation tag, and set the limit near what the pools cost.",
    url="https://docs.aws.amazon.com/cost-management/latest/userguide/budgets-create-filters.html",
    validate=for_stack(_check),
)

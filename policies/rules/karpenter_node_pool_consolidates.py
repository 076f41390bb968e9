"""GPUs that nobody uses are billed until somebody notices, unless Karpenter ends them."""

import re
from collections.abc import Iterator
from typing import Any, Final

from pulumi_policy import EnforcementLevel, PolicyConfigSchema, Severity, StackValidationPolicy

from ._karpenter import ElasticPool, gpu_node_pools
from ._reading import UNKNOWN, elements, read, shown
from ._stack import Report, Stack, for_stack

_MAX_MINUTES: Final = 60
_SECONDS: Final = {"s": 1, "m": 60, "h": 3600}
_PART: Final = re.compile(r"(\d+(?:\.\d+)?)([smh])")


def _check(stack: Stack, report: Report) -> None:
    most = float(stack.config.get("max_minutes", _MAX_MINUTES))
    for pool in gpu_node_pools(stack):
        for fault in _faults(pool, most):
            report(fault, pool.resource.urn)


def _faults(pool: ElasticPool, most: float) -> Iterator[str]:
    disruption = read(pool.spec, "disruption")
    if disruption is UNKNOWN or pool.spec is UNKNOWN:
        return
    after = read(disruption, "consolidateAfter")
    if after is not UNKNOWN:
        minutes = _minutes(after)
        if minutes is None or minutes > most:
            yield (
                f"spec.disruption.consolidateAfter is {shown(after)}; idle GPU nodes must go after {shown(most)} "
                "minutes at most."
            )
    budgets = elements(read(disruption, "budgets"))
    if budgets and UNKNOWN not in budgets and not any(map(_lets_idle_go, budgets)):
        yield "no entry of spec.disruption.budgets lets empty nodes go; one for Empty (or for all) must allow some."


def _minutes(value: Any) -> float | None:
    parts = _PART.findall(str(value))
    if not parts or "".join(number + unit for number, unit in parts) != str(value):
        return None
    return sum(float(number) * _SECONDS[unit] for number, unit in parts) / 60


def _lets_idle_go(budget: Any) -> bool:
    """A budget is a ceiling, and all that are about a reason must allow it; one that allows none bars its reasons."""
    reasons = elements(read(budget, "reasons"))
    about_empty = not reasons or "Empty" in reasons or UNKNOWN in reasons
    return about_empty and read(budget, "nodes") not in ("0", "0%", 0)


RULE = StackValidationPolicy(
    name="karpenter-node-pool-consolidates",
    description="GPUs that nobody uses are billed until somebody notices, unless Karpenter ends them.",
    severity=Severity.MEDIUM,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["compute", "money", "gpu"],
    remediation_steps="Set spec.disruption to {consolidationPolicy: WhenEmpty, consolidateAfter: 10m} and a budget "
    "that lets empty nodes go; busy ones may be kept by a budget of their own.",
    url="https://karpenter.sh/docs/concepts/disruption/",
    config_schema=PolicyConfigSchema({"max_minutes": {"type": "integer", "minimum": 0, "default": _MAX_MINUTES}}),
    validate=for_stack(_check),
)

"""All that is looked for."""

from collections.abc import Callable, Iterator

from gpufleet.lint.case import Case
from gpufleet.lint.findings import Finding, Rule
from gpufleet.lint.rules import counts, efa, ending, environment, memory, placement, security

CHECKS: tuple[Callable[[Case], Iterator[Finding]], ...] = (
    placement.check,
    counts.check,
    efa.check,
    memory.check,
    environment.check,
    ending.check,
    security.check,
)
RULES: tuple[Rule, ...] = (
    *placement.RULES,
    *counts.RULES,
    *efa.RULES,
    *memory.RULES,
    *environment.RULES,
    *ending.RULES,
    *security.RULES,
)

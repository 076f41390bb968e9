"""What waivers do to violations: a waived one stays, marked, and does not fail; a waiver that ended is a violation."""

import difflib
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from datetime import date

from gpufleet.plan.graph import STACK_TYPE
from gpufleet.plan.violations import Rule, Violation
from gpufleet.plan.waivers import NOT_WAIVABLE, Waiver

EXPIRED = Rule(
    name="waiver-expired",
    level="mandatory",
    severity="high",
    description="A waiver whose last day is over hides a risk that nobody answers for any more.",
    fix="Mend what it waived and take it out, or have its owner renew it with a later day and a reason that holds.",
)
UNUSED = Rule(
    name="waiver-unused",
    level="advisory",
    severity="low",
    description="A waiver that waives nothing would waive the next violation unseen.",
    fix="Take it out, or correct its rule or resource.",
)

ELSEWHERE = frozenset({"environment-nowhere-weaker"})
"""Rules that only a comparison of two stacks can judge; elsewhere a waiver of one is neither used nor unused."""


def stack_urn(stack: str, project: str) -> str:
    """The URN of the stack itself, on which the engine reports what is about the whole stack."""
    return f"urn:pulumi:{stack}::{project}::{STACK_TYPE}::{project}-{stack}"


def apply(
    violations: Iterable[Violation],
    waivers: Sequence[Waiver],
    *,
    stack: str,
    today: date,
    rules: Collection[str] | None = None,
    names: Callable[[Violation], Sequence[str]] | None = None,
) -> list[Violation]:
    """Mark what is waived and add what is wrong with the waivers themselves, sorted.

    Args:
        violations: of one stack.
        waivers: the first one in force that covers a violation is the one that counts.
        stack: the stack's own URN (`stack_urn`), which stands for violations of the whole stack.
        today: a waiver is in force on its last day.
        rules: what could have been violated; a waiver of anything else is not called unused. None for everything.
        names: what a waiver may call the subject of a violation; its URN where that is not given.
    """
    used: set[int] = set()
    judged: list[Violation] = []
    for violation in violations:
        matching = [
            index
            for index, waiver in enumerate(waivers)
            if waiver.rule == violation.rule
            and violation.rule not in NOT_WAIVABLE
            and any(map(waiver.covers, names(violation) if names else (violation.urn or stack,)))
        ]
        used.update(matching)
        in_force = next((waivers[index] for index in matching if not waivers[index].ended(today)), None)
        judged.append(replace(violation, waiver=in_force))
    for index, waiver in enumerate(waivers):
        if waiver.ended(today):
            judged.append(_expired(waiver))
        elif index not in used and waiver.expires is not None and (rules is None or waiver.rule in rules):
            judged.append(_unused(waiver, "nothing that it covers violates the rule"))
    return sorted(judged)


def misnamed(waivers: Sequence[Waiver], rules: Collection[str]) -> list[Violation]:
    """Return a violation for each waiver of a rule that there is not, with the nearest that there is."""
    found: list[Violation] = []
    for waiver in waivers:
        if waiver.rule not in rules and waiver.expires is not None:
            near = difflib.get_close_matches(waiver.rule, rules, n=1)
            found.append(_unused(waiver, "there is no such rule" + (f"; did you mean {near[0]}?" if near else "")))
    return found


def _expired(waiver: Waiver) -> Violation:
    message = (
        f"{waiver.origin}: the waiver of {waiver.rule} on {waiver.resource} by {waiver.owner} ended on "
        f"{waiver.expires}: {waiver.reason}"
    )
    return EXPIRED.violated("", message)


def _unused(waiver: Waiver, why: str) -> Violation:
    return UNUSED.violated("", f"{waiver.origin}: the waiver of {waiver.rule} on {waiver.resource}: {why}")

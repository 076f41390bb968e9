"""Compare what a policy pack says of two stacks: a rule that one of them breaks, or has waived, and the other keeps."""

from collections.abc import Iterator

from gpufleet.check.compare.loosened import RULE, Loosened
from gpufleet.plan.planning import Judged


def compare(judged: Judged, other: Judged) -> Iterator[Loosened]:
    """Yield each rule that is broken or waived here and neither there, with its first violation."""
    there = {violation.rule for violation in other.violations}
    told: set[str] = set()
    for violation in sorted(judged.violations, key=lambda v: (v.rule, v.waiver is not None, v)):
        counts = violation.mandatory or violation.waiver is not None
        if not counts or violation.rule in there or violation.rule in told or violation.rule == RULE.name:
            continue
        told.add(violation.rule)
        waived = violation.waiver is not None
        yield Loosened(
            where="policies",
            path=violation.rule,
            urn=violation.urn,
            value=violation.waiver.told() if violation.waiver else "broken",
            than="kept",
            than_urn="",
            severity=violation.severity,
            why="what is waived is as open as what is broken" if waived else violation.message.rstrip("."),
        )

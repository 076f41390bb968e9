"""Step times summed up: the share of each phase, and the ranks that the others wait for."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from gpufleet.triage.readings import Place, Readings, Step

_WARM_UP = 2
"""Steps of each rank that are left out where there are enough: they compile, allocate and fill caches."""
_ENOUGH = 10


@dataclass(frozen=True, kw_only=True)
class Share:
    """What part of all steps a phase takes."""

    share: float
    seconds: float
    """Of one step, the median."""
    steps: int
    worst: Place
    """The step in which it takes longest."""


def share(readings: Readings, phase: str) -> Share | None:
    """The share of a phase; None where no step has it."""
    steps = [step for steps in by_rank(readings).values() for step in steps if phase in step.phases]
    if not steps:
        return None
    worst = max(steps, key=lambda step: step.phases[phase])
    return Share(
        share=sum(step.phases[phase] for step in steps) / sum(step.total for step in steps),
        seconds=median(step.phases[phase] for step in steps),
        steps=len(steps),
        worst=worst.place,
    )


def by_rank(readings: Readings) -> dict[str, Sequence[Step]]:
    """The steps of each rank after their warm-up."""
    ranks: dict[str, list[Step]] = {}
    for step in readings.steps:
        ranks.setdefault(step.rank, []).append(step)
    return {rank: steps[_WARM_UP:] if len(steps) >= _ENOUGH else steps for rank, steps in ranks.items()}


def stragglers(readings: Readings, ratio: float) -> Iterator[tuple[str, float, float, Place]]:
    """Ranks whose own work takes `ratio` times as long as the median rank's: rank, seconds, median, where.

    Own work is a step without its communication, in which the others wait.
    """
    ranks = by_rank(readings)
    if len(ranks) < 2:
        return
    own = {rank: median(_own(step) for step in steps) for rank, steps in ranks.items()}
    usual = median(own.values())
    for rank, seconds in own.items():
        if usual > 0 and seconds > ratio * usual:
            yield rank, seconds, usual, max(ranks[rank], key=_own).place


def _own(step: Step) -> float:
    return sum(seconds for phase, seconds in step.phases.items() if phase != "comm")

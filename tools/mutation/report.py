"""The outcome, for people and for machines."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

from tools.mutation.scoring import Score, reason


def good(scores: Sequence[Score], least: float) -> bool:
    """Whether enough is seen, every survivor is accounted for and every input decided."""
    return share(scores) >= least and not unaccounted(scores) and not undecided(scores)


def share(scores: Sequence[Score]) -> float:
    """The share of all mutants that some rule sees."""
    judged = sum(len(score.judged) for score in scores)
    return sum(score.seen for score in scores) / judged if judged else 0.0


def unaccounted(scores: Sequence[Score]) -> list[str]:
    """The survivors for which no reason is given."""
    return sorted(f"{score.stack}: {one.label}" for score in scores for one in score.survivors if reason(one) is None)


def undecided(scores: Sequence[Score]) -> list[tuple[str, str]]:
    """(type, place) of the inputs of which no table says whether they matter."""
    return sorted(set[tuple[str, str]]().union(*(score.generated.undecided for score in scores)))


def document(scores: Sequence[Score], seconds: float) -> dict[str, Any]:
    """The whole outcome."""
    return {
        "schema": 1,
        "share": round(share(scores), 4),
        "seconds": round(seconds, 1),
        "stacks": {
            score.stack: {
                "mutants": len(score.judged),
                "seen": score.seen,
                "by_rule": dict(Counter(rule for rule in score.seen_by if rule).most_common()),
                "survivors": [
                    {
                        "type": one.original.type,
                        "resource": one.original.name,
                        "place": one.place,
                        "where": one.where,
                        "done": one.done,
                        "why": reason(one),
                    }
                    for one in score.survivors
                ],
            }
            for score in scores
        },
        "ignored": {f"{type_} {place}": why for (type_, place), why in sorted(_ignored(scores).items())},
        "undecided": [f"{type_} {place}" for type_, place in undecided(scores)],
    }


def show(scores: Sequence[Score], seconds: float, least: float) -> None:
    """Print it."""
    console = Console()
    table = Table(title=f"what the rules see of {sum(len(s.judged) for s in scores)} weaker plans, {seconds:.0f} s")
    for column in ("stack", "mutants", "seen", "survivors", "share"):
        table.add_column(column, justify="left" if column == "stack" else "right")
    for score in scores:
        judged = len(score.judged)
        part = f"{score.seen / judged:.1%}" if judged else "-"
        table.add_row(score.stack, str(judged), str(score.seen), str(len(score.survivors)), part)
    console.print(table)
    _show_survivors(console, scores)
    inputs = set[tuple[str, str]]().union(*(score.generated.changed for score in scores))
    ignored = _ignored(scores)
    console.print(
        f"Inputs by type and place: {len(inputs)} made weaker, {len(ignored)} left alone because they do not matter "
        f"(tools/mutation/data/ignored.json says why, --json lists them), {len(undecided(scores))} undecided."
    )
    for type_, place in undecided(scores):
        console.print(f"  undecided: {type_} {place or '(the resource)'}", markup=False, soft_wrap=True)
    console.print(f"Score: {share(scores):.1%} (at least {least:.0%}).")


def _show_survivors(console: Console, scores: Sequence[Score]) -> None:
    by_reason: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for score in scores:
        for one in score.survivors:
            by_reason[reason(one) or ""][one.kind] += 1
    for why, kinds in sorted(by_reason.items()):
        console.print(f"Survivors, {why}:" if why else "Survivors that nobody accounted for:", markup=False)
        for kind, count in sorted(kinds.items()):
            console.print(f"  {count:>3} x {kind}", markup=False, soft_wrap=True)


def _ignored(scores: Sequence[Score]) -> dict[tuple[str, str], str]:
    """What was left alone in every stack."""
    found = {key: why for score in scores for key, why in score.generated.ignored.items()}
    changed = set[tuple[str, str]]().union(*(score.generated.changed for score in scores))
    return {key: why for key, why in found.items() if key not in changed}

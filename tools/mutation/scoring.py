"""Run a stack, make its mutants, and ask the rules about each."""

import json
import multiprocessing
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

from gpufleet.plan import planning, police, project
from gpufleet.plan.graph import Run
from tools.mutation.decisions import DATA
from tools.mutation.judging import Court
from tools.mutation.mutants import Generated, Mutant, distinct, generate

_court: "list[tuple[Court, Sequence[Mutant]]]" = []
"""What a worker judges; set before it is forked, so that nothing has to be sent to it."""


@dataclass(frozen=True, kw_only=True)
class Score:
    """What became of the mutants of one stack."""

    stack: str
    generated: Generated
    judged: tuple[Mutant, ...]
    seen_by: tuple[str | None, ...]
    """For each of them a rule that sees it."""

    @property
    def survivors(self) -> list[Mutant]:
        """The mutants that no rule sees."""
        return [mutant for mutant, rule in zip(self.judged, self.seen_by, strict=True) if rule is None]

    @property
    def seen(self) -> int:
        """How many some rule sees."""
        return len(self.judged) - len(self.survivors)


@dataclass(frozen=True, slots=True)
class Accepted:
    """Survivors that no rule need see, and why."""

    type: str
    place: str
    done: str
    why: str

    def covers(self, mutant: Mutant) -> bool:
        """Whether it is about the mutant."""
        pairs = ((self.type, mutant.original.type), (self.place, mutant.place), (self.done, mutant.done))
        return all(_matches(shell, text) for shell, text in pairs)


def _matches(shell: str, text: str) -> bool:
    """As a shell would, with brackets as they stand; a star with a backslash before it is one."""
    return fnmatchcase(text, shell.replace("[", "[[]").replace("\\*", "[*]"))


@cache
def accepted() -> tuple[Accepted, ...]:
    """Read the table of accepted survivors."""
    rows: list[dict[str, str]] = json.loads((DATA / "survivors.json").read_text(encoding="utf-8"))
    return tuple(Accepted(row["type"], row["place"], row.get("done", "*"), row["why"]) for row in rows)


def reason(mutant: Mutant) -> str | None:
    """Return why no rule need see the mutant, if that was ever said."""
    return next((one.why for one in accepted() if one.covers(mutant)), None)


def stacks(root: Path) -> list[str]:
    """Return the stacks of the checkout, and the settings files of its tests."""
    named = sorted(path.stem.removeprefix("Pulumi.") for path in (root / "stacks").glob("Pulumi.*.yaml"))
    return [*named, *(str(path.relative_to(root)) for path in sorted((root / "tests/stacks").glob("*.yaml")))]


def score(root: Path, stack: str, *, sample: int | None = None, seed: int = 0, processes: int = 2) -> Score:
    """Judge the mutants of a stack, or of a settings file; all of them, or as many as the sample says.

    Raises:
        UsageError: there is no such stack, or its program fails.
    """
    run = of(root, stack)
    generated = generate(run)
    mutants = list(distinct(generated.mutants))
    if sample is not None and sample < len(mutants):
        mutants = random.Random(seed).sample(mutants, sample)  # noqa: S311 -- not for secrets
    found = judge(run, mutants, police.load_pack(root / "policies"), processes)
    return Score(stack=stack, generated=generated, judged=tuple(mutants), seen_by=tuple(found))


def of(root: Path, stack: str) -> Run:
    """Run a stack, or the settings of a file, as an update."""
    if not stack.endswith(".yaml"):
        return planning.run(project.load(root, stack), preview=False)
    file = root / stack
    return planning.run(project.load(root, file.stem, settings_file=file), preview=False)


def judge(run: Run, mutants: Sequence[Mutant], rules: Sequence[object], processes: int) -> Iterator[str | None]:
    """Yield for each mutant the name of a rule that sees it."""
    court = Court(rules, run)
    if processes < 2 or "fork" not in multiprocessing.get_all_start_methods():
        yield from map(court.sees, mutants)
        return
    _court.append((court, mutants))
    try:
        with multiprocessing.get_context("fork").Pool(processes) as pool:
            yield from pool.map(_sees, range(len(mutants)), chunksize=16)
    finally:
        _court.pop()


def _sees(index: int) -> str | None:
    court, mutants = _court[-1]
    return court.sees(mutants[index])

"""What the whole rule set costs a resource, and beside it checkov on the export of the very same plan.

    python -m tools.bench_policies [--resources 5000] [--runs 3] [--checkov PATH] [--json]

The plan is the production stack, run again and again under other stack names, so that every copy has its own names, ids
and links. Judging alone is measured; checkov is a process of its own, so what it takes to start and to find nothing is
taken off before the two are compared. CPU seconds say the same on a busy machine as on an idle one.
"""

import argparse
import gc
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from gpufleet.errors import UsageError
from gpufleet.export import document
from gpufleet.plan import planning, police, project
from gpufleet.plan.graph import Resource, Run

ROOT = Path(__file__).resolve().parent.parent
STACK = "prod"
CHECKOV = "3.3.30"
"""The version that is fetched where none is installed; the one of docs/security/checkov.md."""
MILLISECONDS = 1.0
"""The target for a resource."""
TIMES = 10.0
"""The target against checkov."""


def copies(resources: int, root: Path = ROOT, stack: str = STACK) -> Run:
    """Return a run of at least so many resources: the stack, as often as it takes, each time under another name."""
    loaded = project.load(root, stack)
    found: list[Resource] = []
    runs: list[Run] = []
    while len(found) < resources:
        runs.append(planning.run(replace(loaded, stack=f"{stack}-{len(runs)}"), preview=False))
        found.extend(runs[-1].resources)
    return replace(runs[0], stack=stack, resources=tuple(sorted(found, key=lambda resource: resource.urn)))


@dataclass(frozen=True)
class Taken:
    """What one piece of work took."""

    wall: float
    """Seconds on the clock."""
    cpu: float
    """Seconds of processors, of this process and those it started; a busy machine does not change them."""

    def __sub__(self, other: "Taken") -> "Taken":
        return Taken(self.wall - other.wall, self.cpu - other.cpu)


def taken(work: Callable[[], object]) -> Taken:
    """Time one call, with nothing left over from before it to collect."""
    gc.collect()
    wall, cpu = time.perf_counter(), sum(os.times()[:4])
    work()
    return Taken(time.perf_counter() - wall, sum(os.times()[:4]) - cpu)


def judging(run: Run, runs: int, pack: Path) -> tuple[Taken, dict[str, int]]:
    """The loaded pack over the run, the median of `runs` after one that is not measured; and what it was."""
    rules = police.load_pack(pack)
    found = police.judge(rules, run)
    times = sorted((taken(lambda: police.judge(rules, run)) for _ in range(runs)), key=lambda one: one.cpu)
    return times[len(times) // 2], {"resources": len(run.resources), "rules": len(rules), "violations": len(found)}


def checkov_command(given: str | None) -> list[str] | None:
    """How checkov is called here: as told, as installed, else by uvx, which fetches it; None where it cannot be."""
    if found := given or shutil.which("checkov"):
        return [found]
    if (uvx := shutil.which("uvx")) is None:
        return None
    command = [uvx, "--quiet", f"checkov=={CHECKOV}"]
    warmed = subprocess.run([*command, "--version"], capture_output=True, check=False)  # noqa: S603 -- our own command
    return command if warmed.returncode == 0 else None


def checking(command: Sequence[str], run: Run) -> tuple[Taken, Taken, dict[str, Any]]:
    """Checkov over the export of the run, less checkov over nothing; the latter; and what it was."""
    exported, nothing = document.build(run), document.build(replace(run, resources=()))
    answers: list[Any] = []
    with tempfile.TemporaryDirectory() as folder:
        full, empty = Path(folder) / "full", Path(folder) / "empty"
        for where, made in ((full, exported), (empty, nothing)):
            where.mkdir()
            (where / "main.tf.json").write_text(json.dumps(made.document), encoding="utf-8")
        version = _output([*command, "--version"]).strip()
        start = taken(lambda: _checkov(command, empty))
        whole = taken(lambda: answers.append(_checkov(command, full)))
    summary = answers[0]["summary"]
    checks = summary["passed"] + summary["failed"]
    return whole - start, start, {"version": version, "resources": exported.resources, "checks": checks}


def _checkov(command: Sequence[str], folder: Path) -> Any:
    options = ("--framework", "terraform_json", "--skip-download", "--quiet", "--compact", "--output", "json")
    return json.loads(_output([*command, "--directory", str(folder), *options]))


def _output(command: Sequence[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 -- our own commands
    if done.returncode not in (0, 1):  # 1: it found something
        raise SystemExit(f"{' '.join(command)}: exit {done.returncode}\n{done.stderr}")
    return done.stdout


def main() -> None:
    """Measure and print; exit status 1 where a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--resources", type=int, default=5000, help="at least so many (default 5000)")
    parser.add_argument("--runs", type=int, default=3, help="measured runs of the pack (default 3)")
    parser.add_argument("--program", type=Path, default=ROOT, help="another checkout (default this one)")
    parser.add_argument("--checkov", metavar="PATH", help="the command; by default the installed one, else uvx's")
    parser.add_argument("--json", action="store_true", help="one JSON document")
    options = parser.parse_args()
    console = Console(stderr=True)
    with console.status(f"plan {options.resources} resources"):
        try:
            run = copies(options.resources, options.program)
        except UsageError as error:
            raise SystemExit(f"the plan to judge cannot be made: {error}") from None
    with console.status(f"judge {len(run.resources)} resources"):
        judged, of_pack = judging(run, options.runs, options.program / "policies")
    rows: list[Row] = [_per_resource(judged, of_pack)]
    figures: dict[str, Any] = {"pack": {**of_pack, **asdict(judged)}, "checkov": None}
    with console.status("checkov on the export of the same plan"):
        command = checkov_command(options.checkov)
        if command is not None:
            checked, start, of_checkov = checking(command, run)
            rows += _against(judged, checked, start, of_checkov)
            figures["checkov"] = {**of_checkov, **asdict(checked), "start": asdict(start)}
    if options.json:
        print(json.dumps({**figures, "rows": [asdict(row) for row in rows]}, indent=1))
    else:
        _print(rows, of_pack)
        if command is None:
            Console().print("checkov is not here, and uvx cannot fetch it: --checkov PATH")
    sys.exit(0 if all(row.met for row in rows) else 1)


@dataclass(frozen=True)
class Row:
    """A line of the table."""

    what: str
    measured: str
    target: str
    met: bool


def _per_resource(judged: Taken, what: Mapping[str, int]) -> Row:
    milliseconds = judged.cpu / what["resources"] * 1000
    return Row(
        f"{what['rules']} rules, {judged.cpu:.2f} s of CPU: milliseconds a resource",
        f"{milliseconds:.2f}",
        f"< {MILLISECONDS:g}",
        milliseconds < MILLISECONDS,
    )


def _against(judged: Taken, checked: Taken, start: Taken, what: Mapping[str, Any]) -> list[Row]:
    made: list[Row] = []
    for kind, ours, theirs, beginning in (
        ("CPU", judged.cpu, checked.cpu, start.cpu),
        ("clock", judged.wall, checked.wall, start.wall),
    ):
        line = (
            f"checkov {what['version']}, {what['checks']} checks of {what['resources']} AWS resources: "
            f"{theirs:.1f} s ({kind}; {beginning:.1f} s to start are off) / the rules' {ours:.2f} s"
        )
        made.append(Row(line, f"{theirs / ours:.0f}", f">= {TIMES:g}", theirs / ours >= TIMES))
    return made


def _print(rows: Sequence[Row], of_pack: Mapping[str, int]) -> None:
    table = Table(title=f"the whole rule set over a plan of {of_pack['resources']} resources")
    table.add_column("what")
    table.add_column("measured", justify="right")
    table.add_column("target", justify="right")
    for row in rows:
        table.add_row(row.what, row.measured if row.met else f"[red]{row.measured}[/]", row.target)
    Console().print(table)


if __name__ == "__main__":
    main()

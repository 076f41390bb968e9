"""A ratio, not seconds: ranking layouts beside a loop that only makes as many records.

    python -m tools.bench_sizing [--runs 7] [--json]

The floor makes, for every candidate, the frozen records that one consists of, and sorts them: what any search that
keeps its candidates pays. Runs are interleaved, so that a busy machine slows both sides; medians are compared.
"""

import argparse
import json
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table

from gpufleet.facts import models
from gpufleet.sizing import configs, search
from gpufleet.sizing.candidates import Choices
from gpufleet.sizing.job import Job
from gpufleet.sizing.layout import Layout
from gpufleet.sizing.memory import Memory
from gpufleet.sizing.search import Limits
from gpufleet.sizing.speed import Speed

CANDIDATES = 10_000
_MODEL = "llama-3.1-70b"
_MOST_NODES = 64


@dataclass(frozen=True, slots=True)
class _Record:
    layout: Layout
    memory: Memory
    speed: Speed
    value: float


def floor(count: int) -> None:
    """Make so many records and sort them."""
    made = [
        _Record(Layout(1, 1, n), Memory(weights=n, optimizer=n), Speed(1.0, 1.0, 1.0, 1), float(n * 7919 % count))
        for n in range(count)
    ]
    made.sort(key=lambda record: record.value)


def ranked() -> int:
    """Search as the command does; return how many candidates were ranked."""
    preset = models.find(_MODEL)
    if preset is None:
        raise SystemExit(f"{_MODEL} is no preset")
    model = configs.model(preset.config, name=preset.name, source=preset.source, parameters=preset.parameters)
    limits = Limits(most_nodes=_MOST_NODES, tokens=10**12)
    return search.search(model, Job(global_batch=2048), limits, Choices()).candidates


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def measure(runs: int) -> dict[str, float]:
    """Medians of both sides, and what follows."""
    count = ranked()  # the first also reads the data files
    floors: list[float] = []
    searches: list[float] = []
    for _ in range(runs):
        floors.append(_seconds(lambda: floor(count)))
        searches.append(_seconds(ranked))
    least, taken = statistics.median(floors), statistics.median(searches)
    return {
        "candidates": count,
        "candidates_per_second": count / taken,
        "seconds_for_10000": taken / count * CANDIDATES,
        "floor_seconds_for_10000": least / count * CANDIDATES,
        "against_floor": taken / least,
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=7, help="measured runs of each side (default 7)")
    parser.add_argument("--json", action="store_true", help="one JSON document")
    options = parser.parse_args()
    console = Console(stderr=options.json)
    with console.status("ranking layouts beside making records"):
        found = measure(options.runs)
    if options.json:
        print(json.dumps(found, indent=1))
    else:
        table = Table(title=f"{_MODEL}, {found['candidates']:,.0f} candidates, medians of {options.runs} runs")
        table.add_column("what")
        table.add_column("", justify="right")
        table.add_row("ranking / making as many records", f"{found['against_floor']:.1f}")
        table.add_row("candidates a second", f"{found['candidates_per_second']:,.0f}")
        table.add_row("seconds for 10,000 candidates", f"{found['seconds_for_10000']:.3f}")
        console.print(table)


if __name__ == "__main__":
    main()

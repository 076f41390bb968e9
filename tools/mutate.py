"""How much of what could be made weaker in our own stacks would the policy pack see? (mutation test)

    python -m tools.mutate [STACK|FILE ...] [--sample N] [--seed N] [--json]

Every input that bears on security, cost or safety is made weaker, one at a time, and the pack judges what comes of it.
Printed: the share of these mutants that some rule sees, the ones that none does, each with the reason why that is
accepted (tools/mutation/data/survivors.json), and what of the inputs was left alone (ignored.json says why). Exit
status 1 where the share is below 95 %, a survivor is not accounted for, or an input is not decided.
"""

import argparse
import json
import sys
import time
from pathlib import Path

from tools.mutation import report, scoring

ROOT = Path(__file__).resolve().parent.parent
LEAST = 0.95


def main() -> None:
    """Run, print, and say by the exit status whether it is enough."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("stacks", nargs="*", default=scoring.stacks(ROOT), help="stacks, or settings files")
    parser.add_argument("--sample", type=int, metavar="N", help="only N of each stack's mutants, drawn at random")
    parser.add_argument("--seed", type=int, default=7, help="for the sample (default 7)")
    parser.add_argument("--processes", type=int, default=2, help="how many judge at a time (default 2)")
    parser.add_argument("--json", action="store_true", help="one JSON document")
    options = parser.parse_args()
    started = time.perf_counter()
    scores = [
        scoring.score(ROOT, stack, sample=options.sample, seed=options.seed, processes=options.processes)
        for stack in options.stacks
    ]
    seconds = time.perf_counter() - started
    if options.json:
        print(json.dumps(report.document(scores, seconds), indent=1))
    else:
        report.show(scores, seconds, LEAST)
    sys.exit(0 if report.good(scores, LEAST) else 1)


if __name__ == "__main__":
    main()

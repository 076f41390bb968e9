"""Ratios, not seconds: a whole control plane beside its API server alone, and the building of it.

    python tools/controlplane/bench.py [--runs 5] [--cold] [--json]

The stages of the same starts are compared, so that a busy machine slows both sides of the ratio. `--cold` builds the
control plane into an empty cache first; Go's own cache stays as it is, so the first time on a machine it is minutes.
"""

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence

from gpufleet.facts import kubernetes
from gpufleet.rehearsal.controlplane.binaries import Binaries, ensure_binaries
from gpufleet.rehearsal.controlplane.plane import ControlPlane


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line; prints the figures."""
    parser = argparse.ArgumentParser(description="Time a control plane against its API server alone.")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--cold", action="store_true", help="time the build into an empty cache too")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    figures = {"cold_build_seconds": cold_build()} if options.cold else {}
    figures |= warm_start(ensure_binaries(kubernetes.DEFAULT_VERSION, _tell), options.runs)
    if options.json:
        print(json.dumps(figures))
    else:
        for name, value in figures.items():
            print(f"{name:24} {value:8.2f}")
    return 0


def cold_build() -> float:
    """Seconds to build everything into a cache that is empty."""
    before = os.environ.get("XDG_CACHE_HOME")
    with tempfile.TemporaryDirectory(prefix="gpufleet-bench-") as folder:
        # Where Go keeps its own is not to move with it.
        os.environ.setdefault("GOCACHE", os.path.expanduser("~/.cache/go-build"))
        os.environ["XDG_CACHE_HOME"] = folder
        try:
            return _seconds(lambda: ensure_binaries(kubernetes.DEFAULT_VERSION, _tell))
        finally:
            if before is None:
                del os.environ["XDG_CACHE_HOME"]
            else:
                os.environ["XDG_CACHE_HOME"] = before


def warm_start(binaries: Binaries, runs: int) -> dict[str, float]:
    """The median seconds to a ready plane, and as a ratio to etcd and the API server alone.

    The plane tells how long it took to each of its stages, so both sides are of the same start.
    """
    bare: list[float] = []
    whole: list[float] = []
    for _ in range(runs):
        with ControlPlane(binaries) as plane:
            bare.append(plane.seconds["kube-apiserver"])
            whole.append(plane.seconds["ready"])
    floor = statistics.median(bare)
    return {
        "api_server_seconds": floor,
        "ready_seconds": statistics.median(whole),
        "ready": statistics.median(whole) / floor,
    }


def _seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def _tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())

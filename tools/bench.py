"""Ratios, not seconds: what a plan costs beside the imports that nobody can avoid, and how it grows.

    python tools/bench.py [--runs 7] [--json]

Runs are interleaved, so that a busy machine slows both sides of a ratio; medians are compared.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).resolve().parent.parent
CLI = (sys.executable, "-c", "from gpufleet.cli import main; main()")
STACKS = ("dev", "prod")
SIZES = (100, 300, 1000, 3000, 5000)

_MODULES = """
import json, sys
from pathlib import Path
from gpufleet.plan import offline, project
loaded = project.load(Path("."), sys.argv[1])
offline.run_directory(loaded.directory, project=loaded.name, stack=loaded.stack, config=loaded.config, preview=False)
loaded = [name.split(".") for name in sys.modules if name.startswith("pulumi_aws.") and name.endswith("._inputs")]
print(json.dumps(sorted(parts[1] for parts in loaded if len(parts) == 3)))
"""

_PROGRAM = """
import pulumi
import pulumi_aws as aws

for n in range(int(pulumi.Config().require("vpcs"))):
    vpc = aws.ec2.Vpc(f"v{n}", cidr_block="10.0.0.0/16")
    for zone in "abcd":
        subnet = aws.ec2.Subnet(f"v{n}-{zone}", vpc_id=vpc.id, cidr_block="10.0.0.0/24")
        table = aws.ec2.RouteTable(f"v{n}-{zone}", vpc_id=vpc.id)
    group = aws.ec2.SecurityGroup(f"v{n}", vpc_id=vpc.id, description="bench")
"""
_PER_VPC = 10


def seconds(command: Sequence[str], cwd: Path, allowed: Sequence[int] = (0,)) -> float:
    """Wall time of one run; a run that fails is shown, not measured."""
    start = time.perf_counter()
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)  # noqa: S603 -- our own commands
    if done.returncode not in allowed:
        raise SystemExit(f"{' '.join(command)}: exit {done.returncode}\n{done.stderr}")
    return time.perf_counter() - start


def medians(runs: int, *commands: Callable[[], float]) -> list[float]:
    """The median of each command, interleaved, after one unmeasured round that warms the caches."""
    taken: list[list[float]] = [[] for _ in commands]
    for turn in range(runs + 1):
        for times, command in zip(taken, commands, strict=True):
            value = command()
            if turn:
                times.append(value)
    return [statistics.median(times) for times in taken]


def floor_script(stack: str) -> str:
    """A script that does nothing but import the SDK modules that planning the stack uses."""
    command = [sys.executable, "-c", _MODULES, stack]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)  # noqa: S603 -- ours
    modules: list[str] = json.loads(done.stdout)
    # Modules of the SDK are lazy: only the first attribute loads one.
    return "\n".join(["import pulumi, pulumi_aws", *(f"hasattr(pulumi_aws.{module}, '_')" for module in modules)])


def against_imports(stack: str, runs: int) -> dict[str, float]:
    """`gpufleet plan` of a stack beside the bare imports."""
    script = floor_script(stack)
    floor, plan, judged = medians(
        runs,
        lambda: seconds((sys.executable, "-c", script), ROOT),
        lambda: seconds((*CLI, "plan", stack, "--json", "--no-policies"), ROOT),
        lambda: seconds((*CLI, "plan", stack, "--json"), ROOT),
    )
    return {"floor_seconds": floor, "plan_without_policies": plan / floor, "plan": judged / floor}


def growth(runs: int) -> list[dict[str, float]]:
    """Seconds per 100 resources beyond start-up, from 100 to 5,000 resources of a generated program."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder)
        (program / "Pulumi.yaml").write_text("name: bench\nruntime: python\n")
        (program / "__main__.py").write_text(_PROGRAM)
        for size in (0, *SIZES):
            (program / f"Pulumi.n{size}.yaml").write_text(f"config:\n  bench:vpcs: {size // _PER_VPC}\n")

        def plan(size: int) -> Callable[[], float]:
            command = (*CLI, "plan", f"n{size}", "--json", "--policy-pack", str(ROOT / "policies"))
            return lambda: seconds(command, program, allowed=(0, 1))  # what it builds breaks rules

        start, *rest = medians(runs, *(plan(size) for size in (0, *SIZES)))
    per_hundred = [(took - start) / size * 100 for took, size in zip(rest, SIZES, strict=True)]
    return [
        {"resources": size, "seconds_per_100": value, "against_smallest": value / per_hundred[0]}
        for size, value in zip(SIZES, per_hundred, strict=True)
    ]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=7, help="measured runs of each command (default 7)")
    parser.add_argument("--json", action="store_true", help="one JSON document")
    options = parser.parse_args()
    console = Console(stderr=options.json)
    imports: dict[str, dict[str, float]] = {}
    for stack in STACKS:
        with console.status(f"plan {stack} beside bare imports"):
            imports[stack] = against_imports(stack, options.runs)
    with console.status("growth with resources"):
        sizes = growth(max(3, options.runs // 2))
    if options.json:
        print(json.dumps({"against_imports": imports, "growth": sizes}, indent=1))
        return
    table = Table(title=f"medians of {options.runs} runs; the floor is the bare import of the SDK modules in use")
    table.add_column("what")
    table.add_column("ratio", justify="right")
    for stack, found in imports.items():
        floor = f"floor {found['floor_seconds']:.2f} s"
        table.add_row(f"gpufleet plan {stack} / {floor}", f"{found['plan']:.2f}")
        table.add_row(f"gpufleet plan {stack} --no-policies / {floor}", f"{found['plan_without_policies']:.2f}")
    for row in sizes:
        label = (
            f"{row['resources']:.0f} resources: {row['seconds_per_100']:.3f} s per 100, against {SIZES[0]} resources"
        )
        table.add_row(label, f"{row['against_smallest']:.2f}")
    console.print(table)


if __name__ == "__main__":
    main()

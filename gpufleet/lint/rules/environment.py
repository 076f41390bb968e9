"""Environment variables that do harm."""

from collections.abc import Iterator

from gpufleet.facts import efa
from gpufleet.lint.case import Case
from gpufleet.lint.findings import ERROR, WARNING, Finding, Rule

HARMFUL = Rule(
    name="env-better-unset",
    severity=WARNING,
    why="EFA's plugin for NCCL sets it by the instance type, and what was right for one type is wrong for the next",
)
SHM_OFF = Rule(
    name="nccl-shm-disabled",
    severity=ERROR,
    why="the GPUs of a node then talk over the network; what it hides is a /dev/shm that is too small",
)
RULES = (HARMFUL, SHM_OFF)


def check(case: Case) -> Iterator[Finding]:
    """Variables of containers that compute."""
    known = {variable.name: variable.why for variable in efa.left_alone()}
    for container in case.workload.computing:
        for name, (location, value) in container.env.items():
            if name in known:
                yield case.finding(
                    HARMFUL,
                    location,
                    found=f"{name}={value}",
                    needed=f"nothing: {known[name]}",
                    fix=f"take {name} out",
                )
            elif name == "NCCL_SHM_DISABLE" and str(value) not in ("", "0", "None"):
                yield case.finding(
                    SHM_OFF,
                    location,
                    found=f"{name}={value}",
                    needed="shared memory that is large enough",
                    fix=f"take {name} out, and mount a volume in memory at /dev/shm",
                )

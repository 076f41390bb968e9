"""How a workload ends: by itself, when told to, or never."""

import re
from collections.abc import Iterator

from gpufleet.facts import interruptions
from gpufleet.lint import quantities
from gpufleet.lint.case import Case
from gpufleet.lint.findings import ERROR, WARNING, Finding, Rule
from gpufleet.lint.pools import Pool
from gpufleet.lint.workloads import entries
from gpufleet.plan.values import is_list

DO_NOT_DISRUPT = "karpenter.sh/do-not-disrupt"
DEFAULT_GRACE_SECONDS = 30
"""Kubernetes' own."""
_SHELL = re.compile(r"(.*/)?(ba|da|z|a)?sh")

GRACE = Rule(
    name="grace-too-short",
    severity=ERROR,
    why="the process is killed before the last checkpoint is written",
)
NOTICE = Rule(
    name="grace-beyond-notice",
    severity=WARNING,
    why="EC2 ends a spot instance when the notice is over, whatever the pod was promised",
)
DISRUPTED = Rule(
    name="do-not-disrupt-missing",
    severity=WARNING,
    why="Karpenter moves pods to tidy up, and what runs to its end begins anew: the last pod of a job above all",
)
NOT_TEXT = Rule(
    name="do-not-disrupt-not-text",
    severity=ERROR,
    why="the API refuses an annotation that is no text",
)
DEADLINE = Rule(
    name="no-deadline",
    severity=WARNING,
    why="a job that hangs and must not be disrupted holds its accelerators until somebody looks",
)
RESTART = Rule(
    name="restart-policy",
    severity=ERROR,
    why="the API refuses a Job whose pods restart for ever, which is what a pod does where it does not say",
)
SIGNALS = Rule(
    name="shell-keeps-signals",
    severity=WARNING,
    why="a shell that stays in front keeps the word to end for itself, and the program is killed without warning",
)
RULES = (GRACE, NOTICE, DISRUPTED, NOT_TEXT, DEADLINE, RESTART, SIGNALS)


def check(case: Case) -> Iterator[Finding]:
    """What is cut short, and what goes on for ever."""
    workload, pool = case.workload, case.pool
    yield from _restarts(case)
    if not workload.computing:
        return
    if not workload.partial:
        if pool is not None and pool.certain:
            yield from _grace(case, pool)
        yield from _undisturbed(case)
        yield from _signals(case)
    if workload.ends and not workload.has_deadline and _kept(case):
        yield case.finding(
            DEADLINE,
            workload.at_spec,
            found="no activeDeadlineSeconds",
            needed="the longest that it may take",
            fix="activeDeadlineSeconds: 86400",
        )


def _grace(case: Case, pool: Pool) -> Iterator[Finding]:
    given = case.workload.spec.get("terminationGracePeriodSeconds")
    grace = given if isinstance(given, int) else DEFAULT_GRACE_SECONDS
    at = case.workload.at_spec
    location = (*at, "terminationGracePeriodSeconds") if given is not None else at
    waits = _waits(case)
    needed = (pool.grace_seconds or 0) + waits
    if grace < needed and (case.workload.ends or pool.purchase == "spot"):
        yield case.finding(
            GRACE,
            location,
            found=f"{grace} s" if given is not None else f"{grace} s, Kubernetes' own",
            needed=f"{needed} s on {pool.name}{f', {waits} s before the program hears of it' if waits else ''}",
            fix=f"terminationGracePeriodSeconds: {needed}",
        )
    elif pool.purchase == "spot" and grace > interruptions.SPOT_NOTICE_SECONDS:
        yield case.finding(
            NOTICE,
            location,
            found=f"{grace} s",
            needed=f"at most the {interruptions.SPOT_NOTICE_SECONDS} s of notice",
            fix=f"terminationGracePeriodSeconds: {interruptions.SPOT_NOTICE_SECONDS}",
        )


def _waits(case: Case) -> int:
    """Seconds that a preStop hook sleeps; they count against the same grace."""
    sleeps = [0]
    for container in case.workload.computing:
        hook = entries(entries(container.body.get("lifecycle")).get("preStop"))
        sleeps.append(quantities.count(entries(hook.get("sleep")).get("seconds")))
        command = entries(hook.get("exec")).get("command")
        if is_list(command) and len(command) == 2 and command[0] == "sleep":
            sleeps.append(quantities.count(command[1]))
    return max(sleeps)


def _undisturbed(case: Case) -> Iterator[Finding]:
    workload, pool = case.workload, case.pool
    annotations = entries(workload.metadata.get("annotations"))
    at = (*workload.location, "metadata")
    value = annotations.get(DO_NOT_DISRUPT)
    if value is not None and not isinstance(value, str):
        yield case.finding(
            NOT_TEXT,
            (*at, "annotations", DO_NOT_DISRUPT),
            found=f"{str(value).lower() if isinstance(value, bool) else value} without quotes",
            needed="text",
            fix=f'annotations: {{{DO_NOT_DISRUPT}: "true"}}',
        )
    elif value is None and workload.ends and pool is not None and pool.scaler == "karpenter":
        yield case.finding(
            DISRUPTED,
            (*at, "annotations") if annotations else at,
            found="nothing that says so",
            needed=f"{DO_NOT_DISRUPT} on what runs to its end on {pool.name}",
            fix=f'annotations: {{{DO_NOT_DISRUPT}: "true"}}',
        )


def _kept(case: Case) -> bool:
    """Whether nothing but a deadline would end it."""
    return case.workload.partial or DO_NOT_DISRUPT in entries(case.workload.metadata.get("annotations"))


def _restarts(case: Case) -> Iterator[Finding]:
    spec = case.workload.spec
    policy = spec.get("restartPolicy")
    if case.workload.document.kind in ("Job", "CronJob", "JobSet") and policy not in ("Never", "OnFailure"):
        location = case.workload.at_spec
        yield case.finding(
            RESTART,
            (*location, "restartPolicy") if policy is not None else location,
            found=str(policy or "none, which is Always"),
            needed="Never or OnFailure",
            fix="restartPolicy: Never",
        )


def _signals(case: Case) -> Iterator[Finding]:
    for container in case.workload.computing:
        parts = [container.body.get(key) for key in ("command", "args")]
        line = [str(word) for part in parts if is_list(part) for word in part]
        shell = len(line) > 2 and _SHELL.fullmatch(line[0]) and line[1].startswith("-") and "c" in line[1]
        if case.workload.ends and shell and not re.search(r"(^|[\s;&])exec\s|\btrap\s", line[2]):
            yield case.finding(
                SIGNALS,
                (*container.location, "command" if container.body.get("command") else "args"),
                found=f"{line[0]} {line[1]} without exec",
                needed="the program itself, or exec before it",
                fix=f'command: ["{line[0]}", "{line[1]}", "exec ..."]',
            )

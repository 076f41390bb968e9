"""`gpufleet compare PROD DEV`: where is the first environment weaker than the second?"""

import time
from collections import Counter
from datetime import date
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape

from gpufleet.check import formats
from gpufleet.check.compare import graph, policies, settings
from gpufleet.check.compare.loosened import RULE, Loosened, shown
from gpufleet.check.verdict import Verdict
from gpufleet.errors import UsageError
from gpufleet.plan import planning, report, waivers, waiving
from gpufleet.plan.planning import Judged
from gpufleet.plan.project import Project
from gpufleet.plan.violations import Violation

_WHERE = ("settings", "plan", "policies")
_SEVERITIES = ("critical", "high", "medium", "low", "unspecified")


def run(
    project: Project,
    other: Project,
    *,
    policy_pack: Path | None = None,
    policy_config: Path | None = None,
    format_: str = "table",
    output: Path | None = None,
) -> bool:
    """Compare, print or write what was found, and return whether the first is nowhere weaker.

    Args:
        project: the environment that matters.
        other: the one that it must not fall short of.
        policy_pack: the folder of a policy pack that judges both; None to compare inputs and settings alone.
        policy_config: its configuration, for both.
        format_: one of `formats.FORMATS`.
        output: a file for it; the table then goes to stdout.

    Raises:
        UsageError: the arguments, the settings or the program of either are wrong.
        MissingError: the file cannot be written.
    """
    formats.require(format_)
    if (project.directory, project.stack, project.source) == (other.directory, other.stack, other.source):
        raise UsageError(
            f"{project.stack} {other.stack}: one stack twice\n  allowed: two stacks\n  fix: name another one"
        )
    started = time.perf_counter()
    ours, theirs = (
        planning.judge(one, policy_pack=policy_pack, policy_config=policy_config, side_by_side=True)
        for one in (project, other)
    )
    found, compared = _loosened(ours, theirs)
    violations = _violations(found, project, other.stack)
    judged = Verdict(
        command="compare",
        project=project.name,
        stack=project.stack,
        source=project.directory / project.source,
        kind="environments",
        urns=tuple(resource.urn for resource in ours.update.resources),
        rules=(RULE, waiving.EXPIRED, waiving.UNUSED),
        violations=tuple(violations),
        waivers=tuple(waiver for waiver in waivers.read(project) if waiver.rule == RULE.name),
        seconds=round(time.perf_counter() - started, 3),
    )
    weaker = [loosened.as_document() for loosened in found]
    document: dict[str, Any] = {**judged.as_document(), "than": other.stack, "compared": compared, "weaker": weaker}
    formats.emit(
        judged,
        lambda out: _print(out, judged, found, other.stack, compared),
        format_=format_,
        output=output,
        document=document,
    )
    return judged.ok


def _loosened(ours: Judged, theirs: Judged) -> tuple[list[Loosened], int]:
    """What is weaker, settings first, and how many values were held against each other."""
    in_settings, settings_compared = settings.compare(ours.project, theirs.project)
    in_plan = graph.compare(ours.update, theirs.update)
    found = [*in_settings, *in_plan.loosened, *policies.compare(ours, theirs)]
    found.sort(key=lambda one: (_WHERE.index(one.where), _SEVERITIES.index(one.severity), one.path, one.urn))
    return found, settings_compared + in_plan.values + len(ours.rules)


def _violations(found: list[Loosened], project: Project, other: str) -> list[Violation]:
    """Each as a violation; a waiver of the rule may name the resource or the setting's path."""
    given = [waiver for waiver in waivers.read(project) if waiver.rule == RULE.name]
    paths = {loosened.as_violation(other): loosened.path for loosened in found}
    stack = waiving.stack_urn(project.stack, project.name)
    return waiving.apply(
        paths,
        given,
        stack=stack,
        today=date.today(),
        names=lambda violation: (violation.urn or stack, paths[violation]),
    )


def _print(out: Console, judged: Verdict, found: list[Loosened], other: str, compared: int) -> None:
    in_force = {violation for violation in judged.violations if violation.waiver is not None}
    out.print(
        f"[bold]{escape(judged.name)}[/] against [bold]{escape(other)}[/]  {compared} values compared in "
        f"{judged.seconds:.1f} s"
    )
    rows = Counter(
        (
            loosened.as_violation(other) in in_force,
            _what(loosened),
            _against(loosened, judged.stack, other),
            loosened.why,
            _mark(loosened),
        )
        for loosened in found
    )
    for (waived, what, against, why, mark), count in rows.items():
        times = f" ({count} resources)" if count > 1 else ""
        out.print(f"  {'[cyan]waived[/]' if waived else mark} [bold]{escape(what)}[/]{times}", soft_wrap=True)
        out.print(f"    {escape(against)}; {escape(why)}", soft_wrap=True)
    out.print()
    about_waivers = [violation for violation in judged.violations if violation.rule != RULE.name]
    waived = [violation for violation in judged.violations if violation.waiver is not None]
    if about_waivers or waived:
        report.print_violations(out, [*about_waivers, *waived])
    verdict = f"{escape(judged.stack)} is nowhere weaker than {escape(other)}"
    if found and judged.ok:
        verdict += ", but for what is waived"
    weaker = f"[bold red]{escape(judged.stack)} is weaker than {escape(other)}[/]"
    out.print(f"[bold green]{verdict}[/]" if judged.ok else weaker)


def _what(loosened: Loosened) -> str:
    name = loosened.urn.rsplit("::", 1)[-1]
    return f"{name} {loosened.path}" if name else loosened.path


def _against(loosened: Loosened, stack: str, other: str) -> str:
    return f"{stack}: {shown(loosened.value)}, {other}: {shown(loosened.than)}"


def _mark(loosened: Loosened) -> str:
    colour = "red" if loosened.severity in ("critical", "high") else "yellow"
    return f"[{colour}]{loosened.severity}[/]"

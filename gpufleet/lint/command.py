"""`gpufleet lint`: what a workload asks for, held against the pool that it goes to."""

from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape

from gpufleet.documents import print_json
from gpufleet.errors import UsageError
from gpufleet.explain import pools as explained
from gpufleet.lint import documents, pools
from gpufleet.lint.documents import Document
from gpufleet.lint.findings import ERROR, Finding
from gpufleet.lint.linting import Judged, Verdict, judge
from gpufleet.plan import planning
from gpufleet.plan.project import Project


def run(sources: Sequence[str], project: Project | None, *, as_json: bool) -> bool:
    """Judge manifests and print; return whether nothing found is an error.

    Args:
        sources: files, `-` for standard input.
        project: the stack whose pools they go to; None to go by the instance types that they select.
        as_json: one document on stdout instead of tables.

    Raises:
        UsageError: a file cannot be read or holds no object, the settings are wrong, or the stack has no pools.
    """
    if not sources:
        raise UsageError("which manifests?\n  fix: name files, or - for standard input")
    found = [document for source in dict.fromkeys(sources) for document in documents.read(source)]
    verdict = _judge(found, sources, project)
    if as_json:
        print_json(verdict.as_document())
    else:
        _print(verdict)
    return verdict.ok


def _judge(found: Sequence[Document], sources: Sequence[str], project: Project | None) -> Verdict:
    if not found:
        raise UsageError(f"{', '.join(sources)}: no object is in there\n  fix: name files with manifests")
    if project is None:
        return judge(found, None)
    update = planning.run(project, preview=False)
    name = f"{update.project}/{update.stack}"
    designs = explained.designs(update)
    if not designs:
        raise UsageError(
            f"{name}: the stack has no pools of gpufleet's\n  fix: leave --stack out to go by instance types"
        )
    return judge(found, pools.of_designs(designs), stack=name)


def _print(verdict: Verdict) -> None:
    from gpufleet.plan.report import console

    out = console()
    for one in verdict.judged:
        asked = ", ".join(f"{count} {resource}" for resource, count in one.workload.accelerators.items())
        title = f"{one.workload.document.source}  {one.workload.title}  {_where(one)}  {asked or 'no accelerator'}"
        clean = "" if one.findings else "  [green]nothing found[/]"
        out.print(f"[bold]{escape(title)}[/]{clean}", soft_wrap=True)
        for finding in one.findings:
            _print_finding(out, finding)
    errors = sum(finding.rule.severity == ERROR for finding in verdict.findings)
    whose = f"for {verdict.stack}" if verdict.stack else "by instance types alone (--stack STACK knows the pools)"
    counted = [
        f"{_counted(len(verdict.judged), 'workload')} judged {whose}",
        f"{_counted(verdict.others, 'other')} without accelerators",
        _counted(errors, "error"),
        _counted(len(verdict.findings) - errors, "warning"),
    ]
    out.print(escape(", ".join(counted)), soft_wrap=True)
    out.print("[bold green]nothing is in the way[/]" if verdict.ok else "[bold red]this will not run as it is meant[/]")


def _print_finding(out: Console, finding: Finding) -> None:
    severity, color = finding.rule.severity, "red" if finding.rule.severity == ERROR else "yellow"
    head = f"  {finding.line:>4}  [{color}]{severity}[/]  [bold]{finding.rule.name}[/]  {escape(finding.path)}"
    out.print(head, soft_wrap=True)
    for name, text in (
        ("found", f"{finding.found}; needed: {finding.needed}"),
        ("why", finding.rule.why),
        ("fix", finding.fix),
    ):
        out.print(f"        [dim]{name:<5}[/] {escape(text)}", soft_wrap=True)


def _where(judged: Judged) -> str:
    if judged.pool is None:
        return "pool unknown"
    return f"pool {judged.pool.name}" if judged.pool.certain else judged.pool.name


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"

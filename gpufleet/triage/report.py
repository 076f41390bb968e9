"""A triage as a person reads it: what was read, each cause with its evidence, what to try, what nobody could see."""

from collections.abc import Sequence

from rich.markup import escape

from gpufleet.plan import report
from gpufleet.triage.findings import CATEGORIES, Finding
from gpufleet.triage.inputs import Input

_COLOURS = {"critical": "red", "major": "yellow", "minor": "cyan"}
_EVIDENCE = 6
"""Lines of evidence shown of a cause; --json has all."""


def show(taken: Sequence[Input], found: Sequence[Finding], missing: Sequence[tuple[str, str]], *, devices: int) -> None:
    """Print the report."""
    out = report.console()
    for one in taken:
        out.print(
            f"[bold]{escape(one.file)}[/]  {one.format}, {one.lines:,} line{'s' * (one.lines != 1)}", soft_wrap=True
        )
        for note in one.notes:
            out.print(f"  [yellow]note:[/] {escape(note)}", soft_wrap=True)
    out.print()
    for number, finding in enumerate(found, start=1):
        colour = _COLOURS[finding.severity]
        out.print(
            f"[bold]{number}. {escape(finding.title)}[/]  [{colour}]{finding.severity}[/], {finding.category}",
            soft_wrap=True,
        )
        for evidence in finding.evidence[:_EVIDENCE]:
            where = f"  [dim]{escape(str(evidence.place))}[/]" if evidence.place else ""
            out.print(f"   {escape(evidence.text)}{where}", soft_wrap=True)
        if (more := len(finding.evidence) - _EVIDENCE) > 0:
            out.print(f"   and {more} more; --json has all")
        for index, step in enumerate(finding.next):
            out.print(f"   [green]{'try:' if index == 0 else 'then:'}[/] {escape(step)}", soft_wrap=True)
        out.print()
    for category, needs in missing:
        out.print(f"[dim]not looked at:[/] {category}; give {escape(needs)}", soft_wrap=True)
    if found:
        counted = f"{len(found)} cause{'s' * (len(found) > 1)}"
        out.print(f"[bold]{counted}[/], in the order in which to look: {', '.join(CATEGORIES)}")
    else:
        about = f" of {devices} GPU{'s' * (devices > 1)}" if devices else ""
        out.print(f"[bold green]nothing found[/] in the readings{about}")

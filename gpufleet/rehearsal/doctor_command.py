"""`gpufleet doctor`: what a rehearsal finds on this machine, and what it would do about the rest."""

from itertools import groupby

from rich.markup import escape

from gpufleet.documents import print_json
from gpufleet.plan import report

SCHEMA = 1


def run(as_json: bool) -> bool:
    """Print what is found where; builds and installs nothing.

    Returns:
        Whether a rehearsal can be started without building or installing anything first, Kubernetes aside: it needs
        a control plane for programs with Kubernetes objects only.
    """
    # Late: the engine's and the control plane's finders want the `rehearsal` extra.
    from gpufleet.rehearsal.controlplane import doctor

    findings = doctor.examine()
    ready = all(finding.found for finding in findings if finding.name in (doctor.ENGINE, *doctor.PACKAGES))
    if as_json:
        document = {"schema": SCHEMA, "ok": ready, "findings": [finding.as_document() for finding in findings]}
        print_json(document)
        return ready
    out = report.console()
    columns = (("", "left"), ("what", "left"), ("version", "left"), ("where, or what follows", "left"))
    table = report.new_table(*columns, title="What a rehearsal finds here")
    for part, group in groupby(findings, key=lambda finding: finding.part):
        table.add_section()
        for number, finding in enumerate(group):
            where = f"{finding.where} ({finding.origin})" if finding.origin else finding.where or ""
            told = "\n".join(text for text in (where, finding.note) if text)
            colour = "green" if finding.found else "yellow"
            table.add_row(
                part if number == 0 else "", f"[{colour}]{finding.name}[/]", finding.version or "", escape(told)
            )
    out.print(table)
    out.print("[green]a rehearsal can start[/]" if ready else "[yellow]a rehearsal would first need what is missing[/]")
    return ready

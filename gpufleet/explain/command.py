"""Print every decision about a pool, each with its reason."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.markup import escape

from gpufleet.documents import print_json
from gpufleet.explain import pools
from gpufleet.plan import planning
from gpufleet.plan.project import Project

SCHEMA = 1


def run(project: Project, pool: str | None, *, as_json: bool) -> bool:
    """Explain one pool of a stack, or all of them.

    Raises:
        UsageError: the settings are wrong, or there is no such pool.
    """
    update = planning.run(project, preview=False)
    found = pools.designs(update)
    chosen = pools.named(found, pool) if pool is not None else found
    if as_json:
        document = {"schema": SCHEMA, "stack": update.stack, "project": update.project, "pools": list(chosen)}
        print_json(document)
    else:
        _print(f"{update.project}/{update.stack}", chosen)
    return True


def _print(stack: str, chosen: Sequence[Mapping[str, Any]]) -> None:
    from gpufleet.plan.report import console, new_table

    out = console()
    if not chosen:
        out.print(f"[bold]{escape(stack)}[/]  no pools of gpufleet's")
    for design in chosen:
        title = f"{stack}  pool {design['pool']}  ({design['component']})"
        table = new_table(("decision", "left"), ("choice", "left"), ("because", "left"), title=escape(title))
        for decision in design["decisions"]:
            table.add_row(*(escape(str(decision[key])) for key in ("about", "choice", "because")))
        out.print(table)
        for warning in design["warnings"]:
            out.print(f"  [yellow]warning:[/] {escape(str(warning))}", soft_wrap=True)
        if design["warnings"]:
            out.print()

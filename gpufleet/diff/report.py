"""A difference as a person reads it in a terminal: first what would be lost, then the rest."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.markup import escape

from gpufleet.cost.report import signed
from gpufleet.plan import report

MARKS = {"delete": "-", "replace": "-/+", "update-or-replace": "~?", "update": "~", "create": "+"}
_COLOURS = {"delete": "red", "replace": "red", "update-or-replace": "yellow", "update": "yellow", "create": "green"}
_COLUMNS = {
    "hourly_minimum": "floor USD/h",
    "hourly_expected": "expected",
    "hourly_maximum": "ceiling",
    "monthly_minimum": "floor USD/month",
    "monthly_expected": "expected",
    "monthly_maximum": "ceiling",
}
_PATHS = 6
"""Changed inputs shown of a resource; those that force a replacement always."""


def print_difference(document: Mapping[str, Any]) -> None:
    """Print what `Difference.as_document` says."""
    out = report.console()
    name = f"{escape(document['project'])}/{escape(document['stack'])}"
    out.print(f"[bold]{name}[/]  {escape(document['before'])} -> {escape(document['after'])}\n", soft_wrap=True)
    _print_losses(out, document)
    _print_resources(out, document)
    _print_policies(out, document["policies"])
    _print_money(out, document["cost"])
    out.print(f"[bold {'green' if document['ok'] else 'red'}]{verdict(document)}[/]")


def verdict(document: Mapping[str, Any]) -> str:
    """What it comes to, in a line."""
    open_losses = [loss for loss in document["losses"] if not loss["allowed"]]
    if open_losses:
        count = len(open_losses)
        return f"refused: {count} loss{'' if count == 1 else 'es'} of data or of a cluster that nobody agreed to"
    if not document["ok"]:
        return "refused: mandatory rules are broken that held before"
    if not any(document["counts"].values()):
        return "no resource changes"
    return "the change loses nothing that was not agreed to, and breaks no mandatory rule that held before"


def _print_losses(out: Console, document: Mapping[str, Any]) -> None:
    if not document["losses"]:
        return
    out.print("[bold red]What would be lost[/]")
    for loss in document["losses"]:
        agreed = "  [green]agreed to[/]" if loss["allowed"] else ""
        out.print(f"  [red]{loss['action']}[/] {escape(loss['urn'])}{agreed}", soft_wrap=True)
        out.print(f"    lost: {escape(loss['lost'])}", soft_wrap=True)
        for path in _forcing(document, loss["urn"]):
            out.print(f"    forced by {escape(path)}", soft_wrap=True)
        if not loss["allowed"]:
            out.print(f"    to agree: --allow-data-loss '{escape(loss['urn'])}'", soft_wrap=True)
    out.print()


def _forcing(document: Mapping[str, Any], urn: str) -> list[str]:
    found = next(each for each in document["resources"] if each["urn"] == urn)
    if found["action"] == "update":
        return [why(each) for each in found["properties"]]
    return [why(each) for each in found["properties"] if each["replaces"]] or list(filter(None, [found["because"]]))


def why(change: Mapping[str, Any]) -> str:
    """One changed input: `path: before -> after`."""
    if change["before"] is None and change["after"] is None:
        return f"{change['path']}"
    return f"{change['path']}: {_side(change['before'])} -> {_side(change['after'])}"


def _side(value: str | None) -> str:
    return "(not set)" if value is None else value


def _print_resources(out: Console, document: Mapping[str, Any]) -> None:
    counts = {action: count for action, count in document["counts"].items() if count}
    said = ", ".join(f"{count} {action}" for action, count in counts.items()) or "none changes"
    out.print(f"[bold]Resources[/]  {said}, {document['unchanged']} unchanged")
    for found in document["resources"]:
        colour, action = _COLOURS[found["action"]], found["action"]
        where = f"  in {found['component']}" if found["component"] not in ("", found["name"]) else ""
        kind = found["type"].rsplit(":", 1)[1]
        line = f"  [{colour}]{MARKS[action]:>3} {action}[/] [bold]{escape(found['name'])}[/]  {kind}{escape(where)}"
        out.print(f"{line}{escape(_followed(found))}", soft_wrap=True)
        if found["was"]:
            out.print(f"        was {escape(found['was'])}", soft_wrap=True)
        if found["protected"]:
            out.print("        protected: the engine refuses until the protection is taken off")
        if action == "update-or-replace":
            out.print("        whether in place or by a replacement is not known of this type")
        if not found["follows"]:
            _print_properties(out, found["properties"])
    out.print()


def _followed(found: Mapping[str, Any]) -> str:
    """Of what only follows from another resource, a line is enough: by which of its inputs."""
    if found["because"]:
        return f"  follows {found['because'].rsplit('::', 1)[-1]}, which is replaced"
    if not found["follows"]:
        return ""
    forcing = [change["path"] for change in found["properties"] if change["replaces"]]
    return f"  follows by {', '.join(forcing or [change['path'] for change in found['properties'][:_PATHS]])}"


def _print_properties(out: Console, properties: Sequence[Mapping[str, Any]]) -> None:
    changes = sorted(properties, key=lambda change: not change["replaces"])
    shown = [change for index, change in enumerate(changes) if change["replaces"] or index < _PATHS]
    for change in shown:
        forced = "  [red]forces the replacement[/]" if change["replaces"] else ""
        out.print(f"        {escape(why(change))}{forced}", soft_wrap=True)
    if len(changes) > len(shown):
        out.print(f"        and {len(changes) - len(shown)} more")


def _print_policies(out: Console, policies: Mapping[str, Sequence[Mapping[str, Any]]]) -> None:
    new, gone = policies["new"], policies["gone"]
    out.print(f"[bold]Policies[/]  {len(new)} new violation{'' if len(new) == 1 else 's'}, {len(gone)} gone")
    for word, colour, found in (("new", "red", new), ("gone", "green", gone)):
        for violation in found:
            name = violation["urn"].rsplit("::", 1)[-1] or "the stack"
            rule = f"[bold]{escape(violation['rule'])}[/]"
            out.print(f"  [{colour}]{word}[/] {violation['level']} {rule} on {escape(name)}", soft_wrap=True)
            if word == "new":
                out.print(f"    {escape(violation['message'])}", soft_wrap=True)
                out.print(f"    [green]fix:[/] {escape(violation['fix'])}", soft_wrap=True)
    out.print()


def _print_money(out: Console, cost: Mapping[str, Any]) -> None:
    rows = cost["by_component"]
    if not rows:
        out.print("[bold]Money[/]  no change\n")
        return
    keys = [key for key in _COLUMNS if key in cost["change"]]
    columns = (("component", "left"), *((_COLUMNS[key], "right") for key in keys))
    table = report.new_table(*columns, title=f"Money, what it changes by; list prices of {cost['prices_as_of']}")
    for row in rows:
        table.add_row(escape(row["component"]), *(signed(row["change"][key]) for key in keys))
    table.add_section()
    table.add_row("[bold]change[/]", *(f"[bold]{signed(cost['change'][key])}[/]" for key in keys))
    for side in ("before", "after"):
        table.add_row(side, *(f"{cost[side][key]:,.2f}" for key in keys))
    out.print(table)
    if cost["prices_differ"]:
        out.print("  [yellow]the two sides were priced by different price lists[/]")

"""Results as a person reads them: what is well, what is not and how to mend it, what could not be asked."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from rich.console import Console
from rich.markup import escape

from gpufleet.plan import report
from gpufleet.preflight.checks import NAMES
from gpufleet.preflight.results import COULD_NOT_ASK, FAILED, PASSED

_MARKS = {PASSED: "[green]pass[/]", FAILED: "[red]fail[/]", COULD_NOT_ASK: "[yellow]could not ask[/]"}
_ORDER = (FAILED, COULD_NOT_ASK, PASSED)
_ROWS = 15
"""Candidates shown of a pool; --json has all."""


def print_results(document: Mapping[str, Any]) -> None:
    """Print what the document of a preflight says."""
    out = report.console()
    _head(out, document)
    table = report.new_table(("check", "left"), ("region", "left"), ("", "left"), ("what", "left"), title="Checks")
    ordered = sorted(
        document["results"], key=lambda one: (NAMES.index(one["check"]), one["region"], _ORDER.index(one["status"]))
    )
    for (check, region, status), group in groupby(
        ordered, key=lambda one: (one["check"], one["region"], one["status"])
    ):
        table.add_row(check, region, _MARKS[status], escape("\n".join(_lines(list(group)))))
    out.print(table)
    _fixes(out, [one for one in document["results"] if one["status"] == FAILED], "[bold]To mend[/]")
    _fixes(out, [one for one in document["results"] if one["status"] == PASSED and one["fix"]], "[bold]Advice[/]")
    _missing(out, document["missing_permissions"])
    _verdict(out, document)


def _lines(group: Sequence[Mapping[str, Any]]) -> list[str]:
    """A line for each result; those that lack the same permission share one."""
    lacking: dict[str, list[str]] = {}
    for one in group:
        if one["permission"]:
            lacking.setdefault(one["permission"], []).append(_subject(one))
    said = [one["what"] for one in group if not one["permission"]]
    return [*said, *(f"{name} is missing, for: {', '.join(whats)}" for name, whats in lacking.items())]


def _subject(one: Mapping[str, Any]) -> str:
    return str(one["what"]).partition(": ")[0]


def _head(out: Console, document: Mapping[str, Any]) -> None:
    accounts = f"account {', '.join(document['accounts'])}" if document["accounts"] else "no account"
    name = f"{escape(document['project'])}/{escape(document['stack'])}"
    out.print(f"[bold]{name}[/]  {accounts}, {document['at'][:19]} UTC, {document['seconds']:.1f} s\n")


def _fixes(out: Console, results: Sequence[Mapping[str, Any]], title: str) -> None:
    """Outside of a table, so that a command can be copied whole."""
    if not results:
        return
    out.print(title)
    for one in results:
        # The table says the rest of it.
        out.print(f"  {one['check']} {one['region']}: {escape(_subject(one))}", soft_wrap=True)
        for line in one["fix"].splitlines():
            mark = "[bold]fix:[/] " if one["status"] == FAILED else ""
            out.print(f"    {mark}{escape(line)}", soft_wrap=True)
    out.print()


def _missing(out: Console, permissions: Sequence[str]) -> None:
    if permissions:
        out.print("[bold]Permissions that are missing[/], of docs/security/preflight-policy.json")
        for permission in permissions:
            out.print(f"  {permission}")
        out.print()


def _verdict(out: Console, document: Mapping[str, Any]) -> None:
    counts = document["summary"]
    said = f"{counts[PASSED]} pass, {counts[FAILED]} fail, {counts[COULD_NOT_ASK]} could not be asked"
    if not document["ok"]:
        out.print(f"[bold red]not ready[/]: {said}")
    elif counts[COULD_NOT_ASK]:
        out.print(f"[bold yellow]nothing found against it[/]: {said}")
    else:
        out.print(f"[bold green]ready[/]: {said}")


def print_suggestions(document: Mapping[str, Any]) -> None:
    """Print where each pool could be, best first."""
    out = report.console()
    _head(out, document)
    for suggestion in document["suggestions"]:
        table = report.new_table(
            ("region", "left"),
            ("zone", "left"),
            ("types offered", "left"),
            ("quota / needed vCPUs", "right"),
            ("spot score", "right"),
            ("USD per hour", "right"),
            title=f"Pool {escape(suggestion['pool'])}, {suggestion['purchase']}, now in {suggestion['region']}",
        )
        shown, rest = suggestion["candidates"][:_ROWS], suggestion["candidates"][_ROWS:]
        for one in [*shown, *(one for one in rest if one["here"])]:
            score = "" if one["score"] is None else f"{one['score']} of 10"
            price = "?" if one["usd_hour"] is None else f"{one['usd_hour']:.4f} {one['price']}"
            zone = f"{one['zone']} [bold](here)[/]" if one["here"] else one["zone"]
            table.add_row(one["region"], zone, ", ".join(one["types"]), _quota(one), score, price)
        out.print(table)
        if len(suggestion["candidates"]) > _ROWS:
            out.print(f"  and {len(suggestion['candidates']) - _ROWS} more; --json has them all")
        if not suggestion["candidates"]:
            out.print("  [red]no zone offers any of its types[/]")
        for line in suggestion["could_not_ask"]:
            out.print(f"  [yellow]could not ask[/] {escape(line)}", soft_wrap=True)
        out.print()


def _quota(one: Mapping[str, Any]) -> str:
    have = "?" if one["quota"] is None else f"{one['quota']:g}"
    said = f"{have} / {'?' if one['vcpus'] is None else one['vcpus']}"
    return f"[red]{said}[/]" if one["fits"] is False else said

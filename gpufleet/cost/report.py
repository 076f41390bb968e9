"""A bill as a person reads it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.markup import escape

from gpufleet.plan import report

_COLUMNS = ("hourly_minimum", "hourly_expected", "hourly_maximum", "monthly_minimum", "monthly_expected")
_HEADINGS = ("floor USD/h", "expected", "ceiling", "floor USD/month", "expected", "ceiling")
_KEYS = (*_COLUMNS, "monthly_maximum")
_COMPONENTS = 14
"""Components shown; the rest are summed up in one row."""


def print_bill(document: Mapping[str, Any]) -> None:
    """Print what `Bill.as_document` says."""
    out = report.console()
    found = document["prices"]
    name = f"{escape(document['project'])}/{escape(document['stack'])}"
    out.print(f"[bold]{name}[/]  list prices of {found['as_of']}, {escape(found['from'])}; a month has 730 hours\n")
    _print_pools(out, document["pools"])
    _print_options(out, document["pools"])
    if any(group["name"] for group in document["by_workspace"]):
        _print_groups(out, "By workspace", document["by_workspace"], otherwise="(shared)")
    if len(document["by_region"]) > 1:
        _print_groups(out, "By region", document["by_region"])
    _print_groups(out, "By component", document["by_component"], total=document)
    if document["difference"] is not None:
        print_difference(out, document["difference"], "What --set changes")
    _print_assumptions(out, document)
    _print_remarks(out, document)


def print_difference(out: Console, difference: Mapping[str, Any], title: str) -> None:
    """Print what one bill has more than another, by component."""
    rows = difference["by_component"]
    if not rows:
        out.print(f"[bold]{title}[/]  nothing, in money\n")
        return
    table = report.new_table(("component", "left"), *((heading, "right") for heading in _HEADINGS), title=title)
    for row in rows:
        table.add_row(escape(row["name"]), *(signed(row[key]) for key in _KEYS))
    table.add_section()
    table.add_row("[bold]total[/]", *(f"[bold]{signed(difference[key])}[/]" for key in _KEYS))
    out.print(table)


def signed(usd: float) -> str:
    """An amount with its sign; nothing for what does not change."""
    return "" if round(usd, 2) == 0 else f"{usd:+,.2f}"


def _print_pools(out: Console, pools: Sequence[Mapping[str, Any]]) -> None:
    if not pools:
        return
    columns = (
        ("pool", "left"),
        ("bought", "left"),
        ("nodes", "right"),
        ("expected", "right"),
        ("busy", "right"),
        ("floor USD/h", "right"),
        ("expected", "right"),
        ("ceiling", "right"),
        ("expected USD/month", "right"),
    )
    table = report.new_table(*columns, title="Pools, volumes included")
    several = len({pool["region"] for pool in pools}) > 1
    for pool in pools:
        nodes = "" if pool["nodes_maximum"] is None else f"{pool['nodes_minimum']:g} to {pool['nodes_maximum']:g}"
        expected = "" if pool["nodes_expected"] is None else f"{pool['nodes_expected']:g}"
        table.add_row(
            escape(f"{pool['region']} {pool['pool']}" if several else pool["pool"]),
            f"{pool['purchase']}\n{escape(pool['what'])}",
            nodes,
            expected,
            f"{pool['utilisation']:.0%}",
            *(_usd(pool[key]) for key in _COLUMNS[:3]),
            _usd(pool["monthly_expected"]),
        )
    out.print(table)
    for use, why in {(pool["use"] or "no use stated", pool["utilisation_why"]): None for pool in pools}:
        out.print(f"  busy, {escape(use)}: {escape(why)}", soft_wrap=True)
    out.print("  busy is the share of what lies above the floor that is there on average: --utilisation POOL=SHARE\n")


def _print_options(out: Console, pools: Sequence[Mapping[str, Any]]) -> None:
    offered = [pool for pool in pools if pool["options"]]
    if not offered:
        return
    names = [option["purchase"] for option in offered[0]["options"]]
    columns = [("pool", "left"), *((name, "right") for name in names)]
    table = report.new_table(*columns, title="The expected nodes bought otherwise, USD/h without volumes")
    several = len({pool["region"] for pool in pools}) > 1
    for pool in offered:
        cells: list[str] = []
        for option in pool["options"]:
            shown = "-" if option["hourly_expected"] is None else _usd(option["hourly_expected"])
            cells.append(f"[bold]{shown}[/]" if option["purchase"] == pool["purchase"] else shown)
        table.add_row(escape(f"{pool['region']} {pool['pool']}" if several else pool["pool"]), *cells)
    out.print(table)
    out.print(
        "  reservation and capacity block: the pool's ceiling all the time, used or not; a block's fee is paid in"
    )
    out.print(
        "  advance and named by AWS with its offering, the list price stands in for it; -: cannot be had; --json: why\n"
    )


def _print_groups(
    out: Console,
    title: str,
    groups: Sequence[Mapping[str, Any]],
    *,
    otherwise: str = "",
    total: Mapping[str, Any] | None = None,
) -> None:
    table = report.new_table(("", "left"), *((heading, "right") for heading in _HEADINGS), title=title)
    for group in groups[:_COMPONENTS]:
        table.add_row(escape(group["name"] or otherwise), *(_usd(group[key]) for key in _KEYS))
    if rest := groups[_COMPONENTS:]:
        sums = (sum(group[key] for group in rest) for key in _KEYS)
        table.add_row(f"{len(rest)} smaller ones", *(_usd(value) for value in sums))
    if total is not None:
        table.add_section()
        table.add_row("[bold]total[/]", *(f"[bold]{_usd(total[key])}[/]" for key in _KEYS))
    out.print(table)


def _print_assumptions(out: Console, document: Mapping[str, Any]) -> None:
    columns = (("option", "left"), ("what", "left"), ("value", "right"), ("USD/month", "right"), ("", "left"))
    table = report.new_table(*columns, title="Assumptions")
    for entry in document["assumptions"]:
        value = f"{entry['value']:.0%}" if entry["unit"] == "share" else f"{entry['value']:,g} {entry['unit']}"
        if entry["monthly_usd"] == 0 and not entry["stated"]:
            value = "0, not stated"
        usd = "" if entry["monthly_usd"] is None else _usd(entry["monthly_usd"])
        table.add_row(entry["option"], escape(entry["what"]), value, usd, escape(entry["note"]))
    out.print(table)


def _print_remarks(out: Console, document: Mapping[str, Any]) -> None:
    found, prepaid = document["prices"], document["prepaid"]
    if prepaid["lines"]:
        ceiling = f"{_usd(prepaid['hourly_maximum'])} USD/h at the ceiling"
        out.print(f"  prepaid, apart from the monthly bill: capacity blocks, {ceiling}, contained in the sums above")
    if found["assumed_lines"]:
        of = f"{found['assumed_lines']} of {len(document['lines'])} lines"
        out.print(f"  {of} have the price of another region: gpufleet prices refresh --region REGION asks AWS")
    if found["stale"]:
        lines = f"{found['stale_lines']} of {len(document['lines'])} lines" if found["stale_lines"] else "the prices"
        out.print(
            f"  [yellow]stale:[/] {lines} have prices older than {found['stale_after_days']} days, the oldest of "
            f"{found['oldest']}: gpufleet prices refresh",
            soft_wrap=True,
        )
    if document["unpriced"]:
        kinds = Counter(entry["type"].rsplit(":", 1)[1] for entry in document["unpriced"])
        listed = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())
        out.print(f"  not priced (by use beyond the assumptions, or no list price): {listed}; --json says why of each")


def _usd(value: float) -> str:
    return f"{value:,.2f}"

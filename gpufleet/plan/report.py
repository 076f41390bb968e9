"""A plan as a person reads it: resources by component, violations with their fixes, money."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from gpufleet.documents import begin_printing
from gpufleet.plan.graph import STACK_TYPE, Resource
from gpufleet.plan.planning import Plan
from gpufleet.plan.violations import Violation

_SEVERITIES = ("critical", "high", "medium", "low", "unspecified")
_LINES = 14
"""Cost lines shown; the rest are summed up in one."""


def console() -> Console:
    """stdout for tables: as wide as the terminal, 120 columns or more where there is none."""
    begin_printing()
    wide = Console(highlight=False)
    return wide if wide.is_terminal else Console(highlight=False, width=max(wide.width, 120))


def print_plan(plan: Plan) -> None:
    """Print the tables of a plan."""
    out = console()
    update = plan.update
    name, count = f"{escape(update.project)}/{escape(update.stack)}", len(update.resources)
    out.print(f"[bold]{name}[/]  {count} resources, planned twice in {plan.seconds['total']:.1f} s")
    out.print(_components(update.resources))
    print_violations(out, plan.violations, rules=plan.rules)
    _print_money(out, plan.cost.as_document())
    verdict = (
        "[bold green]the plan holds[/]"
        if plan.ok
        else "[bold red]the plan does not hold: mandatory rules are broken[/]"
    )
    out.print(verdict)


def new_table(*columns: tuple[str, str], title: str) -> Table:
    """A table in the house's look; each column is a heading and `left` or `right`."""
    table = Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False)
    for name, justify in columns:
        table.add_column(name, justify="right" if justify == "right" else "left", overflow="fold")
    return table


def _components(resources: Sequence[Resource]) -> Table:
    """Outermost components in the order of their names; what stands alone comes last."""
    by_urn = {resource.urn: resource for resource in resources}
    members: dict[str, Counter[str]] = defaultdict(Counter)
    kinds: dict[str, str] = {}
    for resource in resources:
        top = _outermost(resource, by_urn)
        if not top.custom:
            kinds[top.name] = _class(top.type)
        if resource.custom:
            members[top.name if not top.custom else ""][_class(resource.type)] += 1
    table = new_table(
        ("component", "left"),
        ("kind", "left"),
        ("resources", "right"),
        ("of which", "left"),
        title="Resources by component",
    )
    for name in sorted(members, key=lambda name: (not name, name)):
        parts = ", ".join(f"{count} {kind}" if count > 1 else kind for kind, count in members[name].most_common())
        table.add_row(name or "(on their own)", kinds.get(name, ""), str(members[name].total()), parts)
    return table


def _outermost(resource: Resource, by_urn: Mapping[str, Resource]) -> Resource:
    while resource.parent and STACK_TYPE not in resource.parent and resource.parent in by_urn:
        resource = by_urn[resource.parent]
    return resource


def _class(type_: str) -> str:
    return "provider " + type_.rsplit(":", 1)[1] if type_.startswith("pulumi:providers:") else type_.rsplit(":", 1)[1]


def print_violations(out: Console, violations: Sequence[Violation], *, rules: int | None = None) -> None:
    """Print each violation with its fix or its waiver, mandatory ones first."""
    if not violations:
        said = "not judged (--no-policies)" if rules == 0 else f"{rules} rules, no violation"
        out.print(f"[bold]Policies[/]  {said}\n")
        return
    mandatory, waived = sum(v.mandatory for v in violations), sum(v.waiver is not None for v in violations)
    counted = f"{len(violations)} violation{'' if len(violations) == 1 else 's'}, {mandatory} mandatory"
    out.print(f"[bold]Policies[/]  {counted}{f', {waived} waived' if waived else ''}")
    for violation in sorted(violations, key=_urgency):
        name = violation.urn.rsplit("::", 1)[-1] or "the stack"
        rule = f"{_standing(violation)} [bold]{escape(violation.rule)}[/]"
        out.print(f"  {rule} on {escape(name)} ({violation.severity})", soft_wrap=True)
        out.print(f"    {escape(violation.message)}", soft_wrap=True)
        if violation.waiver is not None:
            out.print(f"    [cyan]{escape(violation.waiver.told())}[/]", soft_wrap=True)
        else:
            out.print(f"    [green]fix:[/] {escape(violation.fix)}", soft_wrap=True)
    out.print()


def _urgency(violation: Violation) -> tuple[bool, bool, int, Violation]:
    """What fails first, what is waived last."""
    waived = violation.waiver is not None
    return (waived, not violation.mandatory, _SEVERITIES.index(violation.severity), violation)


def _standing(violation: Violation) -> str:
    if violation.waiver is not None:
        return "[cyan]waived[/]"
    return f"[{'red' if violation.mandatory else 'yellow'}]{violation.level}[/]"


def _print_money(out: Console, cost: Mapping[str, Any]) -> None:
    columns = (
        ("component", "left"),
        ("what", "left"),
        ("floor USD/h", "right"),
        ("ceiling USD/h", "right"),
        ("ceiling USD/month", "right"),
    )
    table = new_table(*columns, title=f"Money, list prices of {cost['prices_as_of']}")
    lines = cost["lines"]
    for line in lines[:_LINES]:
        what = f"{line['what']}{' *' if line['assumed'] else ''}"
        table.add_row(
            line["component"] or line["name"],
            what,
            *(_usd(line[key]) for key in ("hourly_minimum", "hourly_maximum", "monthly_maximum")),
        )
    if rest := lines[_LINES:]:
        sums = (sum(line[key] for line in rest) for key in ("hourly_minimum", "hourly_maximum", "monthly_maximum"))
        table.add_row("", f"{len(rest)} smaller lines", *(_usd(value) for value in sums))
    table.add_section()
    totals = (cost[key] for key in ("hourly_minimum", "hourly_maximum", "monthly_maximum"))
    table.add_row(
        "[bold]total[/]",
        f"floor a month {_usd(cost['monthly_minimum'])}",
        *(f"[bold]{_usd(value)}[/]" for value in totals),
    )
    out.print(table)
    if any(line["assumed"] for line in lines):
        out.print("  * the price of us-east-1 stands in for the region's own")
    if cost["unpriced"]:
        kinds = Counter(_class(entry["type"]) for entry in cost["unpriced"])
        listed = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())
        out.print(f"  not priced (billed by use, or no list price is known): {listed}; --json says why of each")
    out.print()


def _usd(value: float) -> str:
    return f"{value:,.2f}"

"""A stack's bill from every side; its document is a contract (docs/reference/cost.md)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from gpufleet import pricing
from gpufleet.cost import options, purchase
from gpufleet.cost.sums import Sums, grouped
from gpufleet.facts import prices
from gpufleet.plan import planning
from gpufleet.plan.graph import Run
from gpufleet.plan.project import Project
from gpufleet.pricing import Assumptions, Cost, Line, pools
from gpufleet.pricing.usage import KINDS, carries

SCHEMA = 1
STALE_DAYS = 90
"""GPU list prices have changed several times a year."""


@dataclass(frozen=True, kw_only=True)
class Bill:
    """What a stack costs and by which assumptions; with `before`, also what the changes make of it."""

    project: Project
    cost: Cost
    resources: Sequence[Mapping[str, Any]]
    assumptions: Assumptions
    today: date
    stale_days: int
    before: Cost | None

    def as_document(self) -> dict[str, Any]:
        """The contract's JSON document."""
        lines = self.cost.lines
        prepaid = [line for line in lines if line.purchase == "capacity-block"]
        return {
            "schema": SCHEMA,
            "project": self.project.name,
            "stack": self.project.stack,
            "currency": "USD",
            **Sums.of(lines).as_document(),
            "pools": self._pools(),
            "by_workspace": grouped(lines, lambda line: line.workspace),
            "by_component": grouped(lines, lambda line: line.component or line.name),
            "by_region": grouped(lines, lambda line: line.region),
            "by_purchase": grouped(lines, lambda line: line.purchase),
            "prepaid": {"lines": len(prepaid), **Sums.of(prepaid).as_document()},
            "assumptions": self._assumptions(),
            "prices": self._prices(),
            "difference": self._difference(),
            "lines": [line.as_document() for line in lines],
            "unpriced": [gap.as_document() for gap in self.cost.unpriced],
        }

    def _pools(self) -> list[dict[str, Any]]:
        by_urn = {resource["urn"]: resource for resource in self.resources}
        found: dict[str, list[Line]] = {}
        for line in self.cost.lines:
            if line.pool:
                found.setdefault(line.urn, []).append(line)
        return [self._pool(by_urn[urn], lines) for urn, lines in found.items()]

    def _pool(self, resource: Mapping[str, Any], lines: Sequence[Line]) -> dict[str, Any]:
        nodes = next((line for line in lines if line.purchase), None)
        use = pools.use(resource)
        busy = self.assumptions.busy(resource["name"], lines[0].pool, use)
        return {
            "pool": lines[0].pool,
            "name": resource["name"],
            "urn": resource["urn"],
            "region": lines[0].region,
            "workspace": lines[0].workspace,
            "use": use,
            "purchase": nodes.purchase if nodes else "",
            "what": nodes.what if nodes else "",
            "nodes_minimum": float(nodes.quantity_minimum) if nodes else None,
            "nodes_expected": float(round(nodes.quantity_expected, 3)) if nodes else None,
            "nodes_maximum": float(nodes.quantity_maximum) if nodes else None,
            "utilisation": float(busy.value),
            "utilisation_why": busy.why,
            **Sums.of(lines).as_document(),
            "options": [found.as_document() for found in purchase.options(nodes, self.assumptions)] if nodes else [],
        }

    def _assumptions(self) -> list[dict[str, Any]]:
        spot = self.assumptions.spot
        stated: list[dict[str, Any]] = [
            {
                "option": "--spot-ratio",
                "what": "spot price as a share of on-demand, where no history is known",
                "value": float(spot.value),
                "unit": "share",
                "monthly_usd": None,
                "stated": "--spot-ratio" in spot.why,
                "note": spot.why,
            }
        ]
        for key, kind in KINDS.items():
            amount = self.assumptions.usage.get(key)
            lines = [line for line in self.cost.lines if line.what == kind.what]
            price = prices.service(kind.price, "")
            places = sum(carries(resource, kind) for resource in self.resources)
            where = kind.type.rsplit(":", 1)[1]
            unused = f"the stack has no {where} for it" if amount and not places else ""
            stated.append(
                {
                    "option": f"--{key.replace('_', '-')}",
                    "what": kind.what,
                    "value": float(amount or 0),
                    "unit": "GiB a month" if key.endswith("per_month") else "GiB",
                    "monthly_usd": Sums.of(lines).as_document()["monthly_expected"],
                    "stated": amount is not None,
                    "note": "; ".join(filter(None, [_rate(price, kind.times), kind.note, unused])),
                }
            )
        return stated

    def _prices(self) -> dict[str, Any]:
        dated = [line.price_date for line in self.cost.lines if line.price_date]
        age = {day: (self.today - date.fromisoformat(day)).days for day in {*dated, prices.as_of()}}
        stale = sum(age[day] > self.stale_days for day in dated)
        return {
            "from": prices.source(),
            "as_of": prices.as_of(),
            "age_days": age[prices.as_of()],
            "stale_after_days": self.stale_days,
            "stale": bool(stale) or age[prices.as_of()] > self.stale_days,
            "stale_lines": stale,
            "oldest": min(dated, default=prices.as_of()),
            "assumed_lines": sum(line.assumed for line in self.cost.lines),
        }

    def _difference(self) -> dict[str, Any] | None:
        if self.before is None:
            return None
        return difference(self.before, self.cost)


def _rate(price: prices.Price | None, times: int) -> str:
    if price is None:
        return "no price is known"
    return f"{price.usd:g} USD a GiB" + (f", {times} times" if times > 1 else "")


def difference(before: Cost, after: Cost) -> dict[str, Any]:
    """What one bill has more than another (`before` less `after` is negative), in all and by component."""
    names = dict.fromkeys(line.component or line.name for cost in (after, before) for line in cost.lines)
    changes: list[dict[str, Any]] = []
    for name in names:
        was, now = (
            Sums.of(line for line in cost.lines if (line.component or line.name) == name) for cost in (before, after)
        )
        if more := now - was:
            changes.append(
                {"name": name, "before": was.as_document(), "after": now.as_document(), **more.as_document()}
            )
    changes.sort(key=lambda change: (-abs(change["hourly_maximum"]), change["name"]))
    total = Sums.of(after.lines) - Sums.of(before.lines)
    return {**total.as_document(), "by_component": changes}


def of(
    project: Project,
    assumed: Assumptions,
    *,
    unchanged: Project | None = None,
    today: date | None = None,
    stale_days: int = STALE_DAYS,
) -> Bill:
    """Run the program offline as an update and price what it registers.

    Args:
        project: the stack, with what was changed on the command line.
        assumed: what no plan tells.
        unchanged: the same stack without those changes, to be told the difference to.
        today: decides which prices are stale and which Kubernetes versions are in extended support.
        stale_days: from which age in days a price is stale.

    Raises:
        UsageError: the settings or the program are wrong, or a utilisation is of a pool that is not there.
    """
    day = today or date.today()
    resources = _resources(planning.run(project, preview=False))
    names = [name for resource in resources if (pool := pools.name(resource)) for name in (pool, resource["name"])]
    options.check_pools(assumed, names)
    before = None
    if unchanged is not None:
        was = _resources(planning.run(unchanged, preview=False))
        before = pricing.price(was, today=day, assumptions=assumed)
    return Bill(
        project=project,
        cost=pricing.price(resources, today=day, assumptions=assumed),
        resources=resources,
        assumptions=assumed,
        today=day,
        stale_days=stale_days,
        before=before,
    )


def _resources(run: Run) -> list[dict[str, Any]]:
    return [planning.as_document(resource, None) for resource in run.resources]

"""The page: everything a plan says, given to one template whose every value is escaped."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from gpufleet import __version__
from gpufleet.plan import wire
from gpufleet.plan.planning import Plan
from gpufleet.plan.values import is_mapping
from gpufleet.report import checklist, drawing, inventory, money, topology, traffic
from gpufleet.report.estate import Estate, entries
from gpufleet.report.grants import Grants

_SEVERITIES = ("critical", "high", "medium", "low", "unspecified")


def render(plan: Plan, *, today: date) -> str:
    """The page as HTML; the same plan on the same day gives the same bytes."""
    estate = Estate(entries(plan.update.resources))
    violations = [violation.as_document() for violation in plan.violations]
    places = topology.of(estate)
    grants = Grants(estate)
    stack = plan.update.stack
    components = inventory.components(estate)
    return (
        _environment()
        .get_template("page.html.j2")
        .render(
            stack=stack,
            project=plan.update.project,
            ok=plan.ok,
            today=today.isoformat(),
            version=__version__,
            accounts=_accounts(estate),
            resources=sum(1 for resource in plan.update.resources if resource.custom),
            components=components,
            kinds=sum(1 for component in components if component.kind),
            regions=[
                {
                    "name": region.name or "region not named",
                    "said": drawing.describe(region),
                    "wide": drawing.draw(region, drawing.WIDE, look="map wide"),
                    "narrow": drawing.draw(region, drawing.NARROW, look="map narrow"),
                }
                for region in places.regions
            ],
            not_drawn=places.not_drawn,
            rules=plan.rules,
            broken=_rules_broken(violations),
            violations=_sorted([v for v in violations if not _waiver(v)]),
            waived=[{**v, "waiver": _waiver(v)} for v in _sorted(violations) if _waiver(v)],
            bill=money.bill(plan.cost.as_document(), estate),
            roles=grants.roles(),
            carried=grants.carried(),
            groups=traffic.groups(estate),
            tasks=checklist.tasks(estate, violations, stack=stack),
        )
    )


def _rules_broken(violations: Sequence[Mapping[str, Any]]) -> int:
    """How many rules have a violation that is not waived."""
    return len({violation["rule"] for violation in violations if not _waiver(violation)})


def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("gpufleet.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["usd"] = _usd
    environment.filters["urn_name"] = _urn_name
    return environment


def _usd(value: float) -> str:
    """Dollars; cents, and parts of them, only where they matter."""
    if 0 < value < 0.01:
        return f"{value:.4f}"
    return f"{value:,.0f}" if value >= 10_000 else f"{value:,.2f}"


def _urn_name(urn: str) -> str:
    return urn.rsplit("::", 1)[-1] or "the stack as a whole"


def _waiver(violation: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Who waived a violation, until when and why; None where nobody did."""
    waiver = violation.get("waiver")
    return waiver if is_mapping(waiver) else None


def _sorted(violations: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    return sorted(
        violations,
        key=lambda v: (v["level"] == "advisory", _SEVERITIES.index(v["severity"]), v["rule"], v["urn"]),
    )


def _accounts(estate: Estate) -> str:
    """The accounts that the providers are held to."""
    found: set[str] = set()
    for provider in estate.of("pulumi:providers:aws"):
        allowed = wire.decoded(provider["inputs"].get("allowedAccountIds"))
        found.update(str(account) for account in allowed or ())
    return ", ".join(sorted(found))

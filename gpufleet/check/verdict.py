"""The verdict on one stack or state: who was judged by which rules, and what they found."""

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from gpufleet.check import state
from gpufleet.plan import planning, police, waivers, waiving
from gpufleet.plan.graph import Resource
from gpufleet.plan.project import Project
from gpufleet.plan.violations import Rule, Violation
from gpufleet.plan.waivers import Waiver

SCHEMA = 1


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What every format is written from."""

    command: str
    """`check` or `compare`: what was asked."""
    project: str
    stack: str
    source: Path
    """The file that a person would open first: the stack's settings, or the state."""
    kind: str
    """`program`, `state` or `environments`: what was judged."""
    urns: tuple[str, ...]
    """All that was judged, sorted; providers and components included."""
    rules: tuple[Rule, ...]
    """By name, those included that no pack brings."""
    pack: tuple[str, ...] = ()
    """The names of those that the pack brings."""
    violations: tuple[Violation, ...]
    waivers: tuple[Waiver, ...]
    seconds: float

    @property
    def ok(self) -> bool:
        """No mandatory rule is broken without a waiver in force."""
        return not any(violation.mandatory for violation in self.violations)

    @property
    def name(self) -> str:
        """Project and stack, as Pulumi writes them."""
        return f"{self.project}/{self.stack}" if self.stack else str(self.source)

    def as_document(self) -> dict[str, Any]:
        """The contract's JSON document."""
        return {
            "schema": SCHEMA,
            "project": self.project,
            "stack": self.stack,
            "judged": self.kind,
            "source": shown(self.source),
            "ok": self.ok,
            "resources": len(self.urns),
            "rules": len(self.rules),
            "violations": [violation.as_document() for violation in self.violations],
            "waivers": [waiver.as_document() for waiver in self.waivers],
            "seconds": self.seconds,
        }


def of_program(
    project: Project, *, policy_pack: Path, policy_config: Path | None = None, extra: Iterable[Waiver] = ()
) -> Verdict:
    """Run the program of a stack as preview and as update, and judge both.

    Raises:
        UsageError: the settings, the program, the pack, its configuration or a waiver are wrong.
    """
    started = time.perf_counter()
    judged = planning.judge(
        project, policy_pack=policy_pack, policy_config=policy_config, side_by_side=True, extra=tuple(extra)
    )
    return Verdict(
        command="check",
        project=project.name,
        stack=project.stack,
        source=project.directory / project.source,
        kind="program",
        urns=_urns(judged.update.resources),
        rules=_with(planning.OWN_RULES, judged.rules),
        pack=tuple(rule.name for rule in judged.rules),
        violations=judged.violations,
        waivers=judged.waivers,
        seconds=round(time.perf_counter() - started, 3),
    )


def of_state(
    path: Path,
    *,
    policy_pack: Path,
    policy_config: Path | None = None,
    given: Iterable[Waiver] = (),
    today: date | None = None,
) -> Verdict:
    """Judge an exported state.

    Raises:
        UsageError: it is none, or the pack or its configuration are wrong.
    """
    started = time.perf_counter()
    run = state.read(path)
    config = police.read_config(policy_config) if policy_config else None
    policies = police.load_pack(policy_pack)
    rules = police.described(policies, config)
    all_waivers = tuple(given)
    if policy_config is not None:
        all_waivers += waivers.exceptions(police.read_config_file(policy_config), policy_config)
    found = police.judge(policies, run, config)
    return Verdict(
        command="check",
        project=run.project,
        stack=run.stack,
        source=path.resolve(),
        kind="state",
        urns=_urns(run.resources),
        rules=_with((waiving.EXPIRED, waiving.UNUSED), rules),
        pack=tuple(rule.name for rule in rules),
        violations=tuple(planning.waived(found, all_waivers, run, rules, today or date.today())),
        waivers=all_waivers,
        seconds=round(time.perf_counter() - started, 3),
    )


def shown(path: Path) -> str:
    """The path as CI knows it: below the working directory where it lies there, with slashes."""
    cwd = Path.cwd()
    return (path.relative_to(cwd) if path.is_relative_to(cwd) else path).as_posix()


def _urns(resources: Sequence[Resource]) -> tuple[str, ...]:
    return tuple(resource.urn for resource in resources)


def _with(own: Sequence[Rule], rules: Sequence[Rule]) -> tuple[Rule, ...]:
    """Rules of the pack and those of ours that judge as well; a pack that brings one of these keeps its own words."""
    named = {rule.name: rule for rule in (*own, *rules)}
    return tuple(named[name] for name in sorted(named))

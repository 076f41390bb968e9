"""`gpufleet plan`: run a program as preview and as update, compare, judge and price what it registers.

The document it makes is a contract (`"schema": 1`); its shape is described in docs/reference/plan.md.
"""

import time
import traceback
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import pulumi

from gpufleet import pricing
from gpufleet.errors import UsageError
from gpufleet.plan import aside, offline, police, waivers, waiving
from gpufleet.plan.graph import UNKNOWN, Resource, Run, unknown_paths
from gpufleet.plan.project import Project
from gpufleet.plan.values import is_list, is_mapping
from gpufleet.plan.violations import Rule, Violation
from gpufleet.plan.waivers import Waiver

SCHEMA = 1
SAME_TWICE = "plan-preview-equals-update"
SAME_TWICE_RULE = Rule(
    name=SAME_TWICE,
    level="mandatory",
    severity="high",
    description="What an update does and no preview showed was seen by nobody before it happened.",
    fix="create resources outside apply(); make names and values from settings, not from clocks, chance or lookups",
)
OWN_RULES = (SAME_TWICE_RULE, waiving.EXPIRED, waiving.UNUSED)
"""The rules that hold for every program, whatever its pack."""


@dataclass(frozen=True, kw_only=True)
class Judged:
    """A program run as preview and as update, and what the pack says of both."""

    project: Project
    preview: Run
    update: Run
    violations: tuple[Violation, ...]
    rules: tuple[Rule, ...]
    """The pack's rules, by name; none where none was asked to judge."""
    waivers: tuple[Waiver, ...]
    seconds: Mapping[str, float]


@dataclass(frozen=True, kw_only=True)
class Plan:
    """Everything that is known about a stack before anything is created."""

    project: Project
    preview: Run
    update: Run
    violations: tuple[Violation, ...]
    rules: int
    """How many rules judged it; 0 where none was asked to."""
    cost: pricing.Cost
    seconds: Mapping[str, float]

    @property
    def ok(self) -> bool:
        """No mandatory rule is broken."""
        return not any(violation.mandatory for violation in self.violations)

    def as_document(self) -> dict[str, Any]:
        """The contract's JSON document."""
        before = self.preview.by_urn()
        return {
            "schema": SCHEMA,
            "stack": self.update.stack,
            "project": self.update.project,
            "resources": [as_document(resource, before.get(resource.urn)) for resource in self.update.resources],
            "violations": [violation.as_document() for violation in self.violations],
            "cost": self.cost.as_document(),
            "outputs": dict(self.update.outputs),
            "seconds": dict(self.seconds),
        }


def as_document(resource: Resource, before: Resource | None) -> dict[str, Any]:
    """One resource in the contract's shape; `before` is the same resource as the preview saw it."""
    return {
        "urn": resource.urn,
        "type": resource.type,
        "name": resource.name,
        "parent": resource.parent,
        "provider": resource.provider,
        "protect": resource.protect,
        "dependencies": list(resource.dependencies),
        "inputs": dict(resource.inputs),
        "unknown_in_preview": sorted(unknown_paths(before.inputs)) if before else [],
        "id": resource.id,
        "outputs": dict(resource.outputs),
    }


def plan(
    project: Project,
    *,
    policy_pack: Path | None,
    policy_config: Path | None = None,
    today: date | None = None,
    side_by_side: bool = False,
) -> Plan:
    """Run, compare, judge and price.

    Args:
        policy_pack: The folder of a Pulumi policy pack, or None to judge nothing.
        policy_config: A file as `pulumi preview --policy-pack-config` takes it.
        side_by_side: Preview in a copy of this process, for a command that has nothing else in it (see `aside`).

    Raises:
        UsageError: the settings, the program or the pack are wrong.
    """
    started = time.perf_counter()
    day = today or date.today()
    found = judge(project, policy_pack=policy_pack, policy_config=policy_config, today=day, side_by_side=side_by_side)
    judged = time.perf_counter()
    cost = pricing.price([as_document(resource, None) for resource in found.update.resources], today=day)
    now = time.perf_counter()
    return Plan(
        project=project,
        preview=found.preview,
        update=found.update,
        violations=found.violations,
        rules=len(found.rules),
        cost=cost,
        seconds={**found.seconds, "prices": round(now - judged, 3), "total": round(now - started, 3)},
    )


def judge(
    project: Project,
    *,
    policy_pack: Path | None,
    policy_config: Path | None = None,
    today: date | None = None,
    side_by_side: bool = False,
    extra: Sequence[Waiver] = (),
) -> Judged:
    """Run, compare and judge, as `plan` does, without a price.

    Args:
        policy_pack: As for `plan`.
        policy_config: As for `plan`.
        today: The day on which waivers are looked at.
        side_by_side: As for `plan`.
        extra: Waivers beside those of the stack's configuration.

    Raises:
        UsageError: the settings, the program, the pack or a waiver are wrong.
    """
    config = police.read_config(policy_config) if policy_config else None
    pack = policy_pack.resolve() if policy_pack is not None else None
    if side_by_side and aside.possible():
        with aside.started(lambda: _look(project, pack, config, preview=True)) as previewed:
            after = _look(project, pack, config, preview=False)
            before = previewed()
    else:
        before, after = (_look(project, pack, config, preview=preview) for preview in (True, False))
    known = {(violation.rule, violation.urn) for violation in after.violations}
    only_previewed = [v for v in before.violations if (v.rule, v.urn) not in known]
    violations = [*differences(before.run, after.run), *after.violations, *only_previewed]
    # Read after the run: what is wrong with its settings as a whole the program itself can say better.
    given = (*waivers.read(project), *extra) if pack is not None else ()
    if policy_config is not None and pack is not None:
        given += waivers.exceptions(police.read_config_file(policy_config), policy_config)
    return Judged(
        project=project,
        preview=before.run,
        update=after.run,
        violations=tuple(waived(violations, given, after.run, after.rules, today or date.today())),
        rules=after.rules,
        waivers=given,
        seconds=after.seconds,
    )


def waived(
    violations: Sequence[Violation], given: Sequence[Waiver], run: Run, rules: Sequence[Rule], today: date
) -> list[Violation]:
    """Return the violations of a run with its waivers applied, and what is wrong with these, sorted."""
    names = {rule.name for rule in rules}
    stack = waiving.stack_urn(run.stack, run.project)
    applied = waiving.apply(violations, given, stack=stack, today=today, rules=names)
    misnamed = waiving.misnamed(given, names | waiving.ELSEWHERE) if names else []
    # A pack that was told of the waivers says the same of one that ended.
    return sorted({(v.rule, v.urn, v.message): v for v in (*applied, *misnamed)}.values())


@dataclass(frozen=True, kw_only=True)
class _Look:
    """One run of the program, and what the pack says of it."""

    run: Run
    violations: tuple[Violation, ...]
    rules: tuple[Rule, ...]
    seconds: Mapping[str, float]


def _look(project: Project, pack: Path | None, config: police.Config | None, *, preview: bool) -> _Look:
    started = time.perf_counter()
    looked_at = run(project, preview=preview)
    ran = time.perf_counter()
    seconds = {"program": round(ran - started, 3)}
    if pack is None:
        return _Look(run=looked_at, violations=(), rules=(), seconds=seconds)
    policies = police.load_pack(pack)
    found = tuple(police.judge(policies, looked_at, config))
    rules = police.described(policies, config)
    seconds["policies"] = round(time.perf_counter() - ran, 3)
    return _Look(run=looked_at, violations=found, rules=rules, seconds=seconds)


def run(project: Project, *, preview: bool) -> Run:
    """Run the program of a project offline.

    Raises:
        UsageError: the settings are wrong or the program fails; the message says where.
    """
    try:
        return offline.run_directory(
            project.directory,
            project=project.name,
            stack=project.stack,
            config=project.config,
            secret_keys=project.secret_keys,
            preview=preview,
            main=project.main,
        )
    except UsageError:
        raise
    except (pulumi.RunError, pulumi.ConfigMissingError, pulumi.ConfigTypeError) as error:
        raise UsageError(f"{project.source}: {error}") from error
    except Exception as error:
        raise UsageError(_program_failed(error, project)) from error


def _program_failed(error: Exception, project: Project) -> str:
    """The program's own fault, told as the line of the program at which it happened."""
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if Path(frame.filename).is_relative_to(project.directory) and "site-packages" not in frame.filename
    ]
    where = f"{frames[-1].filename}:{frames[-1].lineno}: " if frames else ""
    return f"the program failed: {where}{type(error).__name__}: {error}"


def differences(preview: Run, update: Run) -> Iterator[Violation]:
    """What only one of the two runs registers, or registers with another known value."""
    before, after = preview.by_urn(), update.by_urn()
    for urn in sorted(before.keys() ^ after.keys()):
        where = "only in the update" if urn in after else "only in the preview"
        yield SAME_TWICE_RULE.violated(
            urn, f"is registered {where}; a resource must not hang on a value that only the update knows"
        )
    for urn in sorted(before.keys() & after.keys()):
        for path in _changed(before[urn].inputs, after[urn].inputs, ""):
            yield SAME_TWICE_RULE.violated(urn, f"input {path} is known in the preview and differs in the update")


def _changed(before: Any, after: Any, path: str) -> Iterator[str]:
    if before in (after, UNKNOWN):
        return
    if is_mapping(before) and is_mapping(after):
        for key in sorted(before.keys() | after.keys()):
            yield from _changed(before.get(key), after.get(key), f"{path}.{key}" if path else key)
    elif is_list(before) and is_list(after) and len(before) == len(after):
        for index, (one, other) in enumerate(zip(before, after, strict=True)):
            yield from _changed(one, other, f"{path}[{index}]")
    else:
        yield path

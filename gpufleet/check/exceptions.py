"""Waivers for Pulumi itself: the file by which `pulumi preview --policy-pack-config` honours them.

The engine has exceptions from version 3.274 on, in version 2 of that file: a reason, and rules with the exact URNs that
they are let off on. An exempted violation is still shown. A waiver that ended is not written: what it waived fails.
Exceptions have no day, so a pack that has the rule `waiver-expired` is told the waivers' own.
"""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from gpufleet.errors import MissingError
from gpufleet.plan import police, waivers
from gpufleet.plan.graph import Run
from gpufleet.plan.waivers import Waiver
from gpufleet.plan.waiving import EXPIRED, stack_urn

ENGINE = (3, 274, 0)
"""The first engine that is known to read such a file; older ones refuse it by name."""


def document(
    given: Sequence[Waiver],
    urns: Iterable[str],
    policy_config: Path | None,
    *,
    today: date,
    pack: Collection[str] = (),
) -> dict[str, Any]:
    """Return the configuration with the waivers in force as exceptions; without any waiver, as it was.

    Args:
        given: the waivers of the stack.
        urns: all of the stack's resources and the stack itself, since the engine takes no patterns.
        policy_config: the configuration that is given to the engine otherwise.
        today: waivers that ended before it are left out.
        pack: the names of the pack's rules.
    """
    whole = dict(police.read_config_file(policy_config)) if policy_config else {}
    named = list(urns)
    added: dict[str, Any] = {}
    for index, waiver in enumerate(given):
        targets = [urn for urn in named if waiver.covers(urn)]
        if targets and waiver.expires is not None and not waiver.ended(today):
            reason = f"{waiver.reason} (waived by {waiver.owner} until {waiver.expires})"
            added[f"waiver-{index}"] = {"reason": reason, "match": [{"policies": [waiver.rule], "targets": targets}]}
    dated = [{**waiver.as_document(), "origin": waiver.origin} for waiver in given if waiver.expires is not None]
    told = {EXPIRED.name: {"waivers": dated}} if dated and EXPIRED.name in pack else {}
    if not added and not told:
        return whole
    if whole.get("version") == 2:
        policies = _merged(whole.get("policies") or {}, told)
        return {**whole, "policies": policies, "exceptions": {**(whole.get("exceptions") or {}), **added}}
    environments = {key: whole.pop(key) for key in ("environments",) if key in whole}
    return {"version": 2, **environments, "policies": _merged(whole, told), "exceptions": added}


def of_config(policy_config: Path | None) -> tuple[Waiver, ...]:
    """The exceptions that a configuration has of its own.

    Raises:
        UsageError: it cannot be read.
    """
    return waivers.exceptions(police.read_config_file(policy_config), policy_config) if policy_config else ()


def for_run(given: Sequence[Waiver], run: Run, policy_pack: Path, policy_config: Path | None, folder: Path) -> Path:
    """Write the configuration for the pack and what a run registers into `folder`, and return the file.

    Raises:
        UsageError: the pack or its configuration are wrong.
        MissingError: the file cannot be written.
    """
    urns = [*(resource.urn for resource in run.resources), stack_urn(run.stack, run.project)]
    pack = [policy.name for policy in police.load_pack(policy_pack.resolve())]
    path = folder / "policy-config.json"
    write(path, document(given, urns, policy_config, today=date.today(), pack=pack))
    return path


def _merged(policies: Mapping[str, Any], told: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Add settings of rules to what is configured already: a level, or settings with one."""
    merged = dict(policies)
    for name, settings in told.items():
        given = merged.get(name)
        own: dict[str, Any] = {"enforcementLevel": given} if isinstance(given, str) else dict(given or {})
        merged[name] = {**own, **settings}
    return merged


def write(path: Path, configuration: dict[str, Any]) -> None:
    """Write the file.

    Raises:
        MissingError: it cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(configuration, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise MissingError(f"{path}: cannot be written: {error.strerror or error}") from error

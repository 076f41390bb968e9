"""What a clean-up is about, as the stack's own settings say: account, regions, workspaces."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gpufleet.errors import UsageError
from gpufleet.plan.project import Project
from gpufleet.plan.values import is_list, is_mapping

STACK_TAG = "gpufleet-stack"
"""On everything of a stack, by the provider's default tags."""


@dataclass(frozen=True, kw_only=True)
class Scope:
    """Where to look, and for whom."""

    project: str
    stack: str
    account_id: str
    regions: tuple[str, ...]
    elsewhere: tuple[str, ...]
    """Regions of the stack that are not looked at."""
    workspaces: tuple[str, ...]
    """That the settings name; one that has left them may still have data."""

    @property
    def tag(self) -> str:
        """The value of `gpufleet-stack`."""
        return f"{self.project}-{self.stack}"


def read(project: Project, region: str | None = None) -> Scope:
    """What the settings say; of `region` only, where one is given.

    Raises:
        UsageError: the settings lack what a clean-up needs, or the region.
    """
    key = f"{project.name}:settings"
    settings = _settings(project.config.get(key), f"{project.source}: {key}")
    account_id: Any = settings.get("account_id")
    if not isinstance(account_id, str) or len(account_id) != 12 or not account_id.isdigit():
        raise UsageError(
            f"{project.source}: {key}.account_id: {account_id!r}\n  allowed: twelve digits, quoted\n"
            "  fix: write the account whose data it is; a clean-up touches no other"
        )
    declared: Any = settings.get("regions")
    regions = tuple(sorted(declared)) if is_mapping(declared) else ()
    if not regions:
        raise UsageError(f"{project.source}: {key}.regions: names no region, so there is nowhere to look")
    if region is not None and region not in regions:
        raise UsageError(f"--region {region}: the stack is not there\n  allowed: {', '.join(regions)}")
    workspaces: Any = settings.get("workspaces")
    names = [entry.get("name") for entry in workspaces if is_mapping(entry)] if is_list(workspaces) else []
    return Scope(
        project=project.name,
        stack=project.stack,
        account_id=account_id,
        regions=(region,) if region is not None else regions,
        elsewhere=tuple(other for other in regions if region not in (None, other)),
        workspaces=tuple(sorted(str(name) for name in names if name)),
    )


def _settings(given: str | None, where: str) -> Mapping[str, Any]:
    try:
        settings: Any = json.loads(given or "{}")
    except ValueError:
        settings = None
    if not is_mapping(settings):
        raise UsageError(f"{where}: is no settings object")
    return settings

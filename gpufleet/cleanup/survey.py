"""The list of what goes: by the buckets' rules, by workspace, in all regions of a stack. Nothing is changed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from gpufleet.cleanup import buckets, contents, keys, services, tagged, uploads, uses, workspaces
from gpufleet.cleanup.account import Account, Gap, ask
from gpufleet.cleanup.buckets import Bucket
from gpufleet.cleanup.contents import Contents, Window
from gpufleet.cleanup.keys import Key
from gpufleet.cleanup.scope import STACK_TAG, Scope
from gpufleet.cleanup.tagged import WORKSPACE_TAG, Found
from gpufleet.cleanup.uploads import Upload
from gpufleet.cleanup.uses import Use
from gpufleet.cleanup.workspaces import Workspace
from gpufleet.errors import UsageError

SCHEMA = 1


@dataclass(frozen=True, kw_only=True)
class Listed:
    """A bucket and what was found in it."""

    bucket: Bucket
    contents: Contents | None
    """None where it may not be listed."""
    uploads: list[Upload]
    all_uploads: bool

    def as_document(self, window: Window) -> dict[str, Any]:
        """The bucket as JSON."""
        bucket, kept = self.bucket, self.bucket.kept
        return {
            "name": bucket.name,
            "region": bucket.region,
            "purpose": bucket.purpose,
            "workspace": bucket.workspace,
            "key": bucket.key,
            "rules": bucket.lifecycle.sentences(),
            "no_expiry": {"right": kept[0], "why": kept[1]} if kept else None,
            "copied_to": list(bucket.copies),
            "contents": self.contents.as_document() if self.contents else None,
            "uploads": [upload.as_document(window.now) for upload in self.uploads],
            "all_uploads": self.all_uploads,
        }


@dataclass(frozen=True, kw_only=True)
class Survey:
    """Everything that was found."""

    scope: Scope
    by: str
    window: Window
    limit: int
    window_days: int
    buckets: list[Listed] = field(default_factory=list[Listed])
    workspaces: list[Workspace] = field(default_factory=list[Workspace])
    gaps: list[Gap] = field(default_factory=list[Gap])

    def as_document(self) -> dict[str, Any]:
        """The survey as JSON; the shape is a contract, told apart by `schema`."""
        return {
            "schema": SCHEMA,
            "project": self.scope.project,
            "stack": self.scope.stack,
            "account_id": self.scope.account_id,
            "regions": list(self.scope.regions),
            "not_looked_at": list(self.scope.elsewhere),
            "by": self.by,
            "at": self.window.now.isoformat(),
            "days": self.window.days,
            "limit": self.limit,
            "buckets": [listed.as_document(self.window) for listed in self.buckets],
            "workspaces": [entry.as_document(self.window, self.window_days) for entry in self.workspaces],
            "looked_for_under_keys": list(services.WHAT),
            "missing_permissions": [gap.as_document() for gap in dict.fromkeys(self.gaps)],
        }


def take(
    account: Account,
    scope: Scope,
    *,
    workspace: str | None,
    window: Window,
    limit: int,
    window_days: int,
    progress: Callable[[str], None],
) -> Survey:
    """Look at everything of the stack; at one workspace's data and keys only, where it is named.

    Raises:
        UsageError: there is nothing of the stack, or no such workspace.
    """
    survey = Survey(scope=scope, by=account.caller, window=window, limit=limit, window_days=window_days)
    found = {region: tagged.find(account, region, scope.tag, survey.gaps, progress) for region in scope.regions}
    names = _workspaces(scope, found, survey.gaps, workspace)
    found_buckets = [
        bucket
        for region, entry in found.items()
        for each in entry.buckets
        if (bucket := buckets.read(account, region, each, survey.gaps))
    ]
    found_keys = [
        key
        for region, entry in found.items()
        for each in entry.keys
        if (key := keys.read(account, region, each, survey.gaps))
    ]
    for bucket in found_buckets:
        if workspace is None or bucket.workspace == workspace:
            survey.buckets.append(_list(account, bucket, window, limit, survey.gaps, progress))
    used, unseen = _uses(account, found, [key for key in found_keys if key.workspace in names], progress)
    survey.gaps.extend(gap for gaps in unseen.values() for gap in gaps)
    for name in names:
        own = tuple(key for key in found_keys if key.workspace == name)
        places = tuple(workspaces.places(account, name, found_buckets, own, window, limit, survey.gaps, progress))
        arns = {key.arn for key in own}
        theirs = tuple(use for use in used if use.key_arn in arns)
        blind = [gap for region in sorted({key.region for key in own}) for gap in unseen[region]]
        shared = _labels([place.bucket for place in places if not place.under_own_key], found_keys)
        survey.workspaces.append(
            Workspace(
                name=name,
                keys=own,
                places=places,
                uses=theirs,
                obstacles=tuple(workspaces.obstacles(name, own, shared, theirs, blind)),
            )
        )
    return survey


def _workspaces(scope: Scope, found: dict[str, Found], gaps: Sequence[Gap], asked: str | None) -> list[str]:
    everything = [each for entry in found.values() for each in (*entry.buckets, *entry.keys)]
    if not everything:
        missing = "".join(f"\n  {gap.permission} is missing on {gap.on}" for gap in dict.fromkeys(gaps))
        raise UsageError(
            f"stack {scope.stack}: no bucket and no key in {', '.join(scope.regions)} of account {scope.account_id} is "
            f"tagged {STACK_TAG}={scope.tag}{missing}\n"
            "  allowed: a stack that has been created\n  fix: name another stack, or create this one first"
        )
    known = sorted(
        {*scope.workspaces, *(each.tags[WORKSPACE_TAG] for each in everything if WORKSPACE_TAG in each.tags)}
    )
    if asked is None:
        return known
    if asked not in known:
        raise UsageError(
            f"--workspace {asked}: there is no such workspace\n  allowed: {', '.join(known) or 'none'}\n"
            f"  fix: name one that the settings have, or whose key or bucket is tagged {WORKSPACE_TAG}"
        )
    return [asked]


def _list(
    account: Account, bucket: Bucket, window: Window, limit: int, gaps: list[Gap], progress: Callable[[str], None]
) -> Listed:
    where = account, bucket.region, bucket.name, ""
    counted = ask(
        lambda: contents.count(*where, bucket.lifecycle, window, limit, progress),
        "s3:ListBucketVersions",
        bucket.name,
        gaps,
    )
    found, complete = uploads.find(*where, bucket.lifecycle, limit, gaps)
    return Listed(bucket=bucket, contents=counted, uploads=found, all_uploads=complete)


def _uses(
    account: Account, found: dict[str, Found], own: Sequence[Key], progress: Callable[[str], None]
) -> tuple[list[Use], dict[str, list[Gap]]]:
    """What is under the workspaces' keys, and by region what could not be looked at."""
    found_uses: list[Use] = []
    unseen: dict[str, list[Gap]] = {}
    for region in sorted({key.region for key in own}):
        unseen[region] = []
        here = [key for key in own if key.region == region]
        found_uses.extend(uses.find(account, region, here, found[region].tags, unseen[region], progress))
    return found_uses, unseen


def _labels(shared: Sequence[Bucket], found_keys: Sequence[Key]) -> list[str]:
    def label(reference: str) -> str:
        return next((key.label for key in found_keys if key.is_named(reference)), reference)

    return sorted({label(bucket.key) if bucket.key else "S3's own key" for bucket in shared})

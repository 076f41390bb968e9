"""`gpufleet cleanup`: a list of what goes; only when told so, stray uploads are given up or a key is destroyed."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from gpufleet import progress
from gpufleet.cleanup import report, scope, shred, survey, uploads
from gpufleet.cleanup.account import Account, Gap, answered
from gpufleet.cleanup.contents import Window
from gpufleet.cleanup.survey import Survey
from gpufleet.documents import print_json
from gpufleet.errors import UsageError
from gpufleet.plan.project import Project

LIMIT = 100_000
"""Versions listed of a bucket before it is left at that: about a minute, half a dollar for a thousand such buckets."""
WINDOW_DAYS = 30
_WINDOW = range(7, 31)
"""What KMS takes: https://docs.aws.amazon.com/kms/latest/developerguide/deleting-keys.html"""


def run(
    project: Project,
    *,
    workspace: str | None = None,
    region: str | None = None,
    days: int = 7,
    limit: int = LIMIT,
    shred_keys: bool = False,
    window_days: int = WINDOW_DAYS,
    apply: bool = False,
    confirm: str | None = None,
    as_json: bool = False,
) -> bool:
    """List and, with `apply`, act; return whether all that was asked for could be done.

    Without `apply` nothing is changed. With it stray uploads are given up; or, with `shred_keys`, the workspace's keys
    are switched off and their deletion is scheduled, if nothing else is under them. Objects are never deleted here.

    Args:
        project: the stack whose data it is.
        workspace: look at this one only.
        region: look there only; by default in all regions of the stack.
        days: how far ahead to tell what expires.
        limit: versions listed of a bucket.
        shred_keys: destroy the workspace's keys; without `apply`, say whether they could be.
        window_days: between the scheduling and the end of a key, 7 to 30.
        apply: act.
        confirm: the workspace's name once more, typed by a person.
        as_json: one document on stdout instead of tables.

    Raises:
        UsageError: the arguments, the settings or the account are wrong.
        MissingError: boto3, credentials or AWS cannot be had.
    """
    _check(workspace, days, limit, shred_keys, window_days, apply, confirm)
    where = scope.read(project, region)
    with progress.shown() as tell:
        account = Account.connect(where.account_id, where.regions[0])
        found = answered(
            lambda: survey.take(
                account,
                where,
                workspace=workspace,
                window=Window(datetime.now(UTC), days),
                limit=limit,
                window_days=window_days,
                progress=tell,
            )
        )
    refused = shred_keys and bool(found.workspaces[0].obstacles)
    done = _act(account, found, shred_keys) if apply and not refused else None
    document = {**found.as_document(), "done": done}
    if as_json:
        print_json(document)
    else:
        report.print_survey(document, shred=shred_keys)
    return not refused and (done is None or bool(done["ok"]))


def _check(
    workspace: str | None,
    days: int,
    limit: int,
    shred_keys: bool,
    window_days: int,
    apply: bool,
    confirm: str | None,
) -> None:
    if days < 0:
        raise UsageError(f"--days {days}: must be 0 or more")
    if limit < 1:
        raise UsageError(f"--limit {limit}: must be 1 or more")
    if window_days not in _WINDOW:
        raise UsageError(f"--window {window_days}: KMS takes {_WINDOW[0]} to {_WINDOW[-1]} days")
    if not shred_keys:
        if confirm is not None:
            raise UsageError("--confirm: belongs to --shred, which is not given")
        return
    if workspace is None:
        raise UsageError("--shred: whose data is to be destroyed?\n  fix: add --workspace NAME")
    if apply and confirm != workspace:
        raise UsageError(
            f"--shred --apply: makes the data of workspace {workspace} unreadable\n"
            f"  allowed: --confirm {workspace}, and nothing else ({confirm!r} was given)\n"
            "  fix: read the list without --apply first, then type the name"
        )


def _act(account: Account, found: Survey, shred_keys: bool) -> dict[str, Any]:
    evidence = {"by": account.caller, "at": datetime.now(UTC).isoformat(timespec="seconds")}
    if shred_keys:
        workspace = found.workspaces[0]
        destroyed = shred.destroy(account, workspace.keys, found.window_days)
        return {
            "action": "shred",
            **evidence,
            "workspace": workspace.name,
            "window_days": found.window_days,
            "keys": [entry.as_document() for entry in destroyed],
            "ok": all(entry.outcome != "failed" for entry in destroyed),
        }
    gaps: list[Gap] = []
    return {
        "action": "abort stray uploads",
        **evidence,
        "uploads": answered(lambda: _abort_strays(account, found, gaps)),
        "missing_permissions": [gap.as_document() for gap in dict.fromkeys(gaps)],
        "ok": not gaps,
    }


def _abort_strays(account: Account, found: Survey, gaps: list[Gap]) -> list[Mapping[str, Any]]:
    aborted: list[Mapping[str, Any]] = []
    for listed in found.buckets:
        stray = [upload for upload in listed.uploads if upload.stray(found.window.now)]
        gone = uploads.abort(account, listed.bucket.region, listed.bucket.name, stray, gaps)
        aborted.extend(
            {"bucket": listed.bucket.name, "key": upload.key, "upload_id": upload.upload_id, "bytes": upload.bytes}
            for upload in gone
        )
    return aborted

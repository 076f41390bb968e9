"""A survey as a person reads it: by bucket, by workspace, and what was done."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.markup import escape

from gpufleet.plan import report

_UPLOADS = 10
"""Stray uploads shown of a bucket; --json has all."""
_UNITS = ("B", "KiB", "MiB", "GiB", "TiB", "PiB")


def print_survey(document: Mapping[str, Any], *, shred: bool) -> None:
    """Print what `Survey.as_document` and `done` say."""
    out = report.console()
    name = f"{escape(document['project'])}/{escape(document['stack'])}"
    regions = ", ".join(document["regions"])
    out.print(f"[bold]{name}[/]  account {document['account_id']}, {regions}, {document['at'][:19]} UTC\n")
    if document["buckets"]:
        _print_buckets(out, document["buckets"], document["days"])
    for workspace in document["workspaces"]:
        _print_workspace(out, workspace)
    if document["not_looked_at"]:
        out.print(f"[yellow]not looked at:[/] {', '.join(document['not_looked_at'])}")
    for gap in document["missing_permissions"]:
        line = f"[yellow]missing permission:[/] {gap['permission']} on {escape(gap['on'])}"
        out.print(line, soft_wrap=True)
    _print_done(out, document, shred=shred)


def _print_buckets(out: Console, buckets: Sequence[Mapping[str, Any]], days: int) -> None:
    table = report.new_table(
        ("bucket", "left"),
        ("purpose", "left"),
        ("objects", "right"),
        ("old versions", "right"),
        ("expire: due", "right"),
        (f"in {days} d", "right"),
        ("go for good: due", "right"),
        (f"in {days} d", "right"),
        title="Buckets",
    )
    table.columns[0].no_wrap = True
    for bucket in buckets:
        found = bucket["contents"]
        cells = (
            [
                _tally(found["objects"], found["bytes"], found["complete"]),
                _tally(found["old_versions"], found["old_version_bytes"], found["complete"]),
                *(
                    _tally(found[kind][when]["objects"], found[kind][when]["bytes"], found["complete"])
                    for kind in ("expiring", "removing")
                    for when in ("now", "soon")
                ),
            ]
            if found
            else ["?"] * 6
        )
        table.add_row(escape(bucket["name"]), bucket["purpose"] or "?", *cells)
    out.print(table)
    for bucket in buckets:
        _print_rules(out, bucket)


def _print_rules(out: Console, bucket: Mapping[str, Any]) -> None:
    out.print(f"[bold]{escape(bucket['name'])}[/]", soft_wrap=True)
    for sentence in bucket["rules"] or ["no rule: nothing ever goes by itself"]:
        out.print(f"  {escape(sentence)}", soft_wrap=True)
    if kept := bucket["no_expiry"]:
        colour = "green" if kept["right"] else "red"
        out.print(f"  [{colour}]no object expires:[/] {escape(kept['why'])}", soft_wrap=True)
    if bucket["copied_to"]:
        copies = escape(", ".join(bucket["copied_to"]))
        out.print(f"  copied to {copies}, where other rules and keys hold", soft_wrap=True)
    stray = [upload for upload in bucket["uploads"] if upload["stray"]]
    for upload in stray[:_UPLOADS]:
        size = "size not asked" if upload["bytes"] is None else _size(upload["bytes"])
        begun = upload["begun"][:10]
        out.print(f"  [yellow]stray upload[/] of {escape(upload['key'])}, begun {begun}, {size}", soft_wrap=True)
    if len(stray) > _UPLOADS:
        out.print(f"  and {len(stray) - _UPLOADS} more; --json has them all")
    if bucket["contents"] and not bucket["contents"]["complete"]:
        out.print("  [yellow]not everything was listed: the numbers are at least that (--limit)[/]")
    out.print()


def _print_workspace(out: Console, workspace: Mapping[str, Any]) -> None:
    shredding = workspace["shredding"]
    out.print(f"[bold]Workspace {escape(workspace['name'])}[/]")
    for key in workspace["keys"]:
        aliases = ", ".join(key["aliases"]) or "no alias"
        when = f", to be deleted on {key['deletion_date'][:10]}" if key["deletion_date"] else ""
        out.print(f"  key {escape(key['arn'])} ({escape(aliases)}): {key['state']}{when}", soft_wrap=True)
        for grant in key["grants"]:
            what = ", ".join(grant["operations"])
            out.print(f"    grant to {escape(grant['grantee'])}: {what}", soft_wrap=True)
    for place in workspace["places"]:
        _print_place(out, place)
    for use in workspace["uses"]:
        out.print(f"  under the key: {use['what']} {escape(use['name'])}", soft_wrap=True)
    gone, left = shredding["becomes_unreadable"], shredding["stays_readable"]
    if shredding["possible"]:
        out.print(
            f"  shredding: {_tally(gone['objects'], gone['bytes'], shredding['complete'])} unreadable at once, "
            f"for good on {shredding['deletion_date'][:10]} ({shredding['window_days']} days to take it back)",
            soft_wrap=True,
        )
        if left["objects"]:
            what = _tally(left["objects"], left["bytes"], shredding["complete"])
            out.print(f"  [yellow]not by shredding:[/] {what} under other keys", soft_wrap=True)
        for doubt in shredding["doubts"]:
            out.print(f"  [yellow]not by shredding:[/] {escape(doubt)}", soft_wrap=True)
    for obstacle in shredding["obstacles"]:
        out.print(f"  [red]cannot be shredded:[/] {escape(obstacle)}", soft_wrap=True)
    out.print()


def _print_place(out: Console, place: Mapping[str, Any]) -> None:
    found, sample = place["contents"], place["sample"]
    where = escape(f"s3://{place['bucket']}/{place['prefix']}")
    if found is None:
        out.print(f"  {where}: may not be listed", soft_wrap=True)
        return
    current = _tally(found["objects"], found["bytes"], found["complete"])
    old = _tally(found["old_versions"], found["old_version_bytes"], found["complete"])
    whose = "the workspace's key" if place["becomes_unreadable"] else "a key of others too"
    looked = (
        f"; of {sample['looked_at']} looked at {sample['under_own_key']} are under the workspace's key"
        if sample["looked_at"]
        else ""
    )
    out.print(f"  {where}: {current}, old versions {old}, under {whose}{looked}", soft_wrap=True)


def _print_done(out: Console, document: Mapping[str, Any], *, shred: bool) -> None:
    done = document["done"]
    if done is None:
        refused = shred and not document["workspaces"][0]["shredding"]["possible"]
        out.print("[bold red]refused: nothing was changed[/]" if refused else "[bold]nothing was changed[/]")
        return
    out.print(f"[bold]{done['action']}[/], by {escape(done['by'])}, {done['at']}", soft_wrap=True)
    if done["action"] == "shred":
        for key in done["keys"]:
            _print_key(out, key)
        out.print("Keep this report: with --json it is the evidence, the list of what was there included.")
        return
    for upload in done["uploads"]:
        out.print(f"  given up: s3://{escape(upload['bucket'])}/{escape(upload['key'])}", soft_wrap=True)
    out.print(f"  {len(done['uploads'])} uploads given up")
    for gap in done["missing_permissions"]:
        out.print(f"  [red]missing permission:[/] {gap['permission']} on {escape(gap['on'])}", soft_wrap=True)


def _print_key(out: Console, key: Mapping[str, Any]) -> None:
    if key["outcome"] == "failed":
        out.print(f"  [red]failed:[/] {escape(key['key_arn'])}: {escape(key['error'])}", soft_wrap=True)
        return
    out.print(
        f"  {escape(key['key_arn'])}: off; {key['outcome']} to be deleted on {key['deletion_date']}", soft_wrap=True
    )
    out.print("  until then it can be taken back:")
    print(f"    {key['cancel']}")


def _tally(objects: int, size: int, complete: bool) -> str:
    if not objects:
        return "0" if complete else "0+"
    return f"{objects:,}{'' if complete else '+'} ({_size(size)})"


def _size(size: float) -> str:
    for unit in _UNITS[:-1]:
        if size < 1024:
            return f"{size:.0f} {unit}" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1024
    return f"{size:.1f} {_UNITS[-1]}"

"""A difference as a comment on a pull request: short on top, the rest folded, never longer than GitHub takes."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gpufleet.diff.report import MARKS, verdict, why

LIMIT = 65_536
"""Characters of a comment on GitHub. https://github.com/orgs/community/discussions/27190"""
_ROOM = 1_000
"""Kept for the lines that say what was left out."""
_KEYS = ("hourly_minimum", "hourly_maximum", "monthly_minimum", "monthly_maximum")
_TITLES = {
    "delete": "deleted",
    "replace": "replaced",
    "update-or-replace": "changed or replaced (not known of their type)",
    "update": "changed in place",
    "create": "created",
}


def written(document: Mapping[str, Any]) -> str:
    """The comment."""
    head = "\n".join(_head(document)) + "\n"
    sections = [_resources(document, action) for action in _TITLES] + [_policies(document), _components(document)]
    text = head
    for title, entries in filter(None, sections):
        text += _folded(title, entries, LIMIT - _ROOM - len(text))
    return text[:LIMIT]


def _head(document: Mapping[str, Any]) -> Iterator[str]:
    mark = ":white_check_mark:" if document["ok"] else ":x:"
    yield f"### {mark} {_plain(document['project'])}/{_plain(document['stack'])}: {verdict(document)}"
    yield ""
    counts = ", ".join(f"**{count}** {_TITLES[action]}" for action, count in document["counts"].items() if count)
    yield f"{_plain(document['before'])} -> {_plain(document['after'])}: {counts or 'no resource changes'}, "
    yield f"{document['unchanged']} unchanged"
    yield ""
    for loss in document["losses"][:20]:
        said = "agreed to" if loss["allowed"] else "**not agreed to**"
        yield f"- :warning: {loss['action']} `{_code(loss['urn'])}` loses {loss['lost']} ({said})"
    if len(document["losses"]) > 20:
        yield f"- and {len(document['losses']) - 20} more losses"
    if document["losses"]:
        yield ""
    cost = document["cost"]
    change = cost["change"]
    yield "| USD | floor/h | ceiling/h | floor/month | ceiling/month |"
    yield "|---|---:|---:|---:|---:|"
    for side in ("before", "after"):
        yield f"| {side} | {' | '.join(f'{cost[side][key]:,.2f}' for key in _KEYS)} |"
    yield f"| **change** | {' | '.join(f'**{change[key]:+,.2f}**' for key in _KEYS)} |"
    yield ""


def _resources(document: Mapping[str, Any], action: str) -> tuple[str, list[str]] | None:
    found = [each for each in document["resources"] if each["action"] == action]
    return (f"{len(found)} {_TITLES[action]}", [_resource(each) for each in found]) if found else None


def _resource(found: Mapping[str, Any]) -> str:
    lines = [f"- `{MARKS[found['action']]}` **{_plain(found['name'])}** `{_code(found['type'])}`"]
    if found["was"]:
        lines.append(f"  - was `{_code(found['was'])}`")
    if found["protected"]:
        lines.append("  - protected: the engine refuses until the protection is taken off")
    if found["because"]:
        lines.append(f"  - follows `{_code(found['because'])}`")
    for change in sorted(found["properties"], key=lambda change: not change["replaces"]):
        forced = " **forces the replacement**" if change["replaces"] else ""
        lines.append(f"  - `{_code(why(change))}`{forced}")
    return "\n".join(lines)


def _policies(document: Mapping[str, Any]) -> tuple[str, list[str]] | None:
    new, gone = document["policies"]["new"], document["policies"]["gone"]
    lines = [
        f"- {word} {each['level']} `{_code(each['rule'])}` on `{_code(each['urn'].rsplit('::', 1)[-1] or 'the stack')}`"
        + (f": {_plain(each['message'])} Fix: {_plain(each['fix'])}" if word == "**new**" else "")
        for word, found in (("**new**", new), ("gone", gone))
        for each in found
    ]
    return (f"Policies: {len(new)} new, {len(gone)} gone", lines) if lines else None


def _components(document: Mapping[str, Any]) -> tuple[str, list[str]] | None:
    rows = document["cost"]["by_component"]
    lines = [
        f"- {_plain(row['component'])}: {row['change']['hourly_minimum']:+,.2f} USD/h at the floor, "
        f"{row['change']['hourly_maximum']:+,.2f} at the ceiling"
        for row in rows
    ]
    return ("Money by component", lines) if lines else None


def _folded(title: str, entries: Sequence[str], room: int) -> str:
    opened, closed = f"<details><summary>{title}</summary>\n\n", "\n</details>\n\n"
    body, used = "", len(opened) + len(closed) + len(_left(len(entries)))
    for number, entry in enumerate(entries):
        if used + len(body) + len(entry) + 1 > room:
            body += _left(len(entries) - number)
            break
        body += entry + "\n"
    return f"{opened}{body}{closed}" if used <= room else ""


def _left(count: int) -> str:
    return f"- and {count} more, which have no room here\n"


def _code(text: str) -> str:
    """Text between backticks: none of its own, on one line."""
    return text.replace("`", "'").replace("\n", " ")


def _plain(text: str) -> str:
    """Text that is not read as markup."""
    for sign in ("\\", "`", "*", "_", "<", ">", "|", "[", "]", "#"):
        text = text.replace(sign, f"\\{sign}")
    return text.replace("\n", " ")

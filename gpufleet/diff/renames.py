"""Resources that have another URN but are the same by an alias that the program gives."""

from collections.abc import Iterator, Mapping
from typing import Any

from gpufleet.diff.sides import Node, Side
from gpufleet.plan.graph import make_urn


def old_names(before: Side, after: Side) -> dict[str, str]:
    """The old URN of each resource of `after` that an alias, its own or its parent's, finds in `before`."""
    found: dict[str, str] = {}
    # Parents come before their children, whose URNs hold the parent's types.
    for urn in sorted(after.nodes, key=lambda urn: (_depth(after, urn), urn)):
        if urn in before.nodes:
            continue
        for candidate in _candidates(after.nodes[urn], after, found):
            if candidate in before.nodes and candidate not in after.nodes:
                found[urn] = candidate
                break
    return found


def _depth(side: Side, urn: str) -> int:
    depth, seen = 0, set[str]()
    while urn in side.nodes and urn not in seen:
        seen.add(urn)
        urn = side.nodes[urn].parent
        depth += 1
    return depth


def _candidates(node: Node, side: Side, renamed: Mapping[str, str]) -> Iterator[str]:
    parent = renamed.get(node.parent, node.parent)
    for alias in node.options.get("aliases") or ():
        if "urn" in alias:
            yield str(alias["urn"])
            continue
        spec: Mapping[str, Any] = alias.get("spec") or {}
        of = "" if spec.get("noParent") else str(spec.get("parentUrn") or parent)
        type_, name = str(spec.get("type") or node.type), str(spec.get("name") or node.name)
        yield make_urn(str(spec.get("stack") or side.stack), str(spec.get("project") or side.project), of, type_, name)
    if parent != node.parent:
        yield make_urn(side.stack, side.project, parent, node.type, node.name)
        # A child that is named after its parent is aliased by the SDK along with it.
        old, new = parent.rpartition("::")[2], node.parent.rpartition("::")[2]
        if node.name.startswith(new):
            yield make_urn(side.stack, side.project, parent, node.type, old + node.name[len(new) :])

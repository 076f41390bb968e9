"""The difference of two plans: resources, rules and money; its document is a contract (docs/reference/diff.md)."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gpufleet.diff import changes, guarded
from gpufleet.diff.changes import CREATE, DELETE, REPLACE, SAME, UPDATE, UPDATE_OR_REPLACE, Fate
from gpufleet.diff.money import money
from gpufleet.diff.properties import LATER, properties
from gpufleet.diff.sides import Node, Side
from gpufleet.errors import UsageError
from gpufleet.plan.graph import STACK_TYPE

SCHEMA = 1
ACTIONS = (DELETE, REPLACE, UPDATE_OR_REPLACE, UPDATE, CREATE)
"""From what is hardest to take back."""


@dataclass(frozen=True, kw_only=True)
class Difference:
    """What becomes of one side when the other takes its place."""

    before: Side
    after: Side
    fates: Mapping[str, Fate]
    allowed: frozenset[str]
    """URNs whose loss was agreed to."""

    @property
    def losses(self) -> Mapping[str, str]:
        """What is lost, by the URN of the data or the cluster that goes, is replaced, or cannot follow its network."""
        return {urn: lost for urn, fate in self.fates.items() if (lost := self._lost(fate))}

    def _lost(self, fate: Fate) -> str:
        if fate.action in (DELETE, REPLACE, UPDATE_OR_REPLACE) and fate.old:
            return guarded.loss(fate.old)
        return guarded.stranded(fate, self.fates)

    @property
    def ok(self) -> bool:
        """Nothing is lost that was not agreed to, and no mandatory rule is broken that held before."""
        return not (self.losses.keys() - self.allowed) and not any(_binding(each) for each in self._policies()["new"])

    def as_document(self) -> dict[str, Any]:
        """The contract's JSON document."""
        changed = [self._resource(urn, fate) for urn, fate in self.fates.items() if fate.action != SAME]
        # What would be lost first, and within each action what has a reason of its own before what follows from it.
        changed.sort(
            key=lambda each: (each["loss"] is None, ACTIONS.index(each["action"]), each["follows"], each["urn"])
        )
        counted = Counter(found["action"] for found in changed)
        return {
            "schema": SCHEMA,
            "project": self.after.project,
            "stack": self.after.stack,
            "before": self.before.label,
            "after": self.after.label,
            "ok": self.ok,
            "counts": {action: counted.get(action, 0) for action in ACTIONS},
            "unchanged": sum(fate.action == SAME for fate in self.fates.values()),
            "losses": [
                {"urn": urn, "lost": lost, "action": self.fates[urn].action, "allowed": urn in self.allowed}
                for urn, lost in self.losses.items()
            ],
            "resources": changed,
            "policies": self._policies(),
            "cost": money(self.before.cost, self.after.cost),
        }

    def _resource(self, urn: str, fate: Fate) -> dict[str, Any]:
        side = self.before if fate.action == DELETE else self.after
        inputs = properties(fate)
        return {
            "urn": urn,
            "type": fate.node.type,
            "name": fate.node.name,
            "component": _component(side, fate.node),
            "action": fate.action,
            "was": fate.old.urn if fate.old is not None and fate.old.urn != urn else None,
            "because": fate.because or self._provider_moved(fate),
            "loss": self.losses.get(urn),
            "protected": fate.old is not None and fate.old.protect and fate.action in (DELETE, REPLACE),
            "follows": bool(fate.because) or _only_follows(inputs),
            "properties": inputs,
        }

    def _provider_moved(self, fate: Fate) -> str | None:
        """The provider, where the replacement has no other reason."""
        moved = fate.action == REPLACE and not fate.verdict.replaces and not fate.because
        return fate.node.provider_urn if moved else None

    def _policies(self) -> dict[str, list[Mapping[str, Any]]]:
        was = {_key(each): each for each in self.before.violations}
        now = {_key(each): each for each in self.after.violations}
        return {
            "new": [each for key, each in now.items() if key not in was],
            "gone": [each for key, each in was.items() if key not in now],
        }


def of(before: Side, after: Side, allow: Sequence[str] = ()) -> Difference:
    """Compare; `allow` holds the URNs whose loss is agreed to.

    Raises:
        UsageError: one of them is not lost.
        MissingError: what forces a replacement is not known here, since packages are missing.
    """
    found = Difference(before=before, after=after, fates=changes.fates(before, after), allowed=frozenset(allow))
    for urn in allow:
        if urn not in found.losses:
            listed = "\n    ".join(found.losses) or "none: nothing would be lost"
            raise UsageError(
                f"--allow-data-loss {urn}: is not what would be lost\n  allowed: {listed}\n  fix: leave it out"
            )
    return found


def _only_follows(inputs: Sequence[Mapping[str, Any]]) -> bool:
    """Whether all that changes is made from something that is yet to come; that tags are merged anew is no reason."""
    own = [each for each in inputs if each["path"] != "tagsAll"]
    return bool(own) and all(each["after"] == LATER for each in own)


def _binding(violation: Mapping[str, Any]) -> bool:
    return violation["level"] in ("mandatory", "remediate") and not violation.get("waiver")


def _key(violation: Mapping[str, Any]) -> tuple[str, str]:
    return violation["rule"], violation["urn"]


def _component(side: Side, node: Node) -> str:
    """Name of the outermost component around a resource; its own where it is one."""
    top = node
    for parent in _ancestors(side, node):
        if parent.type != STACK_TYPE and not parent.custom:
            top = parent
    return "" if top is node and node.custom else top.name


def _ancestors(side: Side, node: Node) -> Iterator[Node]:
    seen: set[str] = set()
    while (parent := side.nodes.get(node.parent)) is not None and parent.urn not in seen:
        seen.add(parent.urn)
        yield parent
        node = parent

"""Does a rule see what was changed? Without judging the rest of the stack again.

A resource rule looks at one resource, so only the changed one is shown to it. A stack rule looks at all of them, so
the graph is made once and the changed resource put in its place. A changed provider changes what every resource rule
sees, so that run is judged as a whole.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from pulumi_policy import (
    EnforcementLevel,
    PolicyResource,
    ReportViolation,
    ResourceValidationPolicy,
    StackValidationArgs,
    StackValidationPolicy,
)

from gpufleet.plan import police
from gpufleet.plan.graph import Resource, Run
from tools.mutation.mutants import Mutant

Said = tuple[str, str, str]
"""Rule, URN and message."""


class Court:
    """The rules over one run and its mutants."""

    def __init__(self, rules: Sequence[Any], run: Run) -> None:
        self._rules = rules
        self._run = run
        self._of_one = [rule for rule in rules if isinstance(rule, ResourceValidationPolicy)]
        self._of_all: dict[str, Any] = {rule.name: rule for rule in rules if isinstance(rule, StackValidationPolicy)}
        self._settings = {rule.name: _defaults(rule) for rule in rules}
        self._graph = {node.urn: node for node in graph(run)}
        self.before: frozenset[Said] = frozenset((v.rule, v.urn, v.message) for v in police.judge(rules, run))
        """What the rules say of the run as it is."""
        self._quick: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        """Which stack rules saw a change of that kind before: they are asked first."""

    def sees(self, mutant: Mutant) -> str | None:
        """Return the name of a rule that says something about the mutant which it did not say of the run."""
        if mutant.original.type.startswith("pulumi:providers:"):
            return self._first(self._as_a_whole(mutant))
        if mutant.resource is not None and (found := self._first(self._alone(mutant.resource))):
            return found
        return self._among_all(mutant)

    def _alone(self, resource: Resource) -> list[Said]:
        provider = resource.provider.rsplit("::", 1)[0]
        shown = tuple(r for r in self._run.resources if r.urn == provider)
        found = police.judge(self._of_one, replace(self._run, resources=(resource, *shown)))
        return [(v.rule, v.urn, v.message) for v in found if v.urn == resource.urn]

    def _as_a_whole(self, mutant: Mutant) -> list[Said]:
        others = tuple(r for r in self._run.resources if r.urn != mutant.original.urn)
        resources = others if mutant.resource is None else (*others, mutant.resource)
        changed = replace(self._run, resources=tuple(sorted(resources, key=lambda r: r.urn)))
        return [(v.rule, v.urn, v.message) for v in police.judge(self._rules, changed)]

    def _among_all(self, mutant: Mutant) -> str | None:
        urn = mutant.original.urn
        with_it = self._graph[urn]
        if mutant.resource is None:
            return self._ask(mutant, [node for node in self._graph.values() if node.urn != urn])
        (changed,) = (n for n in graph(replace(self._run, resources=(mutant.resource,))) if n.urn == urn)
        props, options = with_it.props, with_it.opts
        with_it.props, with_it.opts = changed.props, changed.opts
        try:
            return self._ask(mutant, list(self._graph.values()))
        finally:
            with_it.props, with_it.opts = props, options

    def _ask(self, mutant: Mutant, nodes: list[PolicyResource]) -> str | None:
        before = self._quick[mutant.original.type, mutant.place]
        for name in sorted(self._of_all, key=lambda name: -before[name]):
            said: list[Said] = []
            args = StackValidationArgs(nodes, self._settings[name], {})
            self._of_all[name].validate(args, _into(said, name))
            if self._first(said):
                before[name] += 1
                return name
        return None

    def _first(self, said: Sequence[Said]) -> str | None:
        return next((one[0] for one in said if one not in self.before), None)


def graph(run: Run) -> list[PolicyResource]:
    """Return the run as stack rules see it."""
    found: list[PolicyResource] = []

    def take(args: StackValidationArgs, _: ReportViolation) -> None:
        found.extend(args.resources)

    police.judge([StackValidationPolicy("graph", "takes the graph", take, EnforcementLevel.ADVISORY)], run)
    return found


def _into(said: list[Said], name: str) -> Callable[[str, str | None], None]:
    return lambda message, urn=None: said.append((name, urn or "", message))


def _defaults(rule: Any) -> dict[str, Any] | None:
    properties: dict[str, Any] = rule.config_schema.properties if rule.config_schema else {}
    return {key: value["default"] for key, value in properties.items() if "default" in value} or None

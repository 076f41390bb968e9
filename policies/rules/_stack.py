"""The whole stack as a graph: which resource a reference leads to, also while ids are unknown.

A known id is looked up among the stack's own. For an unknown one the engine still tells which resources the property
was made of (`property_dependencies`), so a preview can follow references too. Where that leaves a choice, the answer
says so, and rules report only what holds whatever the choice.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pulumi_policy import PolicyResource, ReportViolation, StackValidationArgs

from ._reading import UNKNOWN, elements, read

Report = Callable[[str, str], None]
"""Takes message and URN of one violation."""

Validation = Callable[[StackValidationArgs, ReportViolation], None]
"""What a stack policy runs."""

_NAMES = {
    "aws:s3/bucket:Bucket": "bucket",
    "aws:s3/bucketV2:BucketV2": "bucket",
    "aws:ec2/launchTemplate:LaunchTemplate": "name",
}
"""Property that other resources may use in place of the id."""


@dataclass(frozen=True, slots=True)
class Links:
    """What a property refers to."""

    certain: tuple[PolicyResource, ...]
    possible: tuple[PolicyResource, ...]
    """Further resources that an unknown reference may mean."""
    unresolved: int
    """How many references stand for the possible ones; a list that is unknown as a whole counts as one."""

    @property
    def all(self) -> tuple[PolicyResource, ...]:
        """Certain and possible ones."""
        return self.certain + self.possible

    def surely(self, holds: Callable[[PolicyResource], bool]) -> list[PolicyResource]:
        """Return the resources that meet `holds`, if at least one of them is referred to whatever the unknowns are."""
        found = [resource for resource in self.certain if holds(resource)]
        doubtful = [resource for resource in self.possible if holds(resource)]
        escapes = len(self.possible) - len(doubtful)
        return found + doubtful if self.unresolved > escapes else found


class _Index:
    """Resources by type, by id and by ARN, in one pass."""

    def __init__(self, resources: Sequence[PolicyResource]) -> None:
        self.resources = resources
        self.by_type: defaultdict[str, list[PolicyResource]] = defaultdict(list)
        self.by_id: dict[tuple[str, str], PolicyResource] = {}
        for resource in resources:
            self.by_type[resource.resource_type].append(resource)
            for key in ("id", "arn", _NAMES.get(resource.resource_type)):
                if key and isinstance(value := read(resource.props, key), str):
                    self.by_id[resource.resource_type, value] = resource

    _last: "_Index | None" = None

    @classmethod
    def of(cls, resources: Sequence[PolicyResource]) -> "_Index":
        """Return the index of the list; rules that are shown one and the same list after another share it."""
        if cls._last is None or cls._last.resources is not resources:
            cls._last = cls(resources)
        return cls._last


class Stack:
    """The resources that a stack rule judges, and its settings."""

    def __init__(self, args: StackValidationArgs) -> None:
        self.config: Mapping[str, Any] = args.get_config()
        index = _Index.of(args.resources)
        self._by_type, self._by_id = index.by_type, index.by_id

    def of(self, *types: str) -> list[PolicyResource]:
        """Return the resources of the given types."""
        return [resource for type_ in types for resource in self._by_type.get(type_, ())]

    def kind(self, prefix: str) -> list[PolicyResource]:
        """Return the resources whose type begins with `prefix`, such as `kubernetes:`."""
        return [resource for type_, found in self._by_type.items() if type_.startswith(prefix) for resource in found]

    def links(self, resource: PolicyResource, key: str, value: Any, *types: str) -> Links:
        """Follow the reference or list of references `value`, found in top-level property `key`, to the given types."""
        certain: dict[str, PolicyResource] = {}
        unresolved: list[Any] = []
        for item in elements(value):
            found = next(
                (r for type_ in types if isinstance(item, str) and (r := self._by_id.get((type_, item)))), None
            )
            if found is None:
                unresolved.append(item)
            else:
                certain[found.urn] = found
        possible = [
            candidate
            for candidate in resource.property_dependencies.get(key, ())
            if candidate.resource_type in types
            and candidate.urn not in certain
            and (UNKNOWN in unresolved or not isinstance(read(candidate.props, "id"), str))
        ]
        if not unresolved:
            return Links(tuple(certain.values()), (), 0)
        if len(possible) == 1 or (value is not UNKNOWN and len(unresolved) >= len(possible)):
            return Links((*certain.values(), *possible), (), 0)
        return Links(tuple(certain.values()), tuple(possible), len(unresolved))


def for_stack(check: Callable[[Stack, Report], None]) -> Validation:
    """Return a stack validation that runs `check` on the indexed stack."""

    def validate(args: StackValidationArgs, report_violation: ReportViolation) -> None:
        check(Stack(args), lambda message, urn: report_violation(message, urn))

    return validate

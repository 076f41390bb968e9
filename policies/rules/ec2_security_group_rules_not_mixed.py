"""Inline rules are taken for the full list, so each update removes what stands as a rule of its own, and back.

A stack's resources are seen as their state has them, and after a refresh the state of a group that says nothing of its
rules lists what AWS has: a list in which a separate rule appears again is such an echo, and no inline rule.
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, Final

from pulumi_policy import EnforcementLevel, PolicyResource, Severity, StackValidationPolicy

from ._openings import CARRIERS, DEFAULT_GROUP, GROUP, Direction, Opening, openings
from ._reading import UNKNOWN, elements, read
from ._stack import Report, Stack, for_stack

_GROUPS: Final = (GROUP, DEFAULT_GROUP)
_PEERS: Final = (
    "referencedSecurityGroupId",
    "sourceSecurityGroupId",
    "prefixListId",
    "securityGroups",
    "prefixListIds",
)
_SHOWN: Final = 3
"""How many rules the message names."""


def _check(stack: Stack, report: Report) -> None:
    directions: tuple[Direction, ...] = ("ingress", "egress")
    for direction in directions:
        apart = _apart(stack, direction)
        for group in stack.of(*_GROUPS):
            if group.urn in apart and (what := _inline(group, direction, apart[group.urn])):
                report(
                    f"{what}, and {_listed(apart[group.urn])} beside it; they undo each other, so every rule must be a "
                    "resource of its own.",
                    group.urn,
                )


def _apart(stack: Stack, direction: Direction) -> dict[str, list[tuple[str, Opening]]]:
    """Rules that are resources of their own, by the URN of their group."""
    found: defaultdict[str, list[tuple[str, Opening]]] = defaultdict(list)
    for rule in stack.of(*(type_ for type_ in CARRIERS[direction] if type_ not in _GROUPS)):
        for opening in openings(rule.resource_type, rule.props, direction):
            linked = stack.links(rule, "securityGroupId", read(rule.props, "securityGroupId"), *_GROUPS)
            for group in linked.certain:
                found[group.urn].append((rule.name, opening))
    return found


def _inline(group: PolicyResource, direction: Direction, apart: list[tuple[str, Opening]]) -> str | None:
    """What the group says of its rules; the default group's resource always takes its list for the full one."""
    inline = [
        opening for opening in openings(group.resource_type, group.props, direction) if opening.rule is not UNKNOWN
    ]
    said = {place for opening in inline for place in _places(opening)}
    if any(place in said for _, opening in apart for place in _places(opening)):
        return None
    if inline:
        return f"has {len(inline)} inline {direction} rule{'s' * (len(inline) > 1)}"
    is_default = group.resource_type == DEFAULT_GROUP
    return f"is a default group, which keeps no {direction} rule but its inline ones" if is_default else None


def _places(opening: Opening) -> Iterator[tuple[Any, ...]]:
    """Protocol, ports and peer, each pair once: the same in all of the provider's ways to say it."""
    ports = (None, None) if opening.every_protocol else (opening.first, opening.last)
    peers = [*opening.cidrs, *(peer for key in _PEERS for peer in elements(read(opening.rule, key)))]
    yield from ((str(opening.protocol), *ports, peer) for peer in peers if isinstance(peer, str))


def _listed(apart: list[tuple[str, Opening]]) -> str:
    names = sorted(name for name, _ in apart)
    shown = ", ".join(names[:_SHOWN])
    return shown if len(names) <= _SHOWN else f"{shown} and {len(names) - _SHOWN} more"


RULE = StackValidationPolicy(
    name="ec2-security-group-rules-not-mixed",
    description="Inline rules are taken for the full list, so each update removes the rules that are resources of "
    "their own.",
    severity=Severity.MEDIUM,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["network"],
    remediation_steps="Leave ingress and egress of the group out and write every rule as "
    "aws.vpc.SecurityGroupIngressRule or SecurityGroupEgressRule.",
    url="https://docs.aws.amazon.com/vpc/latest/userguide/working-with-security-group-rules.html",
    validate=for_stack(_check),
)

"""What a security group of the stack lets in, or out."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from pulumi_policy import PolicyResource

from . import _openings
from ._openings import DEFAULT_GROUP, GROUP, Direction, Opening
from ._reading import UNKNOWN, elements, read
from ._stack import Stack

GROUPS = (GROUP, DEFAULT_GROUP)


class Admission:
    """The ingress (or egress) of every group of the stack, inline or by rules of their own."""

    def __init__(self, stack: Stack, direction: Direction = "ingress") -> None:
        self._stack = stack
        self._direction: Direction = direction
        self._openings: defaultdict[str, list[tuple[Opening, PolicyResource]]] = defaultdict(list)
        for carrier in stack.of(*_openings.CARRIERS[direction]):
            for opening in _openings.openings(carrier.resource_type, carrier.props, direction):
                for urn in self._groups_of(carrier):
                    self._openings[urn].append((opening, carrier))

    def lacking(
        self, resource: PolicyResource, key: str, ports: Sequence[int], *, from_itself: bool = False
    ) -> list[int]:
        """Return the ports that certainly none of the groups in `resource`'s property `key` lets in.

        None where a group is not of this stack. With `from_itself`, a rule counts only if it may admit the group
        itself.
        """
        groups = self._groups_named(resource, key)
        return [
            port
            for port in (ports if groups else ())
            if not any(
                opening.may_cover(port) and (not from_itself or self._may_admit(opening, carrier, group))
                for group in groups
                for opening, carrier in self._openings[group.urn]
            )
        ]

    def default_lacks(self, ports: Sequence[int]) -> list[int]:
        """Return the ports that no default group of the stack lets in, for what names no group of its own.

        None where the stack has no default group: the VPC's may be open.
        """
        defaults = self._stack.of(DEFAULT_GROUP)
        openings = [opening for group in defaults for opening, _ in self._openings[group.urn]]
        return [port for port in (ports if defaults else ()) if not any(one.may_cover(port) for one in openings)]

    def admits_itself(self, group: PolicyResource) -> bool:
        """Tell whether the group lets all traffic of every protocol pass among its own members, or may do so.

        A range does not do: EFA's own traffic has no addresses.
        """
        return any(
            (opening.protocol is UNKNOWN or opening.every_protocol) and self._may_name(opening, carrier, group)
            for opening, carrier in self._openings[group.urn]
        )

    def _groups_named(self, resource: PolicyResource, key: str) -> tuple[PolicyResource, ...]:
        value = read(resource.props, key)
        links = self._stack.links(resource, key, value, *GROUPS)
        complete = not links.possible and len(links.certain) >= len(elements(value))
        return links.certain if complete else ()

    def _groups_of(self, carrier: PolicyResource) -> Iterator[str]:
        if carrier.resource_type in GROUPS:
            yield carrier.urn
            return
        links = self._stack.links(carrier, "securityGroupId", read(carrier.props, "securityGroupId"), *GROUPS)
        yield from (group.urn for group in links.all)

    def _may_admit(self, opening: Opening, carrier: PolicyResource, group: PolicyResource) -> bool:
        """A range may hold the group's members, and a group that cannot be told may be it."""
        return next(opening.cidrs, None) is not None or self._may_name(opening, carrier, group)

    def _may_name(self, opening: Opening, carrier: PolicyResource, group: PolicyResource) -> bool:
        if read(opening.rule, "self") in (True, UNKNOWN):
            return True
        for key in ("referencedSecurityGroupId", "sourceSecurityGroupId"):
            if (value := read(opening.rule, key)) is not None:
                return self._may_be(carrier, key, value, group)
        inline = read(opening.rule, "securityGroups")
        return inline is not None and self._may_be(carrier, self._direction, inline, group)

    def _may_be(self, carrier: PolicyResource, key: str, value: Any, group: PolicyResource) -> bool:
        links = self._stack.links(carrier, key, value, *GROUPS)
        return any(found.urn == group.urn for found in links.all)

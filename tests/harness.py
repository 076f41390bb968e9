"""Build real resources under the offline monitor and look at what the engine would have received.

resources = record(lambda: aws.ec2.Vpc("v", cidr_block="10.0.0.0/16"))
assert resources.one("aws:ec2/vpc:Vpc").inputs == {"cidrBlock": "10.0.0.0/16"}
assert violations(RULE, lambda: ...) == [("urn:...", "message")]
"""

import cProfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from gpufleet.plan import offline, police
from gpufleet.plan.graph import Resource, Run


@dataclass(frozen=True)
class Recorded:
    """The resources of one recorded build."""

    run: Run

    @property
    def resources(self) -> tuple[Resource, ...]:
        return self.run.resources

    @property
    def outputs(self) -> Mapping[str, Any]:
        return self.run.outputs

    def all(self, type_: str) -> list[Resource]:
        """Every resource of the type, by URN."""
        return [resource for resource in self.run.resources if resource.type == type_]

    def one(self, type_: str, name: str | None = None) -> Resource:
        """The single resource of the type (and name); otherwise a failure that shows what there is."""
        found = [resource for resource in self.all(type_) if name is None or resource.name == name]
        assert len(found) == 1, f"{len(found)} of {type_} {name or ''}; there are {self.names()}"
        return found[0]

    def names(self) -> set[tuple[str, str]]:
        """(type, name) of every resource."""
        return {(resource.type, resource.name) for resource in self.run.resources}


def record(
    build: Callable[[], object],
    *,
    preview: bool = False,
    config: Mapping[str, str] | None = None,
    project: str = "project",
    stack: str = "stack",
) -> Recorded:
    """Run `build` as a Pulumi program and return what it registered."""
    return Recorded(offline.run(build, project=project, stack=stack, config=config, preview=preview))


def violations(
    rule: Any,
    build: Callable[[], object] | Recorded,
    *,
    preview: bool = False,
    config: Mapping[str, Any] | None = None,
) -> list[tuple[str, str]]:
    """Judge what `build` registers by one rule (a resource or a stack policy): (urn, message), sorted."""
    recorded = build if isinstance(build, Recorded) else record(build, preview=preview)
    found = police.judge([rule], recorded.run, config={rule.name: dict(config)} if config else None)
    return sorted((violation.urn, violation.message) for violation in found)


def calls(work: Callable[[], object]) -> int:
    """How many function calls `work` makes: the measure of its growth that no busy machine changes."""
    profile = cProfile.Profile()
    profile.runcall(work)
    return sum(entry.callcount for entry in profile.getstats())

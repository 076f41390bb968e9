"""How many accelerators are asked for, and how."""

from collections.abc import Iterator

from gpufleet.lint import quantities
from gpufleet.lint.case import Case
from gpufleet.lint.findings import ERROR, WARNING, Finding, Rule
from gpufleet.lint.pools import Pool
from gpufleet.lint.workloads import ACCELERATORS, EFA, HUGEPAGES, Container, entries

TOO_MANY = Rule(
    name="gpu-count-too-large",
    severity=ERROR,
    why="no node of the pool has so many accelerators, so that the pod waits for ever",
)
UNEVEN = Rule(
    name="gpu-count-uneven",
    severity=WARNING,
    why="what is left of the node fits no pod of the same kind, and is paid for",
)
SHARED = Rule(
    name="gpu-count-of-shares",
    severity=WARNING,
    why="each is a part of a GPU or a turn on one, not a GPU: several add up to nothing that one program can use",
)
OTHER = Rule(
    name="gpu-of-another-kind",
    severity=ERROR,
    why="no node of the pool has accelerators of that name, so that the pod waits for ever",
)
UNEQUAL = Rule(
    name="requests-unequal-limits",
    severity=ERROR,
    why="the API refuses what cannot be overcommitted where request and limit differ or the limit is missing",
)
RULES = (TOO_MANY, UNEVEN, SHARED, OTHER, UNEQUAL)


def check(case: Case) -> Iterator[Finding]:
    """Counts that no node has, or that leave the rest of one idle."""
    for container in case.workload.containers:
        yield from _unequal(case, container)
    pool = case.pool
    if pool is not None:
        for resource, asked in case.workload.accelerators.items():
            yield from _counted(case, pool, resource, asked)


def _counted(case: Case, pool: Pool, resource: str, asked: int) -> Iterator[Finding]:
    container = next(one for one in case.workload.containers if one.accelerator and one.accelerator[0] == resource)
    location = (*container.location, "resources", "limits", resource)
    offered = " or ".join(map(str, pool.counts))
    if resource != pool.resource:
        yield case.finding(
            OTHER,
            location,
            found=f"{resource}: {asked}",
            needed=f"{pool.resource}, which nodes of {pool.name} have",
            fix=f'resources: {{limits: {{{pool.resource}: "{pool.accelerators}"}}}}; or another pool',
        )
    elif asked > pool.counts[-1]:
        yield case.finding(
            TOO_MANY,
            location,
            found=f"{resource}: {asked}",
            needed=f"at most {pool.counts[-1]} in one pod on {pool.name}: its nodes have {offered}",
            fix=f'resources: {{limits: {{{resource}: "{pool.counts[-1]}"}}}}, in more pods',
        )
    elif pool.sharing is not None and asked > 1:
        yield case.finding(
            SHARED,
            location,
            found=f"{resource}: {asked} on {pool.name}, which shares by {pool.sharing}",
            needed="1",
            fix=f'resources: {{limits: {{{resource}: "1"}}}}; or a pool that does not share',
        )
    elif not any(count % asked == 0 for count in pool.counts):
        fitting = max((part for part in range(1, asked) if pool.counts[-1] % part == 0), default=1)
        yield case.finding(
            UNEVEN,
            location,
            found=f"{resource}: {asked} on nodes of {offered}",
            needed=f"a divisor of {offered}, such as {fitting}",
            fix=f'resources: {{limits: {{{resource}: "{fitting}"}}}}',
        )


def _unequal(case: Case, container: Container) -> Iterator[Finding]:
    resources = entries(container.body.get("resources"))
    requests, limits = entries(resources.get("requests")), entries(resources.get("limits"))
    for resource in (*ACCELERATORS, EFA, HUGEPAGES):
        asked = requests.get(resource)
        if asked is not None and quantities.parse(asked) != quantities.parse(limits.get(resource)):
            yield case.finding(
                UNEQUAL,
                (*container.location, "resources", "requests", resource),
                found=f"requests {asked}, limits {limits.get(resource, 'nothing')}",
                needed="the same in both",
                fix=f'resources: {{limits: {{{resource}: "{asked}"}}}}',
            )

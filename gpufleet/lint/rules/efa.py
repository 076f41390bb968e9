"""EFA: interfaces, pages, and the plugin that counts them."""

from collections.abc import Iterator

from gpufleet.facts.efa import version_key
from gpufleet.lint import quantities
from gpufleet.lint.case import Case
from gpufleet.lint.findings import ERROR, WARNING, Finding, Rule
from gpufleet.lint.pools import Pool
from gpufleet.lint.workloads import EFA, HUGEPAGES, Container, entries, mappings

MISSING = Rule(
    name="efa-missing",
    severity=ERROR,
    why="without EFA interfaces NCCL falls back to TCP, and the job runs at a fraction of its speed without a word",
)
COUNT = Rule(
    name="efa-count",
    severity=WARNING,
    why="with fewer interfaces than go with its GPUs the network slows them; with more, another pod of the node waits",
)
TOO_MANY = Rule(
    name="efa-too-many",
    severity=ERROR,
    why="no node has so many interfaces, so that the pod waits for ever",
)
NOT_OFFERED = Rule(
    name="efa-not-offered",
    severity=ERROR,
    why="no node of the pool has EFA interfaces, so that the pod waits for ever",
)
PLUGIN = Rule(
    name="efa-plugin-old",
    severity=ERROR,
    why="the device plugin counts interfaces that are not there, so that pods never start",
)
PAGES_MISSING = Rule(
    name="hugepages-missing",
    severity=WARNING,
    why="EFA takes its buffers from hugepages where it is not told otherwise, and fails where it gets none",
)
PAGES_NOT_OFFERED = Rule(
    name="hugepages-not-offered",
    severity=ERROR,
    why="no node is counted to have hugepages (Karpenter knows of none before a node is there), so that the pod waits "
    "for ever",
)
INFINIBAND = Rule(
    name="infiniband-mounted",
    severity=ERROR,
    why="the device plugin hands the pod its own interfaces; with all of the node's devices mounted over them "
    "libfabric may find none that it can open, and NCCL falls back to TCP",
)
RULES = (MISSING, COUNT, TOO_MANY, NOT_OFFERED, PLUGIN, PAGES_MISSING, PAGES_NOT_OFFERED, INFINIBAND)


def check(case: Case) -> Iterator[Finding]:
    """What a workload does not ask for, or in vain."""
    pool = case.pool
    for container in case.workload.computing:
        yield from _mounted(case, container)
        if pool is not None:
            yield from _interfaces(case, container, pool)
            yield from _pages(case, container, pool)
    if pool is not None and pool.efa_plugin is not None and any(one.efa for one in case.workload.computing):
        yield from _plugin(case, pool)


def _interfaces(case: Case, container: Container, pool: Pool) -> Iterator[Finding]:
    resources = (*container.location, "resources")
    asked = container.accelerator
    wanted = pool.share_of_efa(asked[1]) if asked is not None and asked[0] == pool.resource else None
    if container.efa and not pool.efa:
        yield case.finding(
            NOT_OFFERED,
            (*resources, "limits", EFA),
            found=f"{EFA}: {container.efa}",
            needed=f"none on {pool.name}",
            fix=f"take {EFA} out; or choose a pool with EFA",
        )
    elif container.efa > pool.efa:
        yield case.finding(
            TOO_MANY,
            (*resources, "limits", EFA),
            found=f"{EFA}: {container.efa}",
            needed=f"{wanted or pool.efa}, of {pool.efa} on a node of {pool.name}",
            fix=_ask(wanted or pool.efa),
        )
    elif wanted and not container.efa:
        # Of a bare type nobody knows whether its nodes have EFA: only what talks over the network needs it.
        if pool.certain or case.workload.talks:
            share = "a whole node" if asked and asked[1] >= pool.accelerators else f"{asked[1] if asked else 0} GPUs"
            yield case.finding(
                MISSING,
                resources,
                found=f"no {EFA}",
                needed=f"{wanted} for {share} of {pool.name}, which has {pool.efa}",
                fix=_ask(wanted),
            )
    elif wanted is not None and container.efa and container.efa != wanted:
        yield case.finding(
            COUNT,
            (*resources, "limits", EFA),
            found=f"{EFA}: {container.efa} for {asked[1] if asked else 0} of {pool.accelerators} accelerators",
            needed=str(wanted) if wanted else "none: no whole interface goes with so few accelerators",
            fix=_ask(wanted) if wanted else f"take {EFA} out, or ask for more accelerators",
        )


def _pages(case: Case, container: Container, pool: Pool) -> Iterator[Finding]:
    limits = (*container.location, "resources", "limits")
    asked = quantities.parse(container.limit(HUGEPAGES))
    if asked and pool.certain and (pool.scaler == "karpenter" or not pool.hugepages):
        why = "Karpenter makes them" if pool.scaler == "karpenter" else "their image sets none aside"
        yield case.finding(
            PAGES_NOT_OFFERED,
            (*limits, HUGEPAGES),
            found=f"{HUGEPAGES}: {container.limit(HUGEPAGES)}",
            needed=f"none on nodes of {pool.name}: {why}",
            fix=f'take {HUGEPAGES} out, and set FI_EFA_USE_HUGE_PAGE to "0"',
        )
    accelerators = container.accelerator[1] if container.accelerator is not None else 0
    wanted = pool.share_of_hugepages_mib(accelerators)
    spared = str(container.env.get("FI_EFA_USE_HUGE_PAGE", ((), None))[1]) == "0"
    if wanted and container.efa and not asked and not spared:
        yield case.finding(
            PAGES_MISSING,
            limits[:-1],
            found=f'no {HUGEPAGES}, and FI_EFA_USE_HUGE_PAGE is not "0"',
            needed=f"{wanted}Mi, or a program that is told to do without",
            fix=f"resources: {{requests: {{{HUGEPAGES}: {wanted}Mi}}, limits: {{{HUGEPAGES}: {wanted}Mi}}}}",
        )


def _mounted(case: Case, container: Container) -> Iterator[Finding]:
    for index, volume in enumerate(mappings(case.workload.spec.get("volumes"))):
        path = str(entries(volume.get("hostPath")).get("path", ""))
        if container.efa and path.rstrip("/").startswith("/dev/infiniband"):
            yield case.finding(
                INFINIBAND,
                (*case.workload.at_spec, "volumes", index),
                found=f"hostPath {path}",
                needed=f"{EFA} alone, which brings the devices",
                fix=f"take the volume {volume.get('name')!r} and its mounts out",
            )


def _plugin(case: Case, pool: Pool) -> Iterator[Finding]:
    plugin = pool.efa_plugin or {}
    has, least = plugin["appVersion"], plugin["leastAppVersion"]
    if version_key(has) < version_key(least):
        yield case.finding(
            PLUGIN,
            case.workload.at_spec,
            found=f"{plugin['chart']} {has}",
            needed=f"{least} or newer for {', '.join(pool.instance_types)}",
            fix="raise the plugin's pin in the stack; nothing in this manifest",
        )


def _ask(count: int) -> str:
    return f'resources: {{requests: {{{EFA}: "{count}"}}, limits: {{{EFA}: "{count}"}}}}'

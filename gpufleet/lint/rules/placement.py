"""Where a workload goes."""

import difflib
from collections.abc import Iterator, Mapping, Sequence

from gpufleet.lint import placing
from gpufleet.lint.case import Case
from gpufleet.lint.findings import ERROR, WARNING, Finding, Rule
from gpufleet.lint.pools import POOL_LABEL, ZONE_LABEL, Pool
from gpufleet.lint.workloads import entries, mappings

NO_POOL = Rule(
    name="no-pool",
    severity=ERROR,
    why="no node of the stack will ever have these labels, so that the pod waits for ever",
)
TOLERATION = Rule(
    name="toleration-missing",
    severity=ERROR,
    why="the pool's taints keep the pod off its nodes, so that it waits for ever",
)
SEVERAL = Rule(
    name="several-pools",
    severity=WARNING,
    why="the scheduler takes whichever has room, at another price; it is judged here for none of them",
)
SEVERAL_TALKING = Rule(
    name="several-pools-one-job",
    severity=ERROR,
    why="a job whose pods lie in two pools does not talk over EFA: it fails in a way that looks like a fault of NCCL",
)
NOWHERE = Rule(
    name="no-selector",
    severity=WARNING,
    why="neither a pool nor an instance type is named, so that nobody can tell what the pod will find",
)
ZONE = Rule(
    name="one-zone",
    severity=ERROR,
    why="EFA does not cross zones: pods of one job in two zones fall back to TCP, or never find each other",
)
ZONE_PAID = Rule(
    name="zones-of-one-job",
    severity=WARNING,
    why="pods of one job in two zones pay for every byte between them, and wait for it",
)
IDLE = Rule(
    name="no-accelerator",
    severity=WARNING,
    why="the pod takes room on nodes that are paid for by the accelerator, and gets none of it",
)
RULES = (NO_POOL, TOLERATION, SEVERAL, SEVERAL_TALKING, NOWHERE, ZONE, ZONE_PAID, IDLE)


def check(case: Case) -> Iterator[Finding]:
    """Whether it gets to one pool, and stays in one zone."""
    place, workload = case.place, case.workload
    if workload.accelerators and workload.partial:
        if case.pool is None:
            yield case.finding(
                NOWHERE,
                workload.at_spec,
                found="no pool, but perhaps in its runtime",
                needed="the name of one, where it can be seen",
                fix=f"nodeSelector: {{{POOL_LABEL}: NAME}}, in a pod template among runtimePatches",
            )
    elif workload.accelerators:
        yield from _reached(case)
    elif not workload.accelerators and place.known and place.selects and case.pool is not None:
        yield case.finding(
            IDLE,
            workload.at_spec,
            found=f"no {case.pool.resource}",
            needed=f"{case.pool.resource}, or other nodes than those of {case.pool.name}",
            fix=f'resources: {{limits: {{{case.pool.resource}: "1"}}}}; or drop the selector',
        )
    if workload.talks and case.pool is not None:
        yield from _zone(case, case.pool)


def _reached(case: Case) -> Iterator[Finding]:
    place, spec, at = case.place, case.workload.spec, case.workload.at_spec
    where = (*at, "nodeSelector") if spec.get("nodeSelector") else at
    if not place.known:
        if not place.selected:
            fix = f"nodeSelector: {{{POOL_LABEL}: NAME}}, and lint with the stack: gpufleet lint ... --stack STACK"
            yield case.finding(NOWHERE, where, found="no pool", needed="the name of one", fix=fix)
        return
    if not place.selected:
        yield case.finding(NO_POOL, where, **_nearest(case))
        return
    names = sorted({pool.name for pool in place.open})
    if not names:
        pool = min(place.selected, key=lambda one: len(placing.untolerated(spec, one)))
        missing = placing.untolerated(spec, pool)
        shown = ", ".join(f"{one['key']}={one['value']}:{one['effect']}" for one in missing)
        yield case.finding(
            TOLERATION,
            (*at, "tolerations") if spec.get("tolerations") else at,
            found=f"nothing that tolerates {shown}",
            needed=f"it, for {pool.name}",
            fix=f"{'add to ' if spec.get('tolerations') else ''}tolerations: [{', '.join(map(_toleration, missing))}]",
        )
    elif len(names) > 1:
        apart = case.workload.talks and any(pool.efa for pool in place.open)
        yield case.finding(
            SEVERAL_TALKING if apart else SEVERAL,
            where,
            found=f"may go to {', '.join(names)}",
            needed="one of them",
            fix=f"nodeSelector: {{{POOL_LABEL}: {names[0]}}}",
        )


def _nearest(case: Case) -> dict[str, str]:
    """What it selects, and what there is."""
    (first, *_) = placing.terms(case.workload.spec)
    selected = ", ".join(f"{key}={'|'.join(sorted(values))}" for key, found in first.items() for values in found)
    names = sorted({pool.name for pool in case.place.pools})
    asked = next(iter(next(iter(first.get(POOL_LABEL, ())), frozenset[str]())), "")
    close = difflib.get_close_matches(asked, names, n=1, cutoff=0.3) or names[:1]
    return {
        "found": selected or "no pool with such accelerators",
        "needed": f"one of {', '.join(names)}" if names else "a pool; the stack has none",
        "fix": f"nodeSelector: {{{POOL_LABEL}: {close[0]}}}" if close else "add a pool to the stack",
    }


def _zone(case: Case, pool: Pool) -> Iterator[Finding]:
    spec = case.workload.spec
    if len(pool.zones) == 1 or _pinned(case) or _beside(spec.get("affinity")):
        return
    if not pool.certain and not case.workload.computing[0].efa:
        return
    rule = ZONE if any(one.efa for one in case.workload.computing) else ZONE_PAID
    zones: Sequence[str] = pool.zones or ("us-east-1a",)
    yield case.finding(
        rule,
        case.workload.at_spec,
        found=f"{case.workload.pods} pods in any of {', '.join(pool.zones)}" if pool.zones else "pods in any zone",
        needed="one zone, by the selector or by an affinity between the pods",
        fix=f"nodeSelector: {{{ZONE_LABEL}: {zones[0]}}}",
    )


def _pinned(case: Case) -> bool:
    alternatives = placing.terms(case.workload.spec)
    return all(any(len(values) == 1 for values in one.get(ZONE_LABEL, ())) for one in alternatives)


def _beside(affinity: object) -> bool:
    """Whether an affinity between pods keeps them in one zone."""
    between = entries(entries(affinity).get("podAffinity"))
    required = mappings(between.get("requiredDuringSchedulingIgnoredDuringExecution"))
    return any(term.get("topologyKey") == ZONE_LABEL for term in required)


def _toleration(taint: Mapping[str, str]) -> str:
    return f"{{key: {taint['key']}, operator: Exists, effect: {taint['effect']}}}"

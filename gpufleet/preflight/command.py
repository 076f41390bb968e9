"""`gpufleet preflight`: ask AWS, by reading alone, whether a stack would come up; or where its pools could be."""

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from gpufleet import progress
from gpufleet.documents import print_json
from gpufleet.errors import UsageError
from gpufleet.plan import planning
from gpufleet.plan.project import Project
from gpufleet.preflight import identities, places, pools, report, running, suggest
from gpufleet.preflight.asking import Deadline
from gpufleet.preflight.checks import NAMES
from gpufleet.preflight.places import Place
from gpufleet.preflight.pool import Pool
from gpufleet.preflight.results import COULD_NOT_ASK, FAILED, PASSED
from gpufleet.preflight.running import Asked
from gpufleet.pricing.wire import Unreadable

SCHEMA = 1
SECONDS = 120
"""For all questions together; a stack of two regions takes some ten."""


def run(
    project: Project,
    *,
    only: Sequence[str] = (),
    strict: bool = False,
    rank: bool = False,
    pool: str | None = None,
    seconds: float = SECONDS,
    as_json: bool = False,
) -> bool:
    """Ask and print; return whether nothing speaks against the stack.

    Args:
        project: the stack; any Pulumi program with AWS resources.
        only: names of checks; empty: all.
        strict: whether what could not be asked counts as a failure.
        rank: rank regions and zones for the pools, instead of checking.
        pool: rank for this one only.
        seconds: when to stop asking; what is open then could not be asked.
        as_json: one document on stdout instead of tables.

    Raises:
        UsageError: the arguments, the settings or the program are wrong.
        MissingError: boto3 or credentials cannot be had.
    """
    _check(only, rank, pool, seconds)
    identities.require_boto3()
    started = time.perf_counter()
    with progress.shown() as tell:
        tell("reading the plan")
        found = _read(project)
        wanted = _pools(found, pool) if rank else []
        asked = running.ask(found, only=["credentials"] if rank else only, deadline=Deadline(seconds), tell=tell)
        ranked = [
            suggest.rank(site, one, tell) for site in asked.sites for one in site.pools if rank and one.urn in wanted
        ]
    head = {
        "schema": SCHEMA,
        "project": project.name,
        "stack": project.stack,
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "seconds": round(time.perf_counter() - started, 3),
        "accounts": sorted({site.account_id for site in asked.sites}),
    }
    if rank and asked.sites:
        document = {**head, "suggestions": [_suggestion(one) for one in ranked]}
        print_json(document) if as_json else report.print_suggestions(document)
        return all(one.candidates for one in ranked)
    document = {**head, **_judged(asked, strict=strict)}
    print_json(document) if as_json else report.print_results(document)
    return bool(document["ok"])


def _check(only: Sequence[str], rank: bool, pool: str | None, seconds: float) -> None:
    for name in only:
        if name not in NAMES:
            raise UsageError(f"--only {name}: there is no such check\n  allowed: {', '.join(NAMES)}")
    if rank and only:
        raise UsageError("--suggest: ranks instead of checking\n  fix: leave --only out")
    if pool is not None and not rank:
        raise UsageError("--pool: belongs to --suggest, which is not given")
    if not seconds > 0:  # nan too
        raise UsageError(f"--seconds {seconds:g}: must be above 0")


def _read(project: Project) -> list[tuple[Place, tuple[Pool, ...]]]:
    planned = planning.run(project, preview=False)
    try:
        return [(place, tuple(pools.read(place))) for place in places.read(planned, project)]
    except (Unreadable, ValueError) as error:
        raise UsageError(f"{project.source}: a pool of the plan cannot be read: {error}") from error


def _pools(found: Sequence[tuple[Place, tuple[Pool, ...]]], name: str | None) -> list[str]:
    """The URNs of the pools that are to be ranked: those with GPUs or by name."""
    every = [one for _, there in found for one in there if one.types]
    chosen = [one.urn for one in every if name in (None, one.name)]
    if not chosen:
        names = ", ".join(sorted({one.name for one in every})) or "none: the plan has no pools"
        raise UsageError(f"--pool {name}: there is no such pool\n  allowed: {names}")
    return chosen


def _judged(asked: Asked, *, strict: bool) -> dict[str, Any]:
    counted = Counter(one.status for one in asked.results)
    summary = {status: counted[status] for status in (PASSED, FAILED, COULD_NOT_ASK)}
    return {
        "ok": not summary[FAILED] and not (strict and summary[COULD_NOT_ASK]),
        "strict": strict,
        "summary": summary,
        "missing_permissions": sorted({one.permission for one in asked.results if one.permission}),
        "results": [one.as_document() for one in asked.results],
    }


def _suggestion(found: suggest.Suggestion) -> Mapping[str, Any]:
    return {
        "pool": found.pool.name,
        "region": found.region,
        "purchase": " or ".join(found.pool.purchases),
        "types": list(found.pool.types),
        "candidates": [one.as_document() for one in found.candidates],
        "could_not_ask": list(found.unasked),
    }

"""Ask everything at once, within a time, and answer in the same order every time."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass, replace

from gpufleet.errors import MissingError
from gpufleet.preflight import identities
from gpufleet.preflight.asking import Deadline
from gpufleet.preflight.checks import CHECKS, Check, credentials
from gpufleet.preflight.identities import Caller, Identity
from gpufleet.preflight.places import Place
from gpufleet.preflight.pool import Pool
from gpufleet.preflight.results import COULD_NOT_ASK, FAILED, PASSED, CouldNotAsk, Result
from gpufleet.preflight.site import Site
from gpufleet.pricing.wire import Unreadable

WORKERS = 8
"""Questions at once: enough to be done in seconds, few enough not to be throttled."""


@dataclass(frozen=True, kw_only=True)
class Asked:
    """All answers, and who could be asked."""

    results: tuple[Result, ...]
    sites: tuple[Site, ...]
    """The places at which the credentials are right."""


def ask(
    places: Sequence[tuple[Place, tuple[Pool, ...]]],
    *,
    only: Sequence[str],
    deadline: Deadline,
    tell: Callable[[str], None],
    workers: int = WORKERS,
) -> Asked:
    """Run the checks at every place.

    Args:
        places: of the plan, with their pools.
        only: names of checks; empty: all.
        deadline: when to stop asking.
        tell: is told what is done.
        workers: questions at once.

    Raises:
        MissingError: no credentials can be had anywhere.
    """
    found, sites = _sites(places, deadline)
    if only and credentials.NAME not in only:
        found = [one for one in found if one.status != PASSED]
    tasks = [(check, site) for check in CHECKS if not only or check.name in only for site in sites]
    with ThreadPoolExecutor(max_workers=workers) as pool:
        asked: dict[Future[list[Result]], int] = {pool.submit(_answers, *task): n for n, task in enumerate(tasks)}
        answers: list[list[Result]] = [[] for _ in tasks]
        for done, future in enumerate(as_completed(asked), 1):
            check, site = tasks[asked[future]]
            answers[asked[future]] = future.result()
            tell(f"asking AWS: {done} of {len(tasks)} checks, {check.name} in {site.region}")
    return Asked(results=(*found, *(one for answer in answers for one in answer)), sites=tuple(sites))


def _sites(places: Sequence[tuple[Place, tuple[Pool, ...]]], deadline: Deadline) -> tuple[list[Result], list[Site]]:
    callers: dict[Identity, Caller | CouldNotAsk] = {}
    for place, _ in places:
        if place.identity not in callers:
            try:
                callers[place.identity] = identities.connect(place.identity, place.region, deadline)
            except CouldNotAsk as error:
                callers[place.identity] = error
    refused = [one for one in callers.values() if isinstance(one, CouldNotAsk)]
    if len(refused) == len(callers):
        raise MissingError(
            f"{refused[0].why}\n"
            "  fix: name a profile with AWS_PROFILE, log in (aws sso login), or set AWS_ACCESS_KEY_ID and "
            "AWS_SECRET_ACCESS_KEY; of a kept rehearsal, paste the exports it printed"
        )
    results: list[Result] = []
    sites: list[Site] = []
    for place, pools in places:
        caller = callers[place.identity]
        told = caller.result("who asks") if isinstance(caller, CouldNotAsk) else credentials.judge(place, caller)
        account = caller.account_id if isinstance(caller, Caller) else ", ".join(place.identity.account_ids)
        results.append(replace(told, check=credentials.NAME, region=place.region, account=account))
        if isinstance(caller, CouldNotAsk):
            continue
        if told.status == FAILED:
            results += _not_asked(place)
            continue
        everywhere = tuple(one for other, there in places if other.identity == place.identity for one in there)
        sites.append(
            Site(
                place=place,
                pools=pools,
                account_pools=everywhere,
                aws=caller.aws.at(place.region),
                account_id=caller.account_id,
            )
        )
    return results, sites


def _not_asked(place: Place) -> Iterator[Result]:
    whose = " or ".join(place.identity.account_ids)
    yield Result(
        check=credentials.NAME,
        region=place.region,
        account=whose,
        status=COULD_NOT_ASK,
        what=f"everything else in {place.region}: another account's answers would say nothing of {whose}",
    )


def _answers(check: Check, site: Site) -> list[Result]:
    found: list[Result] = []
    try:
        found.extend(check.run(site))
    except CouldNotAsk as error:
        found.append(error.result(f"{check.name} of {site.region}"))
    except Unreadable as error:
        found.append(CouldNotAsk(f"the plan does not tell: {error}").result(f"{check.name} of {site.region}"))
    return [replace(one, check=check.name, region=site.region, account=site.account_id) for one in found]

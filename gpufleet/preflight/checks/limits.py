"""Limits of addresses, networks, gateways, endpoints, groups, rules and clusters."""

from collections import Counter
from collections.abc import Iterator

from gpufleet.facts import quotas
from gpufleet.preflight import counts, quota_values
from gpufleet.preflight.counts import Limit, Numbers
from gpufleet.preflight.results import CouldNotAsk, Result, failed, passed
from gpufleet.preflight.site import Site

NAME = "limits"
PERMISSIONS = (
    quota_values.GET,
    quota_values.DEFAULT,
    quota_values.LIST,
    quota_values.HISTORY,
    *(limit.permission for limit in counts.LIMITS if limit.permission),
    "ec2:DescribeSubnets",
)


def check(site: Site) -> Iterator[Result]:
    """For each limit that the plan touches: what it has and what others have, against what is allowed."""
    for limit in counts.LIMITS:
        yield from of_limit(site, limit)


def of_limit(site: Site, limit: Limit) -> Iterator[Result]:
    """One limit; nothing where the plan does not touch it."""
    planned = +limit.planned(site)
    if not planned:
        return
    quota = quotas.limit(limit.key)
    most, where = max((number, where) for where, number in planned.items())
    others: Numbers = Counter()
    try:
        others = limit.others(site) if limit.others else others
    except CouldNotAsk as error:
        yield error.result(f"{quota.name}: how many others have, beside {most} of this stack")
    try:
        value = quota_values.of(site.aws, quota)
    except CouldNotAsk as error:
        yield error.result(f"{quota.name}: whether {quota.code} allows the {most} of the plan (usual: {quota.default})")
        return
    over = {place: n + others[place] for place, n in planned.items() if n + others[place] > value.value}
    for place, number in sorted(over.items()):
        beside = f" beside {others[place]} of others" if others[place] else ""
        at = f" in {place}" if place else ""
        yield failed(
            f"{quota.name}: the plan has {planned[place]}{at}{beside}, {value.value:g} are allowed ({value.code})",
            quota_values.increase(site.aws, quota.service, value.code, number),
            **_evidence(value, planned[place], others[place]),
        )
    if not over:
        most, where = max((number + others[place], place) for place, number in planned.items())
        told = f"{quota.name}: {most} of {value.value:g}{f' in {where}' if where else ''}"
        yield passed(told, **_evidence(value, planned[where], others[where]))


def _evidence(value: quota_values.Applied, planned: int, others: int) -> dict[str, object]:
    return {"quota_code": value.code, "quota": value.value, "planned": planned, "used_by_others": others}

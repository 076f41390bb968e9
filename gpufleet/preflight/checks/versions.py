"""Kubernetes versions of the clusters: offered, and for how long without paying sixfold."""

from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import Any

from gpufleet.facts import kubernetes
from gpufleet.plan.graph import Resource
from gpufleet.preflight.places import CLUSTER
from gpufleet.preflight.results import CouldNotAsk, Result, failed, passed
from gpufleet.preflight.site import Site
from gpufleet.pricing import wire

NAME = "version"
PERMISSIONS = ("eks:DescribeClusterVersions",)

SOON_DAYS = 90
"""Time to plan an upgrade in."""


def check(site: Site) -> Iterator[Result]:
    """For each cluster that names a version."""
    today = datetime.now(UTC).date()
    for cluster in site.place.of(CLUSTER):
        version = cluster.inputs.get("version")
        if not isinstance(version, str):
            continue
        try:
            listed = site.aws.listed(PERMISSIONS[0], "eks", "describe_cluster_versions", "clusterVersions")
        except CouldNotAsk as error:
            known = kubernetes.find(version)
            calendar = f" (by the calendar of {kubernetes.AS_OF}: support {known.support(today)})" if known else ""
            yield error.result(f"whether EKS offers {version}{calendar}")
            continue
        yield _judge(cluster, version, {one["clusterVersion"]: one for one in listed}, today)


def _judge(cluster: Resource, version: str, offered: dict[str, Any], today: date) -> Result:
    found = offered.get(version)
    name = cluster.inputs.get("name") or cluster.name
    status = _status(found) if found else "unsupported"
    if found is None or status == "unsupported":
        there = sorted(one for one, told in offered.items() if _status(told) == "standard-support")
        return failed(
            f"cluster {name}: EKS does not offer Kubernetes {version}",
            f"take one of {', '.join(there)}",
            offered=sorted(offered),
        )
    standard, extended = found.get("endOfStandardSupportDate"), found.get("endOfExtendedSupportDate")
    evidence = {
        "version": version,
        "status": status,
        "standard_until": _day(standard),
        "extended_until": _day(extended),
    }
    if status == "extended-support":
        until = f"until {_day(extended)}, at six times the price"
        told = f"cluster {name}: Kubernetes {version} is in extended support {until}"
        if wire.value(cluster.inputs, "upgradePolicy.supportType") == "STANDARD":
            fix = "take a version in standard support; the cluster's upgradePolicy allows no other"
            return failed(told, fix, **evidence)
        return passed(told, "plan the upgrade", **evidence)
    left = (standard.date() - today).days if standard else None
    said = f" for {left} days more, until {_day(standard)}" if left is not None else ""
    soon = left is not None and left < SOON_DAYS
    return passed(
        f"cluster {name}: Kubernetes {version} is in standard support{said}",
        "plan the upgrade" if soon else "",
        days_left=left,
        **evidence,
    )


def _status(told: Any) -> str:
    return str(told.get("versionStatus") or told.get("status") or "").lower().replace("_", "-")


def _day(moment: Any) -> str | None:
    return moment.date().isoformat() if moment else None

"""The EKS version calendar, from ``data/kubernetes.json``.

A version has some fourteen months of standard support, then twelve of extended support, in which the control plane
costs six times as much. The live truth is `eks.describe_cluster_versions()`.
"""

from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Any

from gpufleet.facts import _data


@dataclass(frozen=True, slots=True)
class Release:
    """One Kubernetes minor version on EKS; each support period includes its last day."""

    version: str
    """`1.35`, never `v1.35` and never a number: 1.3 is not 1.30."""
    standard_until: date
    extended_until: date
    released: date
    """The day EKS offered it."""

    def support(self, today: date) -> str:
        """`standard`, `extended` or `ended` on that day."""
        if today <= self.standard_until:
            return "standard"
        return "extended" if today <= self.extended_until else "ended"


_FILE = _data.read("kubernetes")

AS_OF: date = date.fromisoformat(_FILE["date"])
"""Day on which the calendar was read."""

DEFAULT_VERSION: str = _FILE["default"]
"""The version a cluster gets that names none."""


@cache
def releases() -> tuple[Release, ...]:
    """Every version of the calendar, oldest first."""
    rows: list[dict[str, Any]] = _FILE["releases"]
    return tuple(
        Release(
            version=row["version"],
            standard_until=date.fromisoformat(row["standard_until"]),
            extended_until=date.fromisoformat(row["extended_until"]),
            released=date.fromisoformat(row["released"]),
        )
        for row in rows
    )


def find(version: str) -> Release | None:
    """The release of that exact version, or `None` when the calendar does not know it."""
    return next((release for release in releases() if release.version == version), None)


def in_standard_support(today: date) -> tuple[str, ...]:
    """The versions one can start with on that day without paying for extended support, oldest first."""
    return tuple(r.version for r in releases() if r.released <= today <= r.standard_until)

"""Helm charts that the platform installs, from ``data/charts.json``: each pinned to one version."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any

from gpufleet.facts import _data


@dataclass(frozen=True, slots=True)
class Chart:
    """One chart in one version."""

    name: str
    repository: str
    """`oci://...`, to which the name is added, or the `https://` address of a repository with an index."""
    version: str
    """Of the chart."""
    app_version: str
    """Of what the chart installs; some projects count the two apart."""
    images: tuple[str, ...]
    """What its pods pull as we set it up, `registry/path:tag@digest`; none where the chart runs nothing."""
    source: str
    date: str
    """Day on which the version was released, ISO 8601."""

    @property
    def address(self) -> str:
        """What Helm calls the chart: the whole address of one in an OCI registry, else its name in the repository."""
        return f"{self.repository}/{self.name}" if self.is_oci else self.name

    @property
    def is_oci(self) -> bool:
        """Whether it lies in an OCI registry, which has no index and so is no `repo` to Helm."""
        return self.repository.startswith("oci://")


class UnknownChart(LookupError):
    """A chart that is not pinned here."""

    def __init__(self, name: str) -> None:
        super().__init__(f"chart {name!r} is not in the catalogue; it has {', '.join(names())}")
        self.name = name


@cache
def names() -> tuple[str, ...]:
    """The charts that are pinned, in alphabetical order."""
    return tuple(sorted(_charts()))


def find(name: str) -> Chart | None:
    """The chart of that name, or `None` where it is not pinned here."""
    return _charts().get(name)


def get(name: str) -> Chart:
    """The chart of that name.

    Raises:
        UnknownChart: it is not pinned here.
    """
    chart = find(name)
    if chart is None:
        raise UnknownChart(name)
    return chart


@cache
def _charts() -> Mapping[str, Chart]:
    rows: list[dict[str, Any]] = _data.read("charts")["charts"]
    return MappingProxyType({row["name"]: _chart(row) for row in rows})


def _chart(row: dict[str, Any]) -> Chart:
    images: list[str] = row.pop("images")
    return Chart(**row, images=tuple(images))

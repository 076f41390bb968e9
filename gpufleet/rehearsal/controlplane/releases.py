"""The releases of Kubernetes that this package can build: one Go module each, named after the minor version."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from gpufleet.errors import MissingError


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """A release with a Go module to build it from."""

    minor: str
    """As a cluster names it: `1.35`."""
    version: str
    """The patch release that is built: `1.35.4`."""
    etcd: str
    """The etcd that this release of Kubernetes requires: `3.6.5`."""
    module: Path
    """Folder with go.mod and go.sum."""


def module_directory() -> Path:
    """Where the Go modules lie: beside this file in a wheel, at `tools/controlplane` in a checkout.

    Raises:
        MissingError: in neither place: the installation is not complete.
    """
    here = Path(__file__).resolve()
    for candidate in (here.parent / "modules", here.parents[3] / "tools" / "controlplane"):
        if any(candidate.glob("*/go.mod")):
            return candidate
    raise MissingError(f"the go.mod files of Kubernetes' releases are missing below {here.parent}: reinstall gpufleet")


@cache
def available() -> tuple[Release, ...]:
    """Every release that can be built, oldest first."""
    modules = [path.parent for path in module_directory().glob("*/go.mod")]
    return tuple(sorted((_read(folder) for folder in modules), key=lambda release: numbers(release.version)))


def find(minor: str) -> Release | None:
    """The release of a minor version such as `1.35`, None where there is no module for it."""
    return next((release for release in available() if release.minor == minor), None)


def numbers(version: str) -> tuple[int, ...]:
    """`1.35.4` as (1, 35, 4), so that versions can be compared."""
    return tuple(int(number) for number in re.findall(r"\d+", version)[:3])


def _read(folder: Path) -> Release:
    text = (folder / "go.mod").read_text(encoding="utf-8")

    def required(path: str) -> str:
        found = re.search(rf"^\s*{re.escape(path)} v(\d+\.\d+\.\d+)$", text, re.MULTILINE)
        if found is None:
            raise MissingError(f"{folder / 'go.mod'} does not require {path}: generate it anew")
        return found.group(1)

    return Release(
        minor=folder.name,
        version=required("k8s.io/kubernetes"),
        etcd=required("go.etcd.io/etcd/server/v3"),
        module=folder,
    )

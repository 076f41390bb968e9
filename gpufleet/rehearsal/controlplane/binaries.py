"""Find the four programs of a control plane, each where it can be had; have those that are missing built."""

import os
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from gpufleet.errors import MissingError
from gpufleet.rehearsal import engine
from gpufleet.rehearsal.controlplane import releases
from gpufleet.rehearsal.engine import Progress

ETCD: Final = "etcd"
API_SERVER: Final = "kube-apiserver"
CONTROLLER_MANAGER: Final = "kube-controller-manager"
SCHEDULER: Final = "kube-scheduler"
PROGRAMS: Final = (ETCD, API_SERVER, CONTROLLER_MANAGER, SCHEDULER)

ASSETS_VARIABLE: Final = "KUBEBUILDER_ASSETS"
"""Names the folder where controller tests have their programs; setup-envtest fills it, without the last two of ours."""

ETCD_MINIMUM: Final = (3, 5)
"""Kubernetes' own floor. https://kubernetes.io/docs/tasks/administer-cluster/configure-upgrade-etcd/"""

# They answer within a tenth of a second; what takes this long is something else.
VERSION_SECONDS = 20.0


class ControlPlaneMissing(MissingError):
    """A control plane of this version cannot be had; the message names the ways to get one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """One program that answered."""

    name: str
    path: Path
    """Absolute."""
    version: str
    """Without the v: `1.35.4`."""
    origin: str
    """Where it was found: `assets`, `path`, `cache`, or `built` where that was just done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Binaries:
    """The programs of one control plane."""

    minor: str
    """The version of Kubernetes that they serve: `1.35`."""
    programs: Mapping[str, Program]
    """Each of `PROGRAMS` by its name."""

    def __getitem__(self, name: str) -> Path:
        return self.programs[name].path

    @property
    def version(self) -> str:
        """The API server's own version: `1.35.4`."""
        return self.programs[API_SERVER].version


@dataclass(frozen=True, slots=True, kw_only=True)
class Survey:
    """What is on this machine for one minor version."""

    minor: str
    found: Mapping[str, Program]
    passed_over: Mapping[str, Sequence[str]]
    """By program, a line for each place where it was found and not taken: which, and why."""

    @property
    def missing(self) -> tuple[str, ...]:
        """The programs that were not found."""
        return tuple(name for name in PROGRAMS if name not in self.found)


def cache_directory() -> Path:
    """Where programs that this package built are kept: beside the engines, in `controlplane`."""
    return engine.cache_directory().parent / "controlplane"


def built_path(release: releases.Release, name: str) -> Path:
    """Where a program of a release lies in the cache."""
    return cache_directory() / f"v{release.version}" / name


def survey(minor: str) -> Survey:
    """Look for the programs of a minor version in all places; each is taken from the first place that has it.

    Args:
        minor: as `1.35`. Any version will do where `KUBEBUILDER_ASSETS` or PATH has the programs.
    """
    candidates = {name: _candidates(minor, name) for name in PROGRAMS}
    paths = list(dict.fromkeys(path for places in candidates.values() for path, _ in places))
    with ThreadPoolExecutor(max_workers=len(PROGRAMS)) as pool:
        versions = dict(zip(paths, pool.map(version_of, paths), strict=True))
    found: dict[str, Program] = {}
    passed_over: dict[str, list[str]] = {}
    for name, places in candidates.items():
        for path, origin in places:
            why_not = _unfit(minor, name, versions[path])
            if why_not is None:
                found[name] = Program(name=name, path=path, version=versions[path] or "", origin=origin)
                break
            passed_over.setdefault(name, []).append(f"{path} {why_not}")
    return Survey(minor=minor, found=found, passed_over=passed_over)


def version_of(path: Path) -> str | None:
    """Ask a program for its version; None where it is broken, truncated, hangs or is something else."""
    try:
        answer = subprocess.run(  # noqa: S603 (the program is the one to be judged)
            [str(path), "--version"],
            env={"HOME": "/nonexistent"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=VERSION_SECONDS,
            check=True,
        )
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
        return None
    found = re.match(r"(?:Kubernetes v|etcd Version: )(\d+\.\d+\.\d+\S*)\s", answer.stdout)
    return found.group(1) if found else None


def ensure_binaries(minor: str, progress: Progress | None = None) -> Binaries:
    """Return the programs of a minor version; what is missing is built now, once.

    Args:
        minor: as `1.35`.
        progress: told one line about every second while it takes long.

    Raises:
        ControlPlaneMissing: something is missing and could not be built; the message says what each way lacked.
    """
    looked = survey(minor)
    if not looked.missing:
        return Binaries(minor=minor, programs=looked.found)
    # Late, because it builds on this module, and who has the programs does not pay for the ways to get them.
    from gpufleet.rehearsal.controlplane import build

    release = releases.find(minor)
    if release is None:
        why = f"Go: there is no module for Kubernetes {minor}, only for {_and([r.minor for r in releases.available()])}"
        raise ControlPlaneMissing(_explain(looked, [why]))
    try:
        made = build.build(release, looked.missing, progress or _ignore)
    except build.WayBarred as barred:
        raise ControlPlaneMissing(_explain(looked, [str(barred)])) from barred
    return Binaries(minor=minor, programs={**looked.found, **made})


def _candidates(minor: str, name: str) -> list[tuple[Path, str]]:
    candidates: list[tuple[Path, str]] = []
    if assets := os.environ.get(ASSETS_VARIABLE):
        candidates.append((Path(assets).absolute() / name, "assets"))
    if on_path := shutil.which(name):
        candidates.append((Path(on_path).absolute(), "path"))
    if release := releases.find(minor):
        candidates.append((built_path(release, name), "cache"))
    return [(path, origin) for path, origin in candidates if path.exists()]


def _unfit(minor: str, name: str, version: str | None) -> str | None:
    """Say why a program cannot be used, None where it can."""
    if version is None:
        return "does not answer --version"
    if name == ETCD:
        if releases.numbers(version) >= ETCD_MINIMUM:
            return None
        return f"is {version}, older than {'.'.join(map(str, ETCD_MINIMUM))}, which Kubernetes needs"
    if releases.numbers(version)[:2] == releases.numbers(minor):
        return None
    return f"is {version}, not a {minor}"


def _explain(looked: Survey, failures: Sequence[str]) -> str:
    release = releases.find(looked.minor)
    passed_over = [line for lines in looked.passed_over.values() for line in lines]
    what = f"Kubernetes {looked.minor}'s {_and(looked.missing)}"
    ways = "Either of these gives it one:" if release else "This gives it one:"
    lines = [f"the rehearsal needs {what}, and there is none here. {ways}"]
    lines.append(
        f"  - put them into the folder that {ASSETS_VARIABLE} names, or on PATH: https://dl.k8s.io has Kubernetes', "
        "https://github.com/etcd-io/etcd/releases has etcd"
    )
    if release is not None:
        lines.append(
            f"  - install Go (https://go.dev/dl/), and {release.version} is built once from the Go module proxy "
            f"(about 5 minutes) into {cache_directory()}"
        )
    lines += ["What was tried:", *(f"  - {failure}" for failure in [*passed_over, *failures])]
    return "\n".join(lines)


def _and(names: Sequence[str]) -> str:
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def _ignore(line: str) -> None:
    """Tell nobody."""

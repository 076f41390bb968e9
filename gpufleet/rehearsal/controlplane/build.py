"""Build the programs of a control plane from their Go module into the user's cache, once."""

import os
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from gpufleet.rehearsal import turns
from gpufleet.rehearsal.controlplane.binaries import ETCD, Program, built_path, cache_directory, version_of
from gpufleet.rehearsal.controlplane.releases import Release
from gpufleet.rehearsal.engine import Progress
from gpufleet.rehearsal.long_command import CommandFailed, LongCommand

ETCD_PACKAGE = "go.etcd.io/etcd/server/v3"
KUBERNETES_PACKAGES = "k8s.io/kubernetes/cmd"

# Where `kube-apiserver --version` and the API's own /version read their answer. A module build leaves it unset.
VERSION_SYMBOLS = "k8s.io/component-base/version"

# Two and a half minutes for the largest on two idle cores; beyond this the machine or the network is not up to it.
BUILD_SECONDS = 1800.0


class WayBarred(Exception):
    """The programs cannot be built here; the message is one line that says why (a failed build adds its output)."""


def build(release: Release, names: Sequence[str], progress: Progress) -> dict[str, Program]:
    """Build programs with Go. Two callers at once build once: the second waits.

    Each program is put in its place when it is whole, so that a build that is interrupted is taken up where it was.

    Args:
        release: which, and its module.
        names: of `PROGRAMS`.
        progress: told the seconds and Go's last line.

    Raises:
        WayBarred: Go is missing, the build failed, or the cache cannot be written.
    """
    go = shutil.which("go")
    if go is None:
        raise WayBarred("Go: there is no `go` on PATH")
    folder = cache_directory() / f"v{release.version}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = turns.taken(cache_directory() / f"v{release.version}.lock", "the control plane", progress)
    except OSError as error:
        raise WayBarred(f"the cache {cache_directory()} cannot be written: {error.strerror or error}") from error
    try:
        for stale in folder.glob(".*"):
            # Under the lock nobody else is making one: whoever made this was killed.
            shutil.rmtree(stale, ignore_errors=True)
        return {name: _made(go, release, name, progress) for name in names}
    except OSError as error:
        raise WayBarred(f"the cache {folder} cannot be written: {error.strerror or error}") from error
    finally:
        lock.release()


def _made(go: str, release: Release, name: str, progress: Progress) -> Program:
    """Build one program, unless somebody else just did. The lock is held."""
    place = built_path(release, name)
    # Another process may have made it while this one waited; a truncated one does not answer and is made again.
    version = version_of(place)
    if version is None:
        scratch = Path(tempfile.mkdtemp(prefix=f".{name}.", dir=place.parent))
        try:
            made = scratch / name
            try:
                _command(go, release, name, made).run(progress, scratch)
            except CommandFailed as failed:
                raise WayBarred(f"Go: {failed}") from failed
            version = version_of(made)
            if version is None:
                raise WayBarred(f"{name} was made but does not answer --version")
            made.replace(place)
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
    return Program(name=name, path=place, version=version, origin="built")


def _command(go: str, release: Release, name: str, output: Path) -> LongCommand:
    major, minor, _ = release.version.split(".")
    symbols = {"gitVersion": f"v{release.version}", "gitMajor": major, "gitMinor": minor, "gitTreeState": "clean"}
    stamp = " ".join(f"-X {VERSION_SYMBOLS}.{symbol}={value}" for symbol, value in symbols.items())
    package = ETCD_PACKAGE if name == ETCD else f"{KUBERNETES_PACKAGES}/{name}"
    version = release.etcd if name == ETCD else release.version
    return LongCommand(
        title=f"building {name} {version} with Go, once",
        arguments=[
            *(go, "build", "-v", "-mod=readonly", "-trimpath"),
            *("-ldflags", f"-s -w {stamp}"),
            *("-o", str(output), package),
        ],
        directory=release.module,
        # Without cgo neither a C compiler nor the system's libraries have a say.
        environment={**os.environ, "GOWORK": "off", "CGO_ENABLED": "0"},
        limit_seconds=BUILD_SECONDS,
    )

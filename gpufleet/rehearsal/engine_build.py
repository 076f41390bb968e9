"""Make a Pulumi engine: built from its Go module, or by Pulumi's own installer, into the user's cache, once."""

import os
import shutil
import socket
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from gpufleet.rehearsal import turns
from gpufleet.rehearsal.engine import (
    Engine,
    Progress,
    built_path,
    cache_directory,
    installed_path,
    module_directory,
    version_of,
)
from gpufleet.rehearsal.long_command import CommandFailed, LongCommand

PACKAGE = "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi"

# Pulumi's own release builds use these tags; the symbol is where `pulumi version` reads its answer.
BUILD_TAGS = "osusergo grpcnotrace"
VERSION_SYMBOL = "github.com/pulumi/pulumi/sdk/v3/go/common/version.Version"

# Three minutes on two cores from nothing; beyond this the machine or the network is not up to it.
BUILD_SECONDS = 1800.0

INSTALLER_HOST = "get.pulumi.com"
REACH_SECONDS = 3.0
INSTALL_SECONDS = 600.0


class WayBarred(Exception):
    """This way to an engine is not open; the message is one line that says why (a failed build adds its output)."""


def build(version: str, progress: Progress) -> Engine:
    """Build the engine with Go from the pinned go.mod. Two callers at once build once: the second waits.

    Args:
        version: without the v; stamped into the binary.
        progress: told the seconds and Go's last line.

    Raises:
        WayBarred: Go is missing or the build failed.
    """
    go = shutil.which("go")
    if go is None:
        raise WayBarred("Go: there is no `go` on PATH")
    command = [
        go,
        "build",
        "-v",
        "-mod=readonly",
        *("-tags", BUILD_TAGS),
        *("-ldflags", f"-s -w -X {VERSION_SYMBOL}=v{version}"),
    ]

    def make(folder: Path) -> None:
        job = LongCommand(
            title=f"building the Pulumi engine {version} with Go, once",
            arguments=[*command, "-o", str(folder / "pulumi"), PACKAGE],
            directory=module_directory(),
            environment={**os.environ, "GOWORK": "off"},
            limit_seconds=BUILD_SECONDS,
        )
        _run("Go", job, progress, folder)

    path = built_path(version)
    return Engine(path=_made_once(path.parent, path, make, progress), version=version, origin="built")


def install(version: str, progress: Progress) -> Engine:
    """Have Pulumi's own installer put the engine and its language hosts into the cache.

    Args:
        version: without the v.
        progress: told the seconds.

    Raises:
        WayBarred: the installer's host cannot be reached within `REACH_SECONDS`, or the installer failed.
    """
    try:
        socket.create_connection((INSTALLER_HOST, 443), timeout=REACH_SECONDS).close()
    except OSError as error:
        raise WayBarred(f"Pulumi's installer: {INSTALLER_HOST} cannot be reached ({error})") from error
    code = (
        "import sys; from pulumi.automation import PulumiCommand; from semver import VersionInfo; "
        "PulumiCommand.install(root=sys.argv[1], version=VersionInfo.parse(sys.argv[2]))"
    )

    def make(folder: Path) -> None:
        job = LongCommand(
            title=f"installing the Pulumi engine {version}",
            # In a process of its own, so that it can be given up: the SDK downloads without a timeout.
            arguments=[sys.executable, "-c", code, str(folder), version],
            directory=folder,
            environment=os.environ,
            limit_seconds=INSTALL_SECONDS,
        )
        _run("Pulumi's installer", job, progress, folder)

    path = installed_path(version)
    return Engine(path=_made_once(path.parents[1], path, make, progress), version=version, origin="installed")


def _made_once(final: Path, executable: Path, make: Callable[[Path], None], progress: Progress) -> Path:
    """Fill the folder `final` by `make`, under a lock and atomically, unless somebody else just did.

    Returns:
        `executable`, which lies in `final` and answers.
    """
    cache = cache_directory()
    try:
        cache.mkdir(parents=True, exist_ok=True)
        lock = turns.taken(cache / f"{final.name}.lock", "the Pulumi engine", progress)
    except OSError as error:
        raise WayBarred(f"the cache {cache} cannot be written: {error.strerror or error}") from error
    try:
        # Another process may have made it while this one waited; a truncated one does not answer and is made again.
        if version_of(executable) is None:
            _fill(final, executable, make)
    finally:
        lock.release()
    return executable


def _fill(final: Path, executable: Path, make: Callable[[Path], None]) -> None:
    """Make the folder beside its place and move it there when it is whole. The lock is held."""
    cache = cache_directory()
    for stale in cache.glob(f".{final.name}.*"):
        # Under the lock nobody else is making one: whoever made this was killed.
        shutil.rmtree(stale, ignore_errors=True)
    folder = Path(tempfile.mkdtemp(prefix=f".{final.name}.", dir=cache))
    try:
        make(folder)
        made = folder / executable.relative_to(final)
        if version_of(made) is None:
            raise WayBarred(f"{made.name} was made but does not answer `pulumi version`")
        shutil.rmtree(final, ignore_errors=True)
        folder.replace(final)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _run(way: str, command: LongCommand, progress: Progress, folder: Path) -> None:
    try:
        command.run(progress, folder)
    except CommandFailed as failed:
        raise WayBarred(f"{way}: {failed}") from failed

"""Find the Pulumi engine: on PATH or in the user's cache; where it is missing, have it built or installed."""

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from gpufleet.errors import MissingError

# The oldest engine whose way to run Python policy packs (`RunPlugin` of the language host) was compared with the one
# built here. Older ones look for a `pulumi-analyzer-policy-python` that neither the SDK nor this package has.
MINIMUM_VERSION = (3, 260, 0)

# `pulumi version` answers within a tenth of a second; a binary that takes this long is not one.
VERSION_SECONDS = 20.0

Progress = Callable[[str], None]
"""Told one short line at a time about something that takes long."""


class EngineMissing(MissingError):
    """There is no usable Pulumi engine and none could be made; the message names the three ways to get one."""


@dataclass(frozen=True, kw_only=True)
class Engine:
    """A Pulumi engine that answered."""

    path: Path
    """Absolute path of the `pulumi` executable."""
    version: str
    """As `3.274.1`, without the v."""
    origin: str
    """Where it was found: `path`, `cache`, or `built` and `installed` where that was just done."""


def cache_directory() -> Path:
    """Where engines that this package made are kept: `$XDG_CACHE_HOME` or `~/.cache`, then `gpufleet/engine`."""
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "gpufleet" / "engine"


def module_directory() -> Path:
    """Where the go.mod that names the engine lies: beside this file in a wheel, at `tools/engine` in a checkout.

    Raises:
        EngineMissing: in neither place: the installation is not complete.
    """
    here = Path(__file__).resolve()
    for candidate in (here.parent / "engine_module", here.parents[2] / "tools" / "engine"):
        if (candidate / "go.mod").is_file():
            return candidate
    raise EngineMissing(f"the go.mod that names the Pulumi engine is missing below {here.parent}: reinstall gpufleet")


def pinned_version() -> str:
    """The version this package builds or installs, as go.mod requires it: `3.274.1`."""
    text = (module_directory() / "go.mod").read_text(encoding="utf-8")
    found = re.search(r"github\.com/pulumi/pulumi/pkg/v3 v(\d+\.\d+\.\d+)", text)
    if found is None:
        raise EngineMissing(f"{module_directory() / 'go.mod'} does not require github.com/pulumi/pulumi/pkg/v3")
    return found.group(1)


def built_path(version: str) -> Path:
    """Where the engine built from the Go module lies in the cache."""
    return cache_directory() / f"v{version}" / "pulumi"


def installed_path(version: str) -> Path:
    """Where the engine of the official installer lies in the cache; its plugins lie beside it."""
    return cache_directory() / f"v{version}-official" / "bin" / "pulumi"


def find_engine() -> Engine | None:
    """Return the engine to use, None where there is none: `pulumi` on PATH if it is new enough, else the cache's."""
    return survey()[0]


def survey() -> tuple[Engine | None, list[str]]:
    """Look for an engine in all places.

    Returns:
        The engine or None, and for each `pulumi` that was passed over one line that says which and why.
    """
    passed_over: list[str] = []
    on_path = shutil.which("pulumi")
    candidates = [(Path(on_path), "path")] if on_path else []
    pinned = pinned_version()
    candidates += [(path, "cache") for path in (built_path(pinned), installed_path(pinned)) if path.exists()]
    for path, origin in candidates:
        version = version_of(path)
        if version is None:
            passed_over.append(f"{path} does not answer `pulumi version`")
        elif _numbers(version) < MINIMUM_VERSION:
            minimum = ".".join(map(str, MINIMUM_VERSION))
            passed_over.append(
                f"{path} is {version}, older than {minimum}: older engines run Python policy packs another way"
            )
        else:
            return Engine(path=path.absolute(), version=version, origin=origin), passed_over
    return None, passed_over


def version_of(path: Path) -> str | None:
    """Ask an executable for its version; None where it is broken, truncated, hangs or is something else."""
    with tempfile.TemporaryDirectory(prefix="gpufleet-version-") as home:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("PULUMI_")}
        environment = {**kept, "PULUMI_HOME": home, "PULUMI_SKIP_UPDATE_CHECK": "1"}
        try:
            answer = subprocess.run(  # noqa: S603 (the executable is the one to be judged)
                [str(path), "version"],
                env=environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=VERSION_SECONDS,
                check=True,
            )
        except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
            return None
    found = re.match(r"v?(\d+\.\d+\.\d+\S*)\s*$", answer.stdout)
    return found.group(1) if found else None


def ensure_engine(progress: Progress | None = None, *, prefer_installer: bool = False) -> Engine:
    """Return an engine, made now if need be.

    Where Go is present the engine is built from the Go module proxy: every byte is checked against go.sum. The official
    installer, which runs a script from the internet, is used where Go is missing, or first where it is asked for.

    Args:
        progress: told one line about every second while it takes long.
        prefer_installer: try the official installer before Go.

    Raises:
        EngineMissing: no way worked; the message says what each way lacked, with the output of a build that failed.
    """
    found, passed_over = survey()
    if found is not None:
        return found
    # Late, because it builds on this module, and who has an engine does not pay for the ways to get one.
    from gpufleet.rehearsal import engine_build

    tell = progress or _ignore
    failures = list(passed_over)
    ways = [engine_build.build, engine_build.install]
    for way in reversed(ways) if prefer_installer else ways:
        try:
            return way(pinned_version(), tell)
        except engine_build.WayBarred as barred:
            failures.append(str(barred))
    raise EngineMissing(_explain(failures))


def _explain(failures: list[str]) -> str:
    """One line with the three ways; what was tried, if anything, follows in a line each."""
    ways = (
        f"the rehearsal needs the Pulumi engine, and there is none: put `pulumi` {'.'.join(map(str, MINIMUM_VERSION))} "
        f"or newer on PATH (https://www.pulumi.com/docs/install/), or install Go (https://go.dev/dl/) and it is built "
        f"once, or be online and its own installer is run into {cache_directory()}"
    )
    return "\n".join([ways, *(f"  tried: {failure}" for failure in failures)])


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", version)[:3])


def _ignore(line: str) -> None:
    """Tell nobody."""

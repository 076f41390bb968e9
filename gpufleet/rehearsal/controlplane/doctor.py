"""What a rehearsal finds on this machine: the engine, the control planes, the plugins, and what could build them."""

import importlib.util
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from gpufleet.facts import kubernetes
from gpufleet.rehearsal import engine
from gpufleet.rehearsal.controlplane import binaries, releases
from gpufleet.rehearsal.workspace import AWS_PLUGIN, KUBERNETES_PLUGIN, LANGUAGE_HOST, has_language_host

ENGINE = "pulumi"
PACKAGES = ("boto3", "cryptography", "filelock", "moto")

# `go version` answers within a tenth of a second.
GO_SECONDS = 20.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that a rehearsal needs or can do without."""

    part: str
    """What it belongs to: `engine`, `kubernetes 1.35`, `plugins`, `builders`, `packages`."""
    name: str
    found: bool
    version: str | None
    where: str | None
    """Its path."""
    origin: str | None
    """How it came to be there: `path`, `assets`, `cache`."""
    note: str
    """Why it was passed over, or what is done without it; empty where there is nothing to say."""

    def as_document(self) -> dict[str, object]:
        """The fields as JSON."""
        return asdict(self)


def examine(minors: Sequence[str] | None = None) -> list[Finding]:
    """Look at everything; builds and installs nothing.

    Args:
        minors: versions of Kubernetes to look for; by default each that can be built, and the one clusters get.
    """
    wanted = minors or sorted(
        {kubernetes.DEFAULT_VERSION, *(release.minor for release in releases.available())}, key=releases.numbers
    )
    return [
        *_engine(),
        *(finding for minor in wanted for finding in _control_plane(minor)),
        *_plugins(),
        _go(),
        *(_package(name) for name in PACKAGES),
    ]


def _engine() -> list[Finding]:
    found, passed_over = engine.survey()
    note = "; ".join(passed_over)
    if found is None:
        note = "; ".join([*passed_over, "built or installed by the first rehearsal"])
        return [_finding("engine", ENGINE, note=note)]
    return [
        _finding("engine", ENGINE, version=found.version, where=found.path, origin=found.origin, note=note),
        _language_host(found),
    ]


def _language_host(found: engine.Engine) -> Finding:
    on_path = shutil.which(LANGUAGE_HOST)
    if on_path:
        return _finding("engine", LANGUAGE_HOST, where=Path(on_path), origin="path")
    if has_language_host(found):
        return _finding("engine", LANGUAGE_HOST, where=found.path.resolve().parent / LANGUAGE_HOST, origin=found.origin)
    return _finding("engine", LANGUAGE_HOST, note="ours is used in its place")


def _control_plane(minor: str) -> list[Finding]:
    looked = binaries.survey(minor)
    release = releases.find(minor)
    findings: list[Finding] = []
    for name in binaries.PROGRAMS:
        notes = list(looked.passed_over.get(name, ()))
        program = looked.found.get(name)
        if program is None:
            notes.append(
                f"{release.version} is built by the first rehearsal that needs it"
                if release
                else f"not built by gpufleet: put it on PATH or into {binaries.ASSETS_VARIABLE}"
            )
            findings.append(_finding(f"kubernetes {minor}", name, note="; ".join(notes)))
        else:
            findings.append(
                _finding(
                    f"kubernetes {minor}",
                    name,
                    version=program.version,
                    where=program.path,
                    origin=program.origin,
                    note="; ".join(notes),
                )
            )
    return findings


def _plugins() -> list[Finding]:
    findings: list[Finding] = []
    for name in (AWS_PLUGIN, KUBERNETES_PLUGIN):
        on_path = shutil.which(name)
        where = Path(on_path) if on_path else None
        # It is first on a rehearsal's own PATH: no real plugin is met.
        note = "a rehearsal uses its own stand-in"
        findings.append(_finding("plugins", name, where=where, origin="path" if where else None, note=note))
    return findings


def _go() -> Finding:
    path = shutil.which("go")
    if path is None:
        return _finding("builders", "go", note="nothing can be built without it: https://go.dev/dl/")
    try:
        answer = subprocess.run(  # noqa: S603 (asked for its version only)
            [path, "env", "GOVERSION"], capture_output=True, text=True, timeout=GO_SECONDS, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return _finding("builders", "go", note=f"{path} does not answer")
    version = answer.stdout.strip().removeprefix("go")
    return _finding("builders", "go", version=version, where=Path(path), origin="path")


def _package(name: str) -> Finding:
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        return _finding("packages", name, note="install gpufleet[rehearsal]")
    return _finding("packages", name, where=Path(spec.origin).parent)


def _finding(
    part: str,
    name: str,
    *,
    version: str | None = None,
    where: Path | None = None,
    origin: str | None = None,
    note: str = "",
) -> Finding:
    path = str(where) if where else None
    return Finding(part=part, name=name, found=where is not None, version=version, where=path, origin=origin, note=note)

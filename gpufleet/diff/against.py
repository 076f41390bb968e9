"""The other side: a git revision, a plan that was kept, or another settings file."""

import io
import json
import subprocess
import tarfile
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from gpufleet.diff.sides import Side, of_document, of_plan
from gpufleet.errors import MissingError, UsageError
from gpufleet.plan import packs, planning, project
from gpufleet.plan.project import Project
from gpufleet.plan.values import is_mapping

_GIT_SECONDS = 120
_KEYS = frozenset({"stack", "project", "resources", "violations", "cost"})


@dataclass(frozen=True, kw_only=True)
class Judging:
    """How both sides are judged."""

    pack: Path | None = None
    """A policy pack for both; else each side is judged by the pack of its own program."""
    config: Path | None = None
    judged: bool = True


def plan_of(loaded: Project, label: str, judging: Judging) -> Side:
    """Run and judge the program of a project.

    Raises:
        UsageError: the settings, the program or the pack are wrong; the message says on which side.
    """
    try:
        pack = packs.find(loaded.directory, judging.pack) if judging.judged else None
        return of_plan(planning.plan(loaded, policy_pack=pack, policy_config=judging.config), label)
    except UsageError as error:
        raise UsageError(f"{label}: {error}") from error


def look(against: str, loaded: Project, judging: Judging, tell: Callable[[str], None]) -> Side:
    """The side that `against` names: a file (`.json`: a plan; `.yaml`: settings), else a revision of git.

    Args:
        against: what the command line says.
        loaded: the project whose working tree is the one side.
        judging: how the other side is judged.
        tell: told what is being done.

    Raises:
        UsageError: it is none of these, or its program or settings are wrong.
        MissingError: there is no git.
    """
    path = Path(against)
    if path.suffix == ".json" and path.is_file():
        return _document(path, loaded)
    if path.suffix in (".yaml", ".yml") and path.is_file():
        return plan_of(_settings(path, loaded), str(path), judging)
    return _revision(against, loaded, judging, tell)


def _settings(path: Path, loaded: Project) -> Project:
    """The stack as another file has it: one settings object, or the configuration of another stack of the program."""
    stack = path.name.removeprefix("Pulumi.").removesuffix(".yaml")
    own = loaded.directory / loaded.source
    if path.name.startswith("Pulumi.") and path.resolve().parent == own.resolve().parent:
        return replace(project.load(loaded.directory, stack), stack=loaded.stack)
    return project.load(loaded.directory, loaded.stack, settings_file=path)


def _document(path: Path, loaded: Project) -> Side:
    try:
        document: Any = json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise UsageError(f"--against {path}: cannot be read as JSON: {error}") from error
    if not is_mapping(document) or document.get("schema") != planning.SCHEMA or not document.keys() >= _KEYS:
        raise UsageError(
            f"--against {path}: is not a plan\n"
            f"  allowed: what gpufleet plan STACK --json prints, of schema {planning.SCHEMA}\n"
            f"  fix: gpufleet plan {loaded.stack} --json > {path}"
        )
    if (document["project"], document["stack"]) != (loaded.name, loaded.stack):
        raise UsageError(
            f"--against {path}: is a plan of {document['project']}/{document['stack']}\n"
            f"  allowed: one of {loaded.name}/{loaded.stack}; resources of different stacks have nothing in common"
        )
    return of_document(document, str(path))


def _revision(name: str, loaded: Project, judging: Judging, tell: Callable[[str], None]) -> Side:
    top = _git(loaded.directory, "rev-parse", "--show-toplevel", about=name).decode().strip()
    commit = _git(
        loaded.directory, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}", about=name
    )
    short = commit.decode()[:7]
    tell(f"reading {name} ({short}) from git")
    # An archive and no worktree: nothing of the repository is written to, not even when this process is killed.
    archive = _git(Path(top), "archive", "--format=tar", commit.decode().strip(), about=name)
    with tempfile.TemporaryDirectory(prefix="gpufleet-diff-") as folder:
        with tarfile.open(fileobj=io.BytesIO(archive)) as files:
            files.extractall(folder, filter="data")
        directory = Path(folder).resolve() / loaded.directory.relative_to(Path(top).resolve())
        label = f"{name} ({short})"
        try:
            other = project.load(directory, loaded.stack)
        except UsageError as error:
            raise UsageError(f"{label}: {error}") from error
        tell(f"planning {label}")
        return plan_of(other, label, judging)


def _git(directory: Path, *arguments: str, about: str) -> bytes:
    try:
        done = subprocess.run(  # noqa: S603 -- git, with a revision that rev-parse has looked at
            ["git", "-C", str(directory), *arguments],  # noqa: S607 -- the user's git
            capture_output=True,
            check=False,
            timeout=_GIT_SECONDS,
            stdin=subprocess.DEVNULL,
        )
    except FileNotFoundError as error:
        raise MissingError("comparing with a revision needs git, which is not on PATH") from error
    except subprocess.TimeoutExpired as error:
        raise MissingError(f"git {arguments[0]} did not end within {_GIT_SECONDS} s") from error
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip()
        raise UsageError(
            f"--against {about}: no such file, and git knows no such revision{': ' + said if said else ''}\n"
            "  allowed: a revision (main, HEAD~1, v1.2), a plan (FILE.json) or settings (FILE.yaml)"
        )
    return done.stdout

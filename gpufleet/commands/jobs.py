"""Commands about single jobs."""

from pathlib import Path
from typing import Annotated

import typer

from gpufleet.commands.options import AsJson, Overrides, Program, SettingsFile


def lint(
    manifests: Annotated[
        list[str], typer.Argument(metavar="MANIFEST.yaml...", help="Manifests of Kubernetes; - is standard input.")
    ],
    stack: Annotated[
        str | None, typer.Option("--stack", metavar="STACK", help="Judge for this stack's pools.", show_default=False)
    ] = None,
    program: Program = Path(),
    settings: SettingsFile = None,
    set_: Overrides = None,
    as_json: AsJson = False,
) -> None:
    """Fail a workload that does not ask for what it needs on the pool that it goes to.

    Without a stack the pools are what its node selectors name, by the catalogue. Exit status: 0 fine, 1 an error was
    found, 2 a manifest cannot be read, or the settings or arguments are wrong.
    """
    from gpufleet.errors import UsageError
    from gpufleet.lint import command
    from gpufleet.plan import project

    if stack is None and settings is None and (set_ or program != Path()):
        raise UsageError("--program, --set: they say nothing without --stack or --settings; name one of these")
    asked = stack is not None or settings is not None
    loaded = project.load(program, stack, settings_file=settings, overrides=set_ or ()) if asked else None
    raise typer.Exit(0 if command.run(manifests, loaded, as_json=as_json) else 1)


def triage(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="What was recorded; - is standard input.")],
    as_json: AsJson = False,
) -> None:
    """Say why a job is slow: from nvidia-smi, DCGM, step times, NCCL logs and dmesg to the cause and the next step.

    Exit status: 0 nothing found, 1 a cause found, 2 a file cannot be read or holds no reading.
    """
    from gpufleet.triage import command

    raise typer.Exit(0 if command.run(files, as_json=as_json) else 1)

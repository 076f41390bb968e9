"""Commands that ask AWS."""

from pathlib import Path
from typing import Annotated

import typer

from gpufleet.commands.options import AsJson, Overrides, Program, SettingsFile, Stack


def preflight(
    stack: Stack = None,
    program: Program = Path(),
    settings: SettingsFile = None,
    set_: Overrides = None,
    only: Annotated[
        list[str] | None,
        typer.Option("--only", metavar="CHECK", help="This check alone. May be repeated.", show_default=False),
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="What could not be asked fails too.")] = False,
    suggest: Annotated[bool, typer.Option("--suggest", help="Rank regions and zones for the pools instead.")] = False,
    pool: Annotated[
        str | None, typer.Option("--pool", metavar="NAME", help="With --suggest: this pool alone.", show_default=False)
    ] = None,
    seconds: Annotated[float, typer.Option("--seconds", help="When to stop asking.")] = 120,
    as_json: AsJson = False,
) -> None:
    """Ask AWS, by reading alone, whether a stack would come up: quotas, offerings, reservations, names, limits.

    Exit status: 0 nothing speaks against it, 1 a check failed, 2 the settings or the arguments are wrong,
    3 boto3 or credentials are not here.
    """
    from gpufleet.plan import project
    from gpufleet.preflight import command

    loaded = project.load(program, stack, settings_file=settings, overrides=set_ or ())
    ok = command.run(loaded, only=only or (), strict=strict, rank=suggest, pool=pool, seconds=seconds, as_json=as_json)
    raise typer.Exit(0 if ok else 1)


def cleanup(
    stack: Stack = None,
    program: Program = Path(),
    settings: SettingsFile = None,
    workspace: Annotated[
        str | None,
        typer.Option("--workspace", metavar="NAME", help="Look at this team's data only.", show_default=False),
    ] = None,
    region: Annotated[
        str | None, typer.Option("--region", metavar="NAME", help="Look in this region only.", show_default=False)
    ] = None,
    days: Annotated[int, typer.Option("--days", help="How far ahead to tell what expires.")] = 7,
    limit: Annotated[int, typer.Option("--limit", help="Versions listed of a bucket.")] = 100_000,
    shred: Annotated[bool, typer.Option("--shred", help="The workspace's keys: what their end would do.")] = False,
    window: Annotated[int, typer.Option("--window", help="Days in which a key's end can be taken back.")] = 30,
    apply: Annotated[
        bool, typer.Option("--apply", help="Act: give up stray uploads, or with --shred end keys.")
    ] = False,
    confirm: Annotated[
        str | None, typer.Option("--confirm", metavar="NAME", help="The workspace's name again.", show_default=False)
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List what of a stack's data goes, and when; nothing is changed unless --apply says so.

    Asks AWS, so it needs credentials (or AWS_ENDPOINT_URL of a rehearsal that was kept). Exit status: 0 fine,
    1 something is in the way, 2 the settings, the account or the arguments are wrong, 3 AWS cannot be asked.
    """
    from gpufleet.cleanup import command
    from gpufleet.plan import project

    done = command.run(
        project.load(program, stack, settings_file=settings),
        workspace=workspace,
        region=region,
        days=days,
        limit=limit,
        shred_keys=shred,
        window_days=window,
        apply=apply,
        confirm=confirm,
        as_json=as_json,
    )
    raise typer.Exit(0 if done else 1)

"""Commands around the rehearsal on the real engine."""

from pathlib import Path
from typing import Annotated

import typer

from gpufleet.commands.options import (
    AsJson,
    NoPolicies,
    Overrides,
    Pack,
    PackConfig,
    Program,
    SettingsFile,
    Stack,
)


def rehearse(
    stack: Stack = None,
    program: Program = Path(),
    settings: SettingsFile = None,
    set_: Overrides = None,
    policy_pack: Pack = None,
    policy_config: PackConfig = None,
    no_policies: NoPolicies = False,
    keep: Annotated[bool, typer.Option("--keep", help="Leave it standing and say how to look at it.")] = False,
    end: Annotated[
        Path | None, typer.Option("--end", metavar="FOLDER", help="End a rehearsal that was kept.", show_default=False)
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Run the real engine on a stack, against an AWS API in memory: up, no change, read back, destroy, nothing left.

    Needs the Pulumi engine, which is found or built (three minutes, once). Exit status: 0 fine, 1 a step failed,
    2 the settings or arguments are wrong, 3 no engine can be had here.
    """
    from gpufleet.plan import packs, project
    from gpufleet.rehearsal import command

    if end is not None:
        command.end(end)
        return
    loaded = project.load(program, stack, settings_file=settings, overrides=set_ or ())
    pack = None if no_policies else packs.find(loaded.directory, policy_pack)
    ok = command.run(loaded, policy_pack=pack, policy_config=policy_config, keep=keep, as_json=as_json)
    raise typer.Exit(0 if ok else 1)


def doctor(as_json: AsJson = False) -> None:
    """Say what of a rehearsal's parts is here, and where: engine, control plane, packages.

    Exit status: 0 all that a rehearsal needs is here, 3 something is missing.
    """
    from gpufleet.rehearsal import doctor_command

    raise typer.Exit(0 if doctor_command.run(as_json) else 3)

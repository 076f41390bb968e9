"""Commands that look at a stack before it is created: nothing but Python."""

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


def plan(
    stack: Stack = None,
    program: Program = Path(),
    settings: SettingsFile = None,
    set_: Overrides = None,
    policy_pack: Pack = None,
    policy_config: PackConfig = None,
    no_policies: NoPolicies = False,
    as_json: AsJson = False,
) -> None:
    """Show every resource, every violation and every dollar of a stack, in seconds and without an account.

    The program is run twice, as preview and as update, and must register the same. Exit status: 0 fine,
    1 a mandatory rule is broken, 2 the settings or arguments are wrong.
    """
    from gpufleet.plan import packs, planning, project

    loaded = project.load(program, stack, settings_file=settings, overrides=set_ or ())
    pack = None if no_policies else packs.find(loaded.directory, policy_pack)
    planned = planning.plan(loaded, policy_pack=pack, policy_config=policy_config, side_by_side=True)
    if as_json:
        from gpufleet.documents import print_json

        print_json(planned.as_document())
    else:
        from gpufleet.plan.report import print_plan

        print_plan(planned)
    raise typer.Exit(0 if planned.ok else 1)


def explain(
    stack: Stack = None,
    pool: Annotated[
        str | None, typer.Argument(help="One of its pools; all of them if left out.", show_default=False)
    ] = None,
    program: Program = Path(),
    settings: SettingsFile = None,
    set_: Overrides = None,
    as_json: AsJson = False,
) -> None:
    """Print every decision about a stack's GPU pools, each with its reason.

    Exit status: 0 fine, 2 the settings or arguments are wrong, or a pool cannot be had as it is asked for.
    """
    from gpufleet.explain import command
    from gpufleet.plan import project

    if settings is not None and pool is None:
        stack, pool = None, stack  # the settings stand for a stack, so that the one name is a pool's
    loaded = project.load(program, stack, settings_file=settings, overrides=set_ or ())
    command.run(loaded, pool, as_json=as_json)


def report(
    stack: Stack = None,
    output: Annotated[
        Path, typer.Option("--output", metavar="FILE.html", help="The page to write.", show_default=False)
    ] = ...,  # pyright: ignore[reportArgumentType] -- typer's own way to say that it must be given
    program: Program = Path(),
    settings: SettingsFile = None,
    set_: Overrides = None,
    policy_pack: Pack = None,
    policy_config: PackConfig = None,
    no_policies: NoPolicies = False,
) -> None:
    """Write one page to mail or print: drawing, resources, verdict, money, grants in words. It needs no network.

    Exit status: 0 the plan holds, 1 a mandatory rule is broken (the page is written all the same), 2 the settings or
    arguments are wrong, 3 the page cannot be written.
    """
    from gpufleet.plan import packs, project
    from gpufleet.report import command

    loaded = project.load(program, stack, settings_file=settings, overrides=set_ or ())
    pack = None if no_policies else packs.find(loaded.directory, policy_pack)
    ok = command.run(loaded, output=output, policy_pack=pack, policy_config=policy_config)
    raise typer.Exit(0 if ok else 1)


def export(
    stack: Stack = None,
    program: Program = Path(),
    settings: SettingsFile = None,
    set_: Overrides = None,
    format_: Annotated[
        str, typer.Option("--format", metavar="NAME", help="What to write: terraform-json.")
    ] = "terraform-json",
    output: Annotated[
        Path | None,
        typer.Option("--output", metavar="DIR", help="Write DIR/main.tf.json instead of stdout.", show_default=False),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the summary as one JSON document; needs --output.")
    ] = False,
) -> None:
    """Write the AWS part of a stack as Terraform JSON, so that scanners that read no Pulumi can read it.

    What is left out is said on stderr. Exit status: 0 written, 2 the settings or the arguments are wrong.
    """
    from gpufleet.export import command
    from gpufleet.plan import project

    loaded = project.load(program, stack, settings_file=settings, overrides=set_ or ())
    command.run(loaded, format_=format_, output=output, as_json=as_json)

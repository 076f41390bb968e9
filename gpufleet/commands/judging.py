"""Commands that judge: by the rules, by another environment, by another state of the same one."""

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

Format = Annotated[
    str, typer.Option("--format", metavar="NAME", help="How it is written: table, json, sarif, junit or github.")
]
Output = Annotated[
    Path | None,
    typer.Option("--output", metavar="FILE", help="Write it there instead of to stdout.", show_default=False),
]


def check(
    stack: Stack = None,
    program: Program = Path(),
    settings: SettingsFile = None,
    set_: Overrides = None,
    state: Annotated[
        Path | None,
        typer.Option(
            "--state",
            metavar="FILE",
            help="Judge what stands, as `pulumi stack export` wrote it, of a project in any language.",
            show_default=False,
        ),
    ] = None,
    waivers: Annotated[
        Path | None,
        typer.Option("--waivers", metavar="FILE.yaml", help="More waivers than the settings have.", show_default=False),
    ] = None,
    policy_pack: Pack = None,
    policy_config: PackConfig = None,
    format_: Format = "table",
    output: Output = None,
    write_policy_config: Annotated[
        Path | None,
        typer.Option(
            "--write-policy-config",
            metavar="FILE.json",
            help="Write the waivers for pulumi's own --policy-pack-config.",
            show_default=False,
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Judge a stack, or a state, by the policy pack: the verdict alone, for people, scanners and pull requests.

    Exit status: 0 it holds, 1 a mandatory rule is broken and not waived, 2 the settings or arguments are wrong.
    """
    from gpufleet.check import command
    from gpufleet.plan import packs, project

    asked = stack is not None or state is None
    loaded = project.load(program, stack, settings_file=settings, overrides=set_ or ()) if asked else None
    ok = command.run(
        loaded,
        policy_pack=packs.find(loaded.directory if loaded else program, policy_pack),
        policy_config=policy_config,
        state=state,
        waivers_file=waivers,
        format_="json" if as_json else format_,
        output=output,
        write_policy_config=write_policy_config,
    )
    raise typer.Exit(0 if ok else 1)


def compare(
    stack: Annotated[str, typer.Argument(help="The stack that must be nowhere weaker: prod.", show_default=False)],
    than: Annotated[str, typer.Argument(help="The stack that it is compared with: dev.", show_default=False)],
    program: Program = Path(),
    policy_pack: Pack = None,
    policy_config: PackConfig = None,
    no_policies: NoPolicies = False,
    format_: Format = "table",
    output: Output = None,
    as_json: AsJson = False,
) -> None:
    """Name every setting and every resource in which one stack is weaker than another, and why that is weaker.

    Exit status: 0 it is nowhere weaker, 1 somewhere, 2 the settings or arguments are wrong.
    """
    from gpufleet.check.compare import command
    from gpufleet.plan import packs, project

    one, other = project.load(program, stack), project.load(program, than)
    pack = None if no_policies else packs.find(one.directory, policy_pack)
    ok = command.run(
        one,
        other,
        policy_pack=pack,
        policy_config=policy_config,
        format_="json" if as_json else format_,
        output=output,
    )
    raise typer.Exit(0 if ok else 1)


def diff(
    stack: Stack = None,
    against: Annotated[
        str,
        typer.Option("--against", metavar="REV|FILE", help="A git revision, a kept plan (.json) or settings (.yaml)."),
    ] = "HEAD",
    program: Program = Path(),
    settings: SettingsFile = None,
    set_: Overrides = None,
    policy_pack: Pack = None,
    policy_config: PackConfig = None,
    no_policies: NoPolicies = False,
    allow_data_loss: Annotated[
        list[str] | None,
        typer.Option(
            "--allow-data-loss",
            metavar="URN",
            help="Agree to the loss of this data or cluster. May be repeated.",
            show_default=False,
        ),
    ] = None,
    format_: Annotated[
        str, typer.Option("--format", metavar="NAME", help="How it is written: table, json or markdown.")
    ] = "table",
    as_json: AsJson = False,
) -> None:
    """Show what a change does to resources, policies and money, against a revision, a kept plan or other settings.

    Exit status: 0 fine, 1 data or a cluster would be lost or a mandatory rule is newly broken, 2 the settings or
    arguments are wrong, 3 the table of AWS types (the rehearsal's extra) or git is not here.
    """
    from gpufleet.diff import command
    from gpufleet.plan import project

    ok = command.run(
        project.load(program, stack, settings_file=settings, overrides=set_ or ()),
        other=against,
        policy_pack=policy_pack,
        policy_config=policy_config,
        policies=not no_policies,
        allow_data_loss=allow_data_loss or (),
        format_="json" if as_json else format_,
    )
    raise typer.Exit(0 if ok else 1)

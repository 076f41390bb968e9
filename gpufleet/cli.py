"""The command line. Everything heavy is imported inside the command that needs it: `--help` answers at once."""

import gc
import os
import sys
import warnings
from pathlib import Path
from typing import Annotated

import typer

from gpufleet import __version__

app = typer.Typer(
    help="Private GPU clusters on AWS: plan, police and rehearse a stack before anything is created.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

Stack = Annotated[
    str | None, typer.Argument(help="The stack: dev stands for stacks/Pulumi.dev.yaml.", show_default=False)
]
Program = Annotated[Path, typer.Option("--program", metavar="DIR", help="A folder with Pulumi.yaml, or one below it.")]
SettingsFile = Annotated[
    Path | None,
    typer.Option(
        "--settings", metavar="FILE.yaml", help="One settings object in place of the stack's own.", show_default=False
    ),
]
Overrides = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="PATH=VALUE",
        help="Change one setting: pools.train.nodes.max=8, or a whole key: aws:region=eu-west-1. May be repeated.",
        show_default=False,
    ),
]
Pack = Annotated[
    Path | None,
    typer.Option(
        "--policy-pack", metavar="DIR", help="Another policy pack than the program's own.", show_default=False
    ),
]
PackConfig = Annotated[
    Path | None,
    typer.Option("--policy-config", metavar="FILE.json", help="As pulumi's --policy-pack-config.", show_default=False),
]
NoPolicies = Annotated[bool, typer.Option("--no-policies", help="Judge nothing.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document on stdout instead of tables.")]


@app.callback(invoke_without_command=True)
def _root(version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False) -> None:
    if version:
        print(__version__)
        raise typer.Exit


@app.command()
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


@app.command()
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


@app.command()
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


@app.command()
def doctor(as_json: AsJson = False) -> None:
    """Say what of a rehearsal's parts is here, and where: engine, control plane, packages.

    Exit status: 0 all that a rehearsal needs is here, 3 something is missing.
    """
    from gpufleet.rehearsal import doctor_command

    raise typer.Exit(0 if doctor_command.run(as_json) else 3)


def main() -> None:
    """Run the command line; a user's mistake is answered with its message and an exit status, never a traceback."""
    gc.disable()  # a short-lived process: what it imports and plans lives to its end (plan/shortcuts.py)
    from gpufleet.errors import MissingError, UsageError

    # What the SDK had begun when a run ended early is nobody's news.
    warnings.filterwarnings("ignore", message="coroutine .* was never awaited", category=RuntimeWarning)
    try:
        app()
        sys.stdout.flush()
    except (UsageError, MissingError) as error:
        print(f"gpufleet: {error}", file=sys.stderr)
        raise SystemExit(error.exit_status) from None
    except KeyboardInterrupt:
        print("gpufleet: interrupted", file=sys.stderr)
        raise SystemExit(_INTERRUPTED) from None
    except OSError as error:
        _stop_writing()
        print(f"gpufleet: cannot write the output: {error.strerror}", file=sys.stderr)
        raise SystemExit(MissingError.exit_status) from None


_INTERRUPTED = 130
"""128 and the signal's number, as shells count: nothing was judged, so neither 0 nor 1 would be true."""


def _stop_writing() -> None:
    """Give what is still buffered to nobody, or the interpreter would fail on it again at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

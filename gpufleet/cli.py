"""The command line: the commands, and how it ends when one fails."""

import gc
import os
import sys
import warnings
from typing import Annotated

import typer

from gpufleet import __version__
from gpufleet.commands import asking, jobs, judging, looking, money, rehearsing
from gpufleet.sizing import options as sizing

app = typer.Typer(
    help="Private GPU clusters on AWS: plan, police and rehearse a stack before anything is created.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


@app.callback(invoke_without_command=True)
def _root(version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False) -> None:
    if version:
        print(__version__)
        raise typer.Exit
    if os.environ.get("GPUFLEET_PRICES"):
        from gpufleet.errors import UsageError
        from gpufleet.facts import prices

        try:
            prices.as_of()
        except prices.UnreadablePrices as error:
            raise UsageError(str(error)) from error


COMMANDS = (
    looking.plan,
    looking.explain,
    judging.check,
    judging.compare,
    judging.diff,
    money.cost,
    sizing.size,
    looking.report,
    looking.export,
    rehearsing.rehearse,
    rehearsing.doctor,
    asking.preflight,
    asking.cleanup,
    jobs.lint,
    jobs.triage,
)
for command in COMMANDS:
    app.command()(command)
app.add_typer(money.prices, name="prices")


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

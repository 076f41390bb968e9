"""`gpufleet check`: the verdict on a stack, or on an exported state of any Pulumi project."""

from datetime import date
from pathlib import Path

from rich.console import Console
from rich.markup import escape

from gpufleet.check import exceptions, formats, verdict
from gpufleet.check.verdict import Verdict
from gpufleet.errors import UsageError
from gpufleet.plan import report, waivers
from gpufleet.plan.project import Project
from gpufleet.plan.waivers import Waiver
from gpufleet.plan.waiving import stack_urn


def run(
    project: Project | None,
    *,
    policy_pack: Path,
    policy_config: Path | None = None,
    state: Path | None = None,
    waivers_file: Path | None = None,
    format_: str = "table",
    output: Path | None = None,
    write_policy_config: Path | None = None,
) -> bool:
    """Judge, print or write the verdict, and return whether no mandatory rule is broken.

    Args:
        project: the stack; None where a state alone is judged.
        policy_pack: the folder of a Pulumi policy pack.
        policy_config: a file as `pulumi preview --policy-pack-config` takes it.
        state: an exported state, judged in place of the program.
        waivers_file: a YAML file with a list of waivers, beside those of the stack.
        format_: one of `formats.FORMATS`.
        output: a file for the verdict; the table then goes to stdout.
        write_policy_config: a file to write for `--policy-pack-config`, by which the engine honours the waivers too.

    Raises:
        UsageError: the arguments, the settings, the program, the state, the pack or a waiver are wrong.
        MissingError: a file cannot be written.
    """
    formats.require(format_)
    extra = waivers.read_file(waivers_file) if waivers_file else ()
    found = _judge(project, state, extra, policy_pack, policy_config)
    if write_policy_config is not None:
        urns = [*found.urns, stack_urn(found.stack, found.project)]
        configuration = exceptions.document(found.waivers, urns, policy_config, today=date.today(), pack=found.pack)
        exceptions.write(write_policy_config, configuration)
    formats.emit(
        found,
        lambda out: print_verdict(out, found),
        format_=format_,
        output=output,
        document=found.as_document(),
    )
    return found.ok


def _judge(
    project: Project | None, state: Path | None, extra: tuple[Waiver, ...], pack: Path, config: Path | None
) -> Verdict:
    if state is None:
        if project is None:
            raise UsageError("nothing to check\n  allowed: a stack, or --state FILE\n  fix: name one of them")
        return verdict.of_program(project, policy_pack=pack, policy_config=config, extra=extra)
    given = (*(waivers.read(project) if project else ()), *extra)
    found = verdict.of_state(state, policy_pack=pack, policy_config=config, given=given)
    if project is not None and found.urns and (found.project, found.stack) != (project.name, project.stack):
        raise UsageError(
            f"--state {state}: is of {found.name}\n  allowed: a state of {project.name}/{project.stack}, whose waivers "
            f"are asked for\n  fix: name the stack {found.stack}, or none"
        )
    return found


def print_verdict(out: Console, found: Verdict) -> None:
    """Print the verdict for a person."""
    of = f"of {escape(verdict.shown(found.source))}" if found.kind == "state" else "of the program, twice,"
    judged = f"{len(found.urns)} resources {of} judged by {len(found.rules)} rules in {found.seconds:.1f} s"
    out.print(f"[bold]{escape(found.name)}[/]  {judged}", soft_wrap=True)
    report.print_violations(out, found.violations, rules=len(found.rules))
    out.print("[bold green]it holds[/]" if found.ok else "[bold red]it does not hold: mandatory rules are broken[/]")

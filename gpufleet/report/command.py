"""`gpufleet report`: plan a stack and write it down as one self-contained HTML page."""

import sys
from datetime import date
from pathlib import Path

from gpufleet import progress
from gpufleet.errors import MissingError, UsageError
from gpufleet.plan import planning
from gpufleet.plan.project import Project


def run(
    project: Project,
    *,
    output: Path,
    policy_pack: Path | None,
    policy_config: Path | None = None,
    today: date | None = None,
) -> bool:
    """Write the page to `output`; return whether the plan holds, which the page says too.

    Args:
        project: the stack.
        output: the file to write; one that is there is replaced as a whole or not at all.
        policy_pack: the folder of the policy pack, or None to judge nothing.
        policy_config: a file as `pulumi preview --policy-pack-config` takes it.
        today: the date on the page, which also decides what extended support costs.

    Raises:
        UsageError: the settings, the program, the pack or the file's place are wrong.
        MissingError: the file cannot be written.
    """
    if output.is_dir():
        raise UsageError(f"--output {output}: is a folder\n  allowed: a file\n  fix: {output / 'report.html'}")
    if not output.parent.is_dir():
        raise UsageError(f"--output {output}: there is no folder {output.parent}\n  fix: mkdir -p {output.parent}")
    day = today or date.today()
    with progress.shown() as tell:
        tell("planning the stack twice, judging and pricing it")
        plan = planning.plan(
            project, policy_pack=policy_pack, policy_config=policy_config, today=day, side_by_side=True
        )
        tell("drawing the page")
        from gpufleet.report import page  # after the fork of the plan, which it would only make heavier

        html = page.render(plan, today=day)
        _write(output, html)
    verdict = "the plan holds" if plan.ok else "the plan does not hold: mandatory rules are broken"
    print(f"{output}: {len(html.encode()) // 1024} KiB, {verdict}", file=sys.stderr)
    return plan.ok


def _write(output: Path, html: str) -> None:
    if output.exists() and not output.is_file():  # a pipe or a device
        output.write_text(html, encoding="utf-8", newline="\n")
        return
    beside = output.with_name(f".{output.name}.new")
    try:
        beside.write_text(html, encoding="utf-8", newline="\n")
        beside.replace(output)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise MissingError(f"--output {output}: cannot be written: {error.strerror}") from error

"""`gpufleet diff`: what a change does, before it is merged; as a table, as JSON, or as Markdown for a pull request."""

from collections.abc import Sequence
from pathlib import Path

from gpufleet import progress
from gpufleet.diff import against, difference, knowledge, markdown, report
from gpufleet.documents import begin_printing, print_json
from gpufleet.errors import UsageError
from gpufleet.plan.project import Project

FORMATS = ("table", "json", "markdown")


def run(
    project: Project,
    *,
    other: str,
    policy_pack: Path | None = None,
    policy_config: Path | None = None,
    policies: bool = True,
    allow_data_loss: Sequence[str] = (),
    format_: str = "table",
) -> bool:
    """Compare and print; False if data or a cluster is lost that was not named, or a mandatory rule newly broken.

    Args:
        project: the working tree's side.
        other: what it is compared with: a revision of git, a plan (`.json`) or settings (`.yaml`).
        policy_pack: judges both sides; else each is judged by its own program's pack.
        policy_config: as for a plan.
        policies: judge at all.
        allow_data_loss: URNs whose loss is agreed to.
        format_: one of `FORMATS`.

    Raises:
        UsageError: an argument, the settings or the program of a side are wrong.
        MissingError: git, or what the rehearsal's table stands on, is not here.
    """
    if format_ not in FORMATS:
        raise UsageError(f"--format {format_}: allowed are {', '.join(FORMATS)}")
    knowledge.require()
    judging = against.Judging(pack=policy_pack, config=policy_config, judged=policies)
    with progress.shown() as tell:
        before = against.look(other, project, judging, tell)
        tell("planning the working tree")
        after = against.plan_of(project, "the working tree", judging)
    found = difference.of(before, after, allow_data_loss)
    document = found.as_document()
    if format_ == "json":
        print_json(document)
    elif format_ == "markdown":
        begin_printing()
        print(markdown.written(document), end="")
    else:
        report.print_difference(document)
    return found.ok

"""`gpufleet size`: from a model to the GPUs that hold it, as tables, as one JSON document, or as a pool to paste."""

import contextlib
import sys

from gpufleet import progress
from gpufleet.documents import begin_printing, print_json
from gpufleet.errors import UsageError
from gpufleet.facts import models
from gpufleet.sizing.answer import Answer, answer
from gpufleet.sizing.question import Question, understand

TOP = 8
"""Rows of each table."""
_SLOW_NODES = 64
"""Below, a search takes less than half a second."""


def run(
    question: Question, *, top: int = TOP, pool: bool = False, zone: str | None = None, as_json: bool = False
) -> bool:
    """Answer and print; return whether anything fits.

    Args:
        question: what was asked.
        top: rows of each ranking.
        pool: print the YAML of the cheapest configuration's pool and nothing else on stdout.
        zone: the zone that the pool is written for.
        as_json: one document on stdout instead of tables.

    Raises:
        UsageError: the question makes no sense.
    """
    if top < 1:
        raise UsageError(f"--top {top}: must be 1 or more")
    if pool and as_json:
        raise UsageError("--pool with --json: which of them?\n  allowed: one; the document has the pool under `pool`")
    if zone is not None and not zone.startswith(question.region):
        raise UsageError(f"--zone {zone}: not a zone of {question.region}\n  allowed: such as {question.region}a")
    asked = understand(question)
    with contextlib.ExitStack() as open_:
        if asked.limits.most_nodes > _SLOW_NODES:
            open_.enter_context(progress.shown())("looking at every layout on every instance type")
        given = answer(question, asked)
    if as_json:
        print_json(given.as_document(top=top, zone=zone))
    elif pool:
        _print_pool(given, zone)
    else:
        from gpufleet.sizing.report import print_answer

        print_answer(given, top=top)
    return given.best is not None


def list_models() -> None:
    """Print the presets with their sizes and sources."""
    from gpufleet.plan.report import console, new_table
    from gpufleet.sizing.quantities import written

    found = [preset for name in models.names() if (preset := models.find(name)) is not None]
    table = new_table(("model", "left"), ("parameters", "right"), ("on huggingface.co", "left"), title="Presets")
    for preset in found:
        table.add_row(preset.name, written(preset.parameters), preset.repository)
    out = console()
    out.print(table)
    for source in dict.fromkeys(preset.source for preset in found):
        named = ", ".join(preset.name for preset in found if preset.source == source)
        out.print(f"{named}: {source}", soft_wrap=True)


def _print_pool(given: Answer, zone: str | None) -> None:
    begin_printing()
    text = given.pool_yaml(zone)
    if text is None:
        nearest = given.found.nearest
        near = f"; nearest is {nearest.nodes} x {nearest.instance.name}" if nearest else ""
        print(f"gpufleet: nothing fits{near}: no pool is written", file=sys.stderr)
        return
    sys.stdout.write(text)

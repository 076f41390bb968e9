"""`gpufleet triage`: read what the machine and the job say, and name the causes with their evidence."""

from collections.abc import Sequence
from typing import Any

from gpufleet import progress
from gpufleet.documents import print_json
from gpufleet.errors import UsageError
from gpufleet.triage import causes, inputs
from gpufleet.triage.findings import CATEGORIES, Finding
from gpufleet.triage.inputs import Input
from gpufleet.triage.readings import Readings

SCHEMA = 1


def run(files: Sequence[str], *, as_json: bool = False) -> bool:
    """Read the files together and print what is found; return whether nothing is.

    Args:
        files: paths; `-` is standard input. Their formats are recognised by their content.
        as_json: one document on stdout instead of a report.

    Raises:
        UsageError: a file cannot be read, or nothing in it is a reading.
    """
    if not files:
        raise UsageError("no file\n  fix: gpufleet triage FILE..., or - for standard input")
    twice = sorted({file for file in files if files.count(file) > 1})
    if twice:
        raise UsageError(f"{twice[0]}: is given twice\n  fix: give each file once, or its evidence counts double")
    readings = Readings()
    with progress.shown() as tell:
        taken = [inputs.take(file, readings, tell) for file in files]
        tell("looking for causes")
        found = causes.find(readings)
    missing = causes.not_looked_at(readings)
    if as_json:
        print_json(document(taken, found, missing))
    else:
        from gpufleet.triage import report

        report.show(taken, found, missing, devices=len(readings.devices))
    return not found


def document(taken: Sequence[Input], found: Sequence[Finding], missing: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """The JSON document; docs/reference/triage.md describes it."""
    return {
        "schema": SCHEMA,
        "inputs": [
            {"file": one.file, "format": one.format, "lines": one.lines, "notes": list(one.notes)} for one in taken
        ],
        "order": list(CATEGORIES),
        "findings": [finding.as_document() for finding in found],
        "not_looked_at": [{"category": category, "needs": needs} for category, needs in missing],
    }

"""`gpufleet export`: the plan's AWS part for tools that read Terraform; what is left out is said on stderr."""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gpufleet.documents import print_json
from gpufleet.errors import UsageError
from gpufleet.export import document, names
from gpufleet.export.document import Export
from gpufleet.plan import planning
from gpufleet.plan.project import Project

SCHEMA = 1
FORMATS = ("terraform-json",)
FILE = "main.tf.json"


def run(project: Project, *, format_: str = FORMATS[0], output: Path | None = None, as_json: bool = False) -> bool:
    """Write the document to stdout, or into a folder; return True, since nothing is judged.

    Args:
        project: the program and its configuration.
        format_: one of `FORMATS`.
        output: a folder for `main.tf.json`; made where it is not there.
        as_json: print the summary as a document on stdout; needs `output`.

    Raises:
        UsageError: the arguments, the settings or the program are wrong, or the folder cannot be written.
    """
    if format_ not in FORMATS:
        raise UsageError(f"--format {format_}: not known\n  allowed: {', '.join(FORMATS)}")
    if as_json and output is None:
        raise UsageError("--json: stdout is taken by the export itself\n  fix: add --output DIR")
    made = document.build(planning.run(project, preview=False), project.config)
    if output is None:
        print_json(made.document)
    else:
        _write(made.document, output)
    if as_json:
        print_json(_summary(made, project, format_, output))
    else:
        _tell(made, output)
    return True


def _write(content: Mapping[str, Any], folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / FILE).write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise UsageError(
            f"--output {folder}: cannot be written: {error.strerror}\n  fix: name a folder; it may be a new one"
        ) from error


def _summary(made: Export, project: Project, format_: str, output: Path | None) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "stack": project.stack,
        "project": project.name,
        "format": format_,
        "path": str(output / FILE) if output else None,
        "resources": made.resources,
        "references": made.references,
        "variables": list(made.variables),
        "left_out": [{"type": one.type, "count": one.count, "reason": one.reason} for one in made.left_out],
        "unknown": [{"type": one.type, "written_as": one.written_as, "count": one.count} for one in made.unknown],
        "names": dict(names.provenance()),
    }


def _tell(made: Export, output: Path | None) -> None:
    where = f" in {output / FILE}" if output else ""
    lines = [f"{_counted(made.resources, 'AWS resource')} with {_counted(made.references, 'reference')}{where}"]
    lines += [f"left out: {one.count} {one.type}: {one.reason}" for one in made.left_out]
    lines += [
        f"unknown: {one.count} {one.type}: written as {one.written_as}, a name by rule that no schema confirmed"
        for one in made.unknown
    ]
    secrets = [name for name in made.variables if name != document.UNKNOWN_VARIABLE]
    if secrets:
        lines.append(f"secrets are not written: {_counted(len(secrets), 'variable')} in their place")
    if document.UNKNOWN_VARIABLE in made.variables:
        lines.append(f"what only the deployment knows is var.{document.UNKNOWN_VARIABLE}")
    for line in lines:
        print(f"export: {line}", file=sys.stderr)


def _counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"

"""The shapes a verdict can be written in, and where it goes."""

import io
import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from rich.console import Console

from gpufleet.check import annotations, junit, sarif
from gpufleet.check.verdict import Verdict
from gpufleet.documents import begin_printing
from gpufleet.errors import MissingError, UsageError
from gpufleet.plan import report

FORMATS = ("table", "json", "sarif", "junit", "github")
_FILE_WIDTH = 120

Table = Callable[[Console], None]
"""Prints the verdict for a person."""


def require(name: str) -> None:
    """Refuse a format that there is not.

    Raises:
        UsageError: it is none of `FORMATS`.
    """
    if name not in FORMATS:
        raise UsageError(f"--format {name}: no such format\n  allowed: {', '.join(FORMATS)}\n  fix: choose one of them")


def emit(verdict: Verdict, table: Table, *, format_: str, output: Path | None, document: Mapping[str, Any]) -> None:
    """Write the verdict to stdout, or to a file and its table to stdout.

    Args:
        verdict: what was found.
        table: prints it for a person.
        format_: one of `FORMATS`.
        output: the file, None for stdout.
        document: the JSON document.

    Raises:
        MissingError: the file cannot be written.
    """
    if output is None and format_ == "table":
        table(report.console())
        return
    text = _text(verdict, table, format_, document)
    if output is None:
        begin_printing()
        sys.stdout.write(text)
        return
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        output.write_text(text, encoding="utf-8")
    except OSError as error:
        raise MissingError(f"--output {output}: cannot be written: {error.strerror or error}") from error
    table(report.console())


def _text(verdict: Verdict, table: Table, format_: str, document: Mapping[str, Any]) -> str:
    match format_:
        case "json":
            return json.dumps(document, indent=1) + "\n"
        case "sarif":
            return json.dumps(sarif.document(verdict), indent=1) + "\n"
        case "junit":
            return junit.text(verdict)
        case "github":
            return annotations.text(verdict)
        case _:
            written = io.StringIO()
            table(Console(file=written, width=_FILE_WIDTH, highlight=False, color_system=None))
            return written.getvalue()

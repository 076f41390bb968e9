"""Run one operation of the engine to its end: its event log is read as it grows, and no plugin outlives it."""

import contextlib
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from gpufleet.rehearsal.events import EngineViolation, Events, Problem
from gpufleet.rehearsal.guardian import Guardian, end_session

POLL_SECONDS = 0.1
# An engine asked to end finishes the calls in flight; they answer in milliseconds here.
CANCEL_SECONDS = 10.0
# A whole cluster takes well under a minute; a program that waits for ever must not hold the machine.
OPERATION_SECONDS = 1800.0


@dataclass(frozen=True, kw_only=True)
class Operation:
    """What one operation of the engine did."""

    name: str
    """preview, up, destroy or refresh."""
    ok: bool
    seconds: float
    operations: Mapping[str, str]
    """URN to create, same, update, delete, replace, ..."""
    counted: Mapping[str, int]
    """The same, counted by kind of operation."""
    changed: Sequence[tuple[str, str]]
    """(URN, operation) of all but `same`."""
    problems: Sequence[Problem]
    violations: Sequence[EngineViolation]
    log: Path
    """What the engine printed."""


class EngineFailed(RuntimeError):
    """The engine refused a command that every rehearsal needs; the message carries what it said."""


@dataclass(frozen=True)
class Command:
    """How to run one operation."""

    name: str
    """preview, up, destroy or refresh."""
    arguments: Sequence[str]
    """The whole command line but for `--event-log`."""
    environment: Mapping[str, str]
    """The engine's, complete."""
    log: Path
    """File for what the engine prints; the event log lies beside it."""


def operate(command: Command, events: Events, guardian: Guardian) -> Operation:
    """Run the engine.

    Args:
        command: what to run.
        events: filled while it runs.
        guardian: ends it if this process is killed.

    Raises:
        EngineFailed: it did not end within `OPERATION_SECONDS`.
        KeyboardInterrupt: passed on when the engine and its plugins are gone.
    """
    event_log = command.log.with_suffix(".events.jsonl")
    event_log.touch()
    started = time.monotonic()
    with command.log.open("wb") as output, event_log.open(encoding="utf-8") as lines:
        process = subprocess.Popen(  # noqa: S603 (the engine)
            [*command.arguments, "--event-log", str(event_log)],
            env=command.environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            # Ctrl-C reaches this process alone, which then cancels the engine; and by its session all of the
            # engine's plugins can be found.
            start_new_session=True,
        )
        guardian.watch(process.pid)
        try:
            status = _follow(process, lines, events, started + OPERATION_SECONDS)
        finally:
            _end(process)
            guardian.forget(process.pid)
    problems = list(events.problems)
    if status != 0 and not problems and not events.violations:
        problems.append(_unexplained(command, status))
    return Operation(
        name=command.name,
        ok=status == 0,
        seconds=time.monotonic() - started,
        operations=dict(events.operations),
        counted=events.counted(),
        changed=events.changed(),
        problems=problems,
        violations=list(events.violations),
        log=command.log,
    )


def _follow(process: "subprocess.Popen[bytes]", lines: TextIO, events: Events, deadline: float) -> int:
    """Feed the event log to its reader until the engine ends; return its exit status."""
    rest = ""
    while True:
        ended = process.poll()
        while chunk := lines.readline():
            rest += chunk
            # The engine may be caught in the middle of a line.
            if rest.endswith("\n"):
                events.feed(rest)
                rest = ""
        if ended is not None:
            return ended
        if time.monotonic() > deadline:
            raise EngineFailed(f"the engine did not end within {OPERATION_SECONDS:.0f} s and was stopped")
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=POLL_SECONDS)


def _end(process: "subprocess.Popen[bytes]") -> None:
    """Cancel an engine that still runs, and see to it that none of its plugins stays."""
    if process.poll() is None:
        process.send_signal(signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=CANCEL_SECONDS)
    end_session(process.pid)
    process.wait()


def _unexplained(command: Command, status: int) -> Problem:
    """An error for an engine that failed before it could log events, from what it printed."""
    text = command.log.read_text(encoding="utf-8", errors="replace").strip()
    errors = [line.removeprefix("error: ") for line in text.splitlines() if line.startswith("error: ")]
    message = "; ".join(errors) or f"pulumi {command.name} ended with status {status}"
    return Problem(message=message, urn="", detail=text[-4000:])

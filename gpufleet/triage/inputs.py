"""Opens files, recognises each by its content and reads it; what cannot be a reading is refused with one message."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import BinaryIO

from gpufleet.errors import UsageError
from gpufleet.triage.formats import Format, Tally, dcgm, dmon, logs, smi, steps
from gpufleet.triage.readings import Readings

LIMIT_BYTES = 128 * 1024 * 1024
"""Some days of one-second samples of eight GPUs; read in a minute and held in a few hundred MiB."""

_FORMATS = tuple(Format(one.NAME, one.recognises, one.read) for one in (smi, dmon, dcgm, steps, logs))
_HEAD = 200
"""Lines by which a format is recognised; a log may begin with anything and is read to its end."""
_ALLOWED = (
    "allowed: nvidia-smi --query-gpu=... --format=csv, nvidia-smi dmon, the DCGM exporter's /metrics, "
    "step times as CSV or JSON lines (step, data, forward, backward, comm, optimizer), "
    "logs with NCCL_DEBUG=INFO, dmesg"
)


@dataclass(frozen=True, kw_only=True)
class Input:
    """One file and how reading it went."""

    file: str
    format: str
    lines: int
    notes: tuple[str, ...]


def take(file: str, readings: Readings, tell: Callable[[str], None]) -> Input:
    """Read one file (`-` is standard input) into the readings.

    Raises:
        UsageError: there is no such file, or nothing in it is a reading.
    """
    name = "stdin" if file == "-" else file
    tell(f"reading {name}")
    with _opened(file) as stream:
        source = _Lines(stream, name)
        head = list(islice(source, _HEAD))
        if not any(line.strip() for line in head):
            raise UsageError(f"{name}: is empty\n  {_ALLOWED}")
        format_ = next(one for one in _FORMATS if one.recognises(head))
        tally = format_.read(chain(head, source), name, readings)
    if not tally.read:
        raise UsageError(_nothing(name, format_, tally, head))
    return Input(file=name, format=format_.name, lines=tally.lines, notes=tuple(_notes(tally, source)))


def _opened(file: str) -> "nullcontext[BinaryIO] | BinaryIO":
    if file == "-":
        return nullcontext(sys.stdin.buffer)
    try:
        return Path(file).open("rb")
    except OSError as error:
        raise UsageError(f"{file}: cannot be read: {error.strerror}") from error


class _Lines:
    """The lines of a stream, without their ends; refuses what is no text, and too much of it."""

    def __init__(self, stream: BinaryIO, name: str) -> None:
        self._stream = stream
        self._name = name
        self._bytes = 0
        self.cut_off = False
        """Whether the last line has no end."""

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = self._stream.readline(LIMIT_BYTES)
        if not line:
            raise StopIteration
        if not self._bytes and line.startswith(b"\x1f\x8b"):
            raise UsageError(f"{self._name}: is compressed\n  fix: gunzip --stdout {self._name} | gpufleet triage -")
        if b"\0" in line:
            raise UsageError(f"{self._name}: is not text\n  {_ALLOWED}")
        self._bytes += len(line)
        if self._bytes > LIMIT_BYTES:
            raise UsageError(
                f"{self._name}: is longer than {LIMIT_BYTES // 1024**2} MiB\n"
                f"  fix: give the part around the slow hour: tail --bytes=100M {self._name} | gpufleet triage -"
            )
        self.cut_off = not line.endswith(b"\n")
        return line.decode("utf-8", errors="replace").rstrip("\r\n")


def _notes(tally: Tally, source: _Lines) -> Iterator[str]:
    bad = tally.bad
    if source.cut_off and bad and bad[-1] == tally.lines:
        bad = bad[:-1]
        yield f"line {tally.lines}, the last one, is cut off and was left out"
    if bad:
        yield f"{len(bad)} line{'s' * (len(bad) > 1)} could not be read, the first of them line {bad[0]}"


def _nothing(name: str, format_: Format, tally: Tally, head: Sequence[str]) -> str:
    if tally.bad:
        first = tally.bad[0]
        shown = head[first - 1][:80] if first <= len(head) else ""
        return f"{name}:{first}: no line can be read as {format_.name}: {shown!r}\n  {_ALLOWED}"
    if format_.name != logs.NAME:
        return f"{name}: has the header of {format_.name} and no row below it\n  fix: let it run for some seconds"
    first_line = next(line for line in head if line.strip())[:80]
    hint = (
        "a CSV needs its header: leave noheader out" if first_line.count(",") >= 2 else "see docs/reference/triage.md"
    )
    return f"{name}: nothing in it is a reading: {first_line!r}\n  {_ALLOWED}\n  fix: {hint}"

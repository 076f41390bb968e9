"""Run a command that takes minutes: tell about it every second, give up at a limit, keep the end of its output."""

import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gpufleet.rehearsal.engine import Progress
from gpufleet.rehearsal.guardian import Guardian, end_session

PROGRESS_SECONDS = 1.0
KEPT_OUTPUT_LINES = 30


class CommandFailed(Exception):
    """The command failed or took longer than its limit; the message carries the end of its output."""


@dataclass(frozen=True, kw_only=True)
class LongCommand:
    """A command, and how to speak of it."""

    title: str
    """What is being done, as `building etcd with Go, once`."""
    arguments: Sequence[str]
    directory: Path
    environment: Mapping[str, str]
    limit_seconds: float

    def run(self, progress: Progress, scratch: Path) -> None:
        """Run it to its end. Neither it nor what it started outlives this call, however the call or its process ends.

        Args:
            progress: told the title, the seconds and the command's last line.
            scratch: the folder it makes something in; removed with it if this process is killed.

        Raises:
            CommandFailed: it did not exit with 0 within the limit.
        """
        guardian = Guardian(scratch)
        try:
            self._run(progress, guardian)
        finally:
            guardian.dismiss()

    def _run(self, progress: Progress, guardian: Guardian) -> None:
        progress(f"{self.title} (0 s): starting")
        process = subprocess.Popen(  # noqa: S603 (the caller's fixed arguments)
            self.arguments,
            cwd=self.directory,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            # So that what it starts can be found and ended with it.
            start_new_session=True,
        )
        guardian.watch(process.pid)
        lines: list[str] = []
        reader = threading.Thread(target=_collect, args=(process, lines), daemon=True)
        reader.start()
        started = time.monotonic()
        try:
            while process.poll() is None:
                if time.monotonic() - started > self.limit_seconds:
                    raise CommandFailed(f"gave up after {self.limit_seconds:.0f} s\n{_tail(lines)}")
                try:
                    process.wait(timeout=PROGRESS_SECONDS)
                except subprocess.TimeoutExpired:
                    elapsed = time.monotonic() - started
                    progress(f"{self.title} ({elapsed:.0f} s): {lines[-1] if lines else 'starting'}")
        finally:
            end_session(process.pid, grace_seconds=0)
            process.wait()
            reader.join(timeout=PROGRESS_SECONDS)
        if process.returncode != 0:
            raise CommandFailed(f"failed with status {process.returncode}\n{_tail(lines)}")


def _collect(process: "subprocess.Popen[str]", lines: list[str]) -> None:
    if process.stdout is None:
        return
    with process.stdout as output:
        for line in output:
            if line.strip():
                lines.append(line.rstrip())


def _tail(lines: Sequence[str]) -> str:
    return "\n".join(lines[-KEPT_OUTPUT_LINES:]) or "(it said nothing)"

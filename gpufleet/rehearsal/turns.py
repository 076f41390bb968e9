"""One process at a time makes something that several need."""

import time
from pathlib import Path

from filelock import FileLock, Timeout

from gpufleet.rehearsal.engine import Progress

PROGRESS_SECONDS = 1.0


def taken(lock_file: Path, what: str, progress: Progress) -> FileLock:
    """Wait for the turn, telling that somebody else has it meanwhile.

    Args:
        lock_file: in an existing folder; it stays.
        what: that is being made, as `the Pulumi engine`.
        progress: told every second.

    Returns:
        The lock, held; release it when the thing is made.

    Raises:
        OSError: the file cannot be written.
    """
    lock = FileLock(lock_file)
    started = time.monotonic()
    while True:
        try:
            lock.acquire(timeout=PROGRESS_SECONDS)
        except Timeout:
            progress(f"another process is making {what}: waiting ({time.monotonic() - started:.0f} s)")
        else:
            return lock

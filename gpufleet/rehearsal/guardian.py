"""A process that outlives a rehearsal by a second: it ends what the rehearsal started, however the rehearsal ended.

Started as `python guardian.py FOLDER` with a pipe as its input. Lines `watch SID` and `forget SID` name sessions of
processes (in the sense of setsid(2)): the plugins that the engine puts into process groups of their own stay in its
session. When the pipe closes without a line `done`, the rehearsal was killed: every watched session is ended and FOLDER
removed.

Standard library only, and run by path: it must start in milliseconds.
"""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

# An engine that is asked to end waits for the operation in flight; one whose command was killed is not waited for long.
GRACE_SECONDS = 2.0
POLL_SECONDS = 0.05
REMOVALS = 20


class Guardian:
    """The rehearsal's end of the pipe."""

    def __init__(self, folder: Path) -> None:
        """Start the guardian of a folder; a session of its own keeps Ctrl-C in the terminal from it."""
        self._process = subprocess.Popen(  # noqa: S603 (our own file)
            [sys.executable, "-I", "-S", __file__, str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def watch(self, session_id: int) -> None:
        """Have a session's processes ended if this process is killed."""
        self._say(f"watch {session_id}")

    def forget(self, session_id: int) -> None:
        """Take back `watch`: the session has ended, and its number may be used again."""
        self._say(f"forget {session_id}")

    def dismiss(self) -> None:
        """End the guardian without consequences: the rehearsal has cleared up itself, or what stands is to stay."""
        if self._process.stdin is None or self._process.stdin.closed:
            return
        self._say("done")
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        self._process.wait()

    def _say(self, line: str) -> None:
        pipe = self._process.stdin
        # Without a guardian, if somebody killed it, the rehearsal still clears up in the ordinary way.
        with contextlib.suppress(OSError):
            if pipe is not None:
                pipe.write(f"{line}\n".encode())
                pipe.flush()


def end_session(session_id: int, grace_seconds: float = GRACE_SECONDS) -> None:
    """End every process of a session: first asked, after `grace_seconds` killed. Returns when none is left."""
    deadline = time.monotonic() + grace_seconds
    _signal(session_id, signal.SIGTERM)
    while members(session_id):
        if time.monotonic() > deadline:
            _signal(session_id, signal.SIGKILL)
        time.sleep(POLL_SECONDS)


def members(session_id: int) -> list[int]:
    """List the living processes of a session; zombies, which nobody can end, do not count."""
    found: list[int] = []
    for pid in _all_processes():
        try:
            if os.getsid(pid) == session_id and not _is_zombie(pid):
                found.append(pid)
        except OSError:
            continue
    return found


def _all_processes() -> list[int]:
    if os.path.isdir("/proc/self"):
        return [int(name) for name in os.listdir("/proc") if name.isdigit()]
    listing = subprocess.run(["ps", "-axo", "pid="], capture_output=True, text=True, check=False)  # noqa: S607 (macOS)
    return [int(word) for word in listing.stdout.split()]


def _is_zombie(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()[0]
    except (OSError, IndexError):
        return False
    return state == "Z"


def _signal(session_id: int, number: int) -> None:
    for pid in members(session_id):
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            continue


def main() -> None:
    """Listen until the pipe closes, then clear up unless told that it is done."""
    folder = Path(sys.argv[1])
    watched: set[int] = set()
    for line in sys.stdin:
        word, _, number = line.strip().partition(" ")
        if word == "done":
            return
        if word == "watch":
            watched.add(int(number))
        elif word == "forget":
            watched.discard(int(number))
    for session_id in watched:
        end_session(session_id)
    # A process that was just killed may have been about to write: look again until the folder stays away.
    for _ in range(REMOVALS):
        shutil.rmtree(folder, ignore_errors=True)
        time.sleep(POLL_SECONDS)
        if not folder.exists():
            break


if __name__ == "__main__":
    main()

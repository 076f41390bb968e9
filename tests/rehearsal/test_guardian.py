"""The guardian, with a sleeping process to guard."""

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gpufleet.rehearsal import guardian

# Starts a child in a process group of its own, as the engine starts its plugins, says its pid and waits.
SLEEPER = """
import os, subprocess, sys
child = subprocess.Popen(["sleep", "60"], process_group=0)
print(child.pid, flush=True)
child.wait()
"""

# Starts a guardian that watches a session, and is then killed like a command whose terminal is gone.
KILLED = """
import os, signal, sys
from pathlib import Path
from gpufleet.rehearsal.guardian import Guardian
guard = Guardian(Path(sys.argv[1]))
guard.watch(int(sys.argv[2]))
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def sleeper() -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A session with two processes; yields its leader and the pid of the other."""
    with subprocess.Popen(
        [sys.executable, "-c", SLEEPER], stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        assert process.stdout is not None
        yield process, int(process.stdout.readline())
        guardian.end_session(process.pid, grace_seconds=0)


def test_every_process_of_a_session_is_ended_also_those_in_groups_of_their_own(
    sleeper: tuple[subprocess.Popen[str], int],
) -> None:
    leader, child = sleeper
    assert sorted(guardian.members(leader.pid)) == sorted([leader.pid, child])
    guardian.end_session(leader.pid)
    assert guardian.members(leader.pid) == []
    assert leader.wait() == -signal.SIGTERM


def test_a_killed_command_leaves_no_process_and_no_folder(
    sleeper: tuple[subprocess.Popen[str], int], tmp_path: Path, ends: Callable[[int], bool]
) -> None:
    leader, child = sleeper
    folder = tmp_path / "rehearsal"
    (folder / "state").mkdir(parents=True)
    command = [sys.executable, "-c", KILLED, str(folder), str(leader.pid)]
    subprocess.run(command, check=False, cwd=Path(__file__).parents[2])
    assert leader.wait(timeout=10) == -signal.SIGTERM
    assert ends(child)
    for_the_folder = subprocess.run(
        ["sh", "-c", f"while [ -e '{folder}' ]; do sleep 0.05; done"], timeout=10, check=False
    )
    assert for_the_folder.returncode == 0


def test_a_dismissed_guardian_leaves_everything_as_it_is(
    sleeper: tuple[subprocess.Popen[str], int], tmp_path: Path
) -> None:
    leader, _ = sleeper
    guard = guardian.Guardian(tmp_path)
    guard.watch(leader.pid)
    guard.dismiss()
    guard.dismiss()
    assert tmp_path.is_dir()
    assert leader.poll() is None


def test_a_forgotten_session_is_not_ended(sleeper: tuple[subprocess.Popen[str], int], tmp_path: Path) -> None:
    leader, _ = sleeper
    listener = [sys.executable, "-I", "-S", guardian.__file__, str(tmp_path / "folder")]
    told = f"watch {leader.pid}\nforget {leader.pid}\n"
    subprocess.run(listener, input=told, text=True, check=True)
    assert leader.poll() is None

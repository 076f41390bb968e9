"""Do one of two things in a copy of this process, so that both cores work.

A plan looks at a program twice, and most of what that takes is the SDK's own work in pure Python, which threads cannot
share. The copy is made by fork(2): nothing is started anew, and nothing has to be handed over but the outcome.
"""

import contextlib
import multiprocessing
import os
import signal
from collections.abc import Callable, Generator
from typing import Any, TypeVar

T = TypeVar("T")


def possible() -> bool:
    """Whether there is a second core, and a way to make the copy."""
    return hasattr(os, "fork") and len(os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else [0]) > 1


@contextlib.contextmanager
def started(work: Callable[[], T]) -> Generator[Callable[[], T]]:
    """Begin `work` in a copy of this process; what is yielded waits for its outcome, an exception included.

    The outcome has to be picklable. Not for a process that has threads: fork(2) copies only the one that calls it. The
    copy is ended when the block is left, whether its outcome was asked for or not.
    """
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(work, sender), daemon=True)
    process.start()
    sender.close()

    def outcome() -> T:
        try:
            value, error = receiver.recv()
        except EOFError:
            process.join()
            raise RuntimeError(f"the process that previews the program ended with {process.exitcode}") from None
        if error is not None:
            raise error
        return value

    try:
        yield outcome
    finally:
        receiver.close()
        process.kill()
        process.join()


def _work(work: Callable[[], Any], sender: Any) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the original's to answer; it ends this copy
    try:
        outcome = (work(), None)
    except BaseException as error:
        outcome = (None, error)
    with contextlib.suppress(OSError):  # the original did not wait
        sender.send(outcome)

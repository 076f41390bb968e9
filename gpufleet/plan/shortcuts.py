"""What the SDK does for a real engine and a plan can do without; each saves a fifth of a plan's own time or more.

They reach into the SDK's private names. Where a later version lacks one, a plan is slower and otherwise the same.
"""

import asyncio
import contextlib
import gc
from collections.abc import Callable, Generator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from pulumi.runtime import resource, stack
from pulumi.runtime.proto import source_pb2


class InlineExecutor(ThreadPoolExecutor):
    """Answers at once, in the caller's thread.

    The SDK hands each request to a thread, because an engine takes its time. Here the answer is there already; through
    threads the SDK's loop would look at every pending output each time one of them arrives, which grows with the square
    of the program. It also makes registrations come in the program's own order.
    """

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Call `fn` now and return its outcome as a future that is done."""
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except BaseException as error:
            future.set_exception(error)
        return future


@contextlib.contextmanager
def no_collector() -> Generator[None]:
    """Keep the garbage collector away from a run.

    A run makes millions of small objects that live to its end; looking through them for cycles again and again takes
    two thirds of the time and makes it grow faster than the program.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@contextlib.contextmanager
def no_stack_traces() -> Generator[None]:
    """Send no stack trace with each registration: the engine shows it, a plan does not."""
    with _replaced(resource, "_get_stack_trace", source_pb2.StackTrace):
        yield


class _Patient:
    """`asyncio`, but for one habit of the SDK's: it wakes for each output that is done, to look at all that are not."""

    def __getattr__(self, name: str) -> Any:
        return getattr(asyncio, name)

    async def wait(self, tasks: Any, *, return_when: str) -> Any:
        """Wait until all are done or one fails, whatever was asked."""
        return await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)


@contextlib.contextmanager
def patient() -> Generator[None]:
    """Have the SDK wait for its outputs once, and not once for each of them."""
    with _replaced(stack, "asyncio", _Patient()):
        yield


@contextlib.contextmanager
def _replaced(module: Any, name: str, stand_in: Any) -> Generator[None]:
    original = getattr(module, name, None)
    if original is not None:
        setattr(module, name, stand_in)
    try:
        yield
    finally:
        if original is not None:
            setattr(module, name, original)

"""Progress on stderr: on a terminal one line that changes, in a log a line now and then."""

import contextlib
import re
import sys
from collections.abc import Callable, Generator

from rich.console import Console
from rich.markup import escape


@contextlib.contextmanager
def shown() -> Generator[Callable[[str], None]]:
    """Give a function that is told one short line at a time."""
    console = Console(stderr=True, highlight=False)
    if not console.is_terminal:
        yield _sparingly
        return
    with console.status("starting") as status:
        yield lambda line: status.update(escape(line))


def _sparingly(line: str) -> None:
    """For a log: what begins, and of what is counted (`up: 12 of 60 ...`) every twenty-fifth."""
    counted = re.search(r": (\d+) of (\d+) ", line)
    if counted is None or int(counted[1]) % 25 == 0 or counted[1] == counted[2]:
        print(line, file=sys.stderr, flush=True)

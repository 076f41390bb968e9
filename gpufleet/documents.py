"""JSON documents on stdout; apart from the tables, whose library takes longer to load than most documents to write."""

import contextlib
import json
import signal
import sys
from collections.abc import Mapping
from typing import Any


def begin_printing() -> None:
    """From here on end as a filter does when whoever reads has enough (`| head`): by the signal, not by a verdict."""
    with contextlib.suppress(AttributeError, ValueError):  # no such signal, or not the main thread
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)


def print_json(document: Mapping[str, Any]) -> None:
    """Write the document, indented, its keys in the contract's order."""
    begin_printing()
    json.dump(document, sys.stdout, indent=1)
    sys.stdout.write("\n")

"""Forget the modules that a foreign folder brought into this process."""

import contextlib
import os
import sys
from collections.abc import Generator
from pathlib import Path


@contextlib.contextmanager
def forgotten(folder: Path) -> Generator[None]:
    """Drop, afterwards, every module imported meanwhile from below `folder` (a program's or a pack's own code).

    A second run then starts as fresh as the first: a resource made while a module is imported is registered in both.
    Installed packages and gpufleet itself stay, wherever the virtual environment lies.
    """
    before = set(sys.modules)
    prefix = f"{folder}{os.sep}"
    try:
        yield
    finally:
        for name in set(sys.modules) - before:
            source = getattr(sys.modules[name], "__file__", None) or ""
            below = source.startswith(prefix) and "site-packages" not in source[len(prefix) :]
            if below and name.partition(".")[0] != "gpufleet":
                del sys.modules[name]

"""Compare text with a file kept in git; `make golden` rewrites the files, and the diff is read like any other."""

import os
from pathlib import Path

FOLDER = Path(__file__).parent


def check(name: str, text: str) -> None:
    """Assert that the golden file `name` holds exactly `text`."""
    path = FOLDER / name
    if os.environ.get("GPUFLEET_GOLDEN") == "write":
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert path.is_file(), f"{path} is missing: run `make golden` and read what it writes"
    assert path.read_text(encoding="utf-8") == text

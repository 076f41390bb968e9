"""What `make check` leaves to `make test`: whole folders whose tests talk to servers or build wheels."""

from pathlib import Path

import pytest

_TESTS = Path(__file__).parent
SLOW = (_TESTS / "rehearsal", _TESTS / "gpufleet/cleanup", _TESTS / "test_distribution.py")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if any(item.path.is_relative_to(slow) for slow in SLOW):
            item.add_marker("slow")

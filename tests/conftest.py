"""What `make check` leaves to `make test`: tests that talk to servers, build wheels or plan by the hundred."""

from pathlib import Path

import pytest

_TESTS = Path(__file__).parent
SLOW = (
    _TESTS / "rehearsal",
    _TESTS / "gpufleet/check/compare/test_shipped.py",
    _TESTS / "gpufleet/cleanup",
    _TESTS / "gpufleet/preflight",
    _TESTS / "stacks/test_every_pool.py",
    _TESTS / "stacks/test_pools.py",
    _TESTS / "stacks/test_random_settings.py",
    _TESTS / "test_distribution.py",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if any(item.path.is_relative_to(slow) for slow in SLOW):
            item.add_marker("slow")

"""What the tests of verdicts share: the engine, a small pack and a program that breaks it."""

from pathlib import Path

import pytest

from gpufleet.rehearsal.engine import Engine, EngineMissing, ensure_engine

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="session")
def engine() -> Engine:
    """The real engine, built first if it must be."""
    try:
        return ensure_engine()
    except EngineMissing as missing:
        pytest.skip(f"no Pulumi engine can be had here: {missing}")

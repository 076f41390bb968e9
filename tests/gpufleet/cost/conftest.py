"""What the tests of money share."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from gpufleet.facts import prices
from tests.gpufleet.cost import shop


@pytest.fixture
def program(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    return shop.write(folder)


@pytest.fixture(autouse=True)
def built_in_prices(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No price file before the test, and none after it."""
    monkeypatch.delenv(prices.VARIABLE, raising=False)
    prices.use(None)
    yield
    prices.use(None)

"""What the tests of causes share."""

from collections.abc import Callable
from pathlib import Path

import pytest

from gpufleet.triage import causes, inputs
from gpufleet.triage.findings import Finding
from gpufleet.triage.readings import Readings


@pytest.fixture
def found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[Finding]]:
    monkeypatch.chdir(tmp_path)

    def find(*texts: str) -> list[Finding]:
        readings = Readings()
        for number, text in enumerate(texts):
            Path(f"f{number}").write_text(text)
            inputs.take(f"f{number}", readings, lambda _: None)
        return causes.find(readings)

    return find

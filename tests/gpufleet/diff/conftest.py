"""A program on disk, in a repository of its own."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.gpufleet.cost import shop


@pytest.fixture
def program(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    return shop.write(folder)


@pytest.fixture
def git(program: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Run git in the program's folder, apart from the user's configuration."""
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")

    def run(*arguments: str) -> str:
        identity = ("-c", "user.name=Tests", "-c", "user.email=tests@example.com", "-c", "commit.gpgsign=false")
        command = ["git", *identity, "-C", str(program), *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    return run

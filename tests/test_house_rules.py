"""The rules of the house that code can check, so that nobody has to remember them."""

import re
import subprocess
from pathlib import Path

from tools import generate_reference

ROOT = Path(__file__).parents[1]
MOST_LINES = 300
SOURCES = ("__main__.py", "components", "gpufleet", "policies", "stacks", "tests", "tools")


def tracked() -> list[Path]:
    """Python files of the tree: what git knows or would add; without git, what lies there."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.py"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    names = listed.stdout.split() if listed.returncode == 0 else [str(p.relative_to(ROOT)) for p in ROOT.rglob("*.py")]
    return [ROOT / name for name in names if name.split("/")[0] in SOURCES and (ROOT / name).is_file()]


def test_no_file_is_too_long_to_know_ones_way_in():
    long = {str(p.relative_to(ROOT)): n for p in tracked() if (n := len(p.read_text().splitlines())) > MOST_LINES}
    assert long == {}


def test_every_file_with_tests_is_collected():
    lost = [
        str(path.relative_to(ROOT))
        for path in (ROOT / "tests").rglob("*.py")
        if not path.name.startswith("test_") and re.search(r"^(async )?def test_", path.read_text(), re.MULTILINE)
    ]
    assert lost == []


def test_tests_mirror_the_source():
    sources = {p.relative_to(ROOT).parent for p in (ROOT / "components").rglob("*.py")}
    mirrored = {p.relative_to(ROOT / "tests").parent for p in (ROOT / "tests").rglob("test_*.py")}
    assert sources - mirrored <= {Path("components")}


def test_no_drawer_where_architecture_goes_to_hide():
    drawers = {"common", "helpers", "lib", "misc", "shared", "utils"}
    assert [str(p) for p in tracked() if drawers & {*p.relative_to(ROOT).parts, p.stem}] == []


def test_components_can_be_served_to_other_languages():
    for path in (ROOT / "components").rglob("*.py"):
        assert "from __future__ import annotations" not in path.read_text(), path


def test_paths_that_the_readme_names_exist():
    text = (ROOT / "README.md").read_text()
    linked = set(re.findall(r"\]\(([\w./-]+)\)", text))
    assert {path for path in linked if not (ROOT / path).exists()} == set()


def test_the_readme_shows_every_command():
    from gpufleet import cli

    text = (ROOT / "README.md").read_text()
    names = [command.name or command.callback.__name__ for command in cli.app.registered_commands if command.callback]
    assert [name for name in names if f"gpufleet {name}" not in text] == []


def test_the_generated_reference_is_fresh():
    stale = [str(path) for path, text in generate_reference.pages() if not path.is_file() or path.read_text() != text]
    assert stale == [], "run `make docs`"

"""The page in a real browser, without a network: nothing overflows, nothing is missing, nothing complains."""

import html
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from gpufleet.plan.police import Violation
from gpufleet.report import page
from tests.gpufleet.report.world import TODAY, network, plan_of

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--enable-logging=stderr",
    "--virtual-time-budget=4000",
)
PROBE = """<!doctype html><title>probe</title><pre id="found"></pre>
<iframe id="page" style="border: 0; width: WIDTHpx; height: 4000px" srcdoc="PAGE"></iframe>
<script>
document.getElementById("page").addEventListener("load", (event) => {
  const inside = event.target.contentWindow, page = inside.document;
  const seen = (element) => element.getClientRects().length > 0;
  const edge = page.documentElement.clientWidth;
  const search = page.getElementById("words");
  const answer = {
    width: inside.innerWidth,
    overflow: page.documentElement.scrollWidth - edge,
    too_wide: [...page.querySelectorAll("body *")].filter(
      (e) => seen(e) && !e.closest("svg, .unseen, .skip, thead") && e.getBoundingClientRect().right > edge + 1
    ).map((e) => e.tagName + "." + e.className),
    sections: [...page.querySelectorAll("section")].filter(seen).map((e) => e.id),
    drawings: [...page.querySelectorAll("svg.map")].filter(seen).map((e) => e.getAttribute("class")),
    requests: inside.performance.getEntriesByType("resource").map((e) => e.name),
    searchable: seen(search),
  };
  search.value = "muscle";
  search.dispatchEvent(new inside.Event("input"));
  answer.found = page.getElementById("found").textContent;
  answer.rows = [...page.querySelectorAll(".component tbody tr")].filter(seen).map((e) => e.cells[0].textContent);
  search.value = "";
  search.dispatchEvent(new inside.Event("input"));
  inside.dispatchEvent(new inside.Event("beforeprint"));
  answer.closed_in_print = page.querySelectorAll("details:not([open])").length;
  document.getElementById("found").textContent = JSON.stringify(answer);
});
</script>"""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(BROWSER is None, reason="no chromium, chromium-browser or google-chrome on PATH"),
]


def browse(folder: Path, file: Path, *flags: str) -> subprocess.CompletedProcess[str]:
    command = [str(BROWSER), *FLAGS, f"--user-data-dir={folder / 'profile'}", *flags, file.as_uri()]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)


def probed(folder: Path, width: int) -> dict[str, Any]:
    file = folder / "probe.html"
    file.write_text(PROBE.replace("WIDTH", str(width)).replace("PAGE", html.escape(the_page())))
    done = browse(folder, file, "--window-size=1600,1200", "--dump-dom")
    assert "CONSOLE" not in done.stderr
    found = re.search(r'<pre id="found">(.+?)</pre>', done.stdout)
    assert found, done.stdout[-2000:]
    return json.loads(html.unescape(found[1]))


def the_page() -> str:
    long = "a-rule-with-a-name-that-does-not-end-before-the-edge-of-any-phone-that-was-ever-made"
    violation = Violation(long, f"urn:pulumi:s::p::t::{'x' * 120}", "m" * 300, "mandatory", "high", "f" * 200)
    return page.render(plan_of(network, [violation]), today=TODAY)


@pytest.mark.parametrize(
    ("width", "drawing"), [(1440, "map wide"), (768, "map narrow"), (390, "map narrow"), (320, "map narrow")]
)
def test_the_page_fits_and_works_at_every_width(tmp_path: Path, width: int, drawing: str):
    assert probed(tmp_path, width) == {
        "width": width,
        "overflow": 0,
        "too_wide": [],
        "sections": ["architecture", "policies", "money", "permissions", "network", "checklist", "resources"],
        "drawings": [drawing],
        "requests": [],
        "searchable": True,
        "found": "1 found",
        "rows": ["muscle"],
        "closed_in_print": 0,
    }


def test_the_page_prints(tmp_path: Path):
    file, printed = tmp_path / "page.html", tmp_path / "page.pdf"
    file.write_text(the_page())
    browse(tmp_path, file, f"--print-to-pdf={printed}", "--no-pdf-header-footer")
    assert printed.read_bytes().startswith(b"%PDF")
    assert printed.read_bytes().count(b"/Type /Page\n") + printed.read_bytes().count(b"/Type /Page ") >= 2


def test_the_page_opens_without_a_complaint(tmp_path: Path):
    file = tmp_path / "page.html"
    file.write_text(the_page())
    done = browse(tmp_path, file, "--dump-dom")
    assert "CONSOLE" not in done.stderr
    assert 'id="search" hidden' not in done.stdout  # the script ran

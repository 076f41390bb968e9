"""Contrast as WCAG AA asks for it: 4.5 to 1 for texts, by day and by night."""

import re
from pathlib import Path

import pytest

from gpufleet import report

STYLES = Path(report.__file__).with_name("templates")
INKS = {
    "ink": ["page", "surface", "faint", "network", "zone", "public", "private", "pods", "isolated"]
    + ["system", "edge", "data", "cluster"],
    "quiet": ["page", "surface", "network", "zone", "public", "private", "pods", "isolated"],
    "accent": ["page", "surface"],
    "good": ["good-back", "surface"],
    "bad": ["bad-back", "surface"],
    "warn": ["warn-back", "surface"],
    "gpu-ink": ["gpu"],
}
PAIRS = [(ink, ground) for ink, grounds in INKS.items() for ground in grounds]


def colours(*, dark: bool) -> dict[str, str]:
    text = "".join((STYLES / name).read_text() for name in ("style.css", "drawing.css"))
    day = re.sub(r"@media \(prefers-color-scheme: dark\) \{\n  :root \{.*?\}\n\}", "", text, flags=re.DOTALL)
    night = "".join(re.findall(r"prefers-color-scheme: dark\) \{\n  :root \{(.*?)\}", text, flags=re.DOTALL))
    return dict(re.findall(r"--([\w-]+): (#\w+)", night if dark else day))


def luminance(colour: str) -> float:
    digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    parts = [int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize(("ink", "ground"), PAIRS)
def test_a_text_stands_out_from_its_ground(ink: str, ground: str, dark: bool):
    palette = colours(dark=dark)
    lighter, darker = sorted((luminance(palette[ink]), luminance(palette[ground])), reverse=True)
    assert (lighter + 0.05) / (darker + 0.05) >= 4.5


def test_both_palettes_name_the_same_colours():
    assert colours(dark=True).keys() == colours(dark=False).keys()

"""Nested boxes with texts, as SVG: text is measured roughly, cut to its box, and whole in its tooltip."""

from collections.abc import Sequence

from markupsafe import Markup, escape

_WIDE, _NARROW, _USUAL = 1.0, 0.4, 0.62
"""Widths of letters in ems: those of the widest sans-serif face in use (DejaVu Sans)."""


def measure(text: str, size: float) -> float:
    """About how wide the text is, in the drawing's units."""
    ems = sum(_WIDE if c in "MW@%—→" else _NARROW if c in "iljtf.,:;|!'()[] " else _USUAL for c in text)
    return ems * size


def fit(text: str, size: float, room: float) -> str:
    """The text, or as much of its beginning as there is room for."""
    if measure(text, size) <= room:
        return text
    while text and measure(f"{text}…", size) > room:
        text = text[:-1]
    return f"{text.rstrip()}…"


class Canvas:
    """Collects shapes; colours are classes, so that the page's own style decides (dark, print)."""

    def __init__(self) -> None:
        self._shapes: list[Markup] = []

    def box(self, x: float, y: float, width: float, height: float, look: str, *, radius: float = 6) -> None:
        """A rounded box in the look of a class."""
        self._shapes.append(
            Markup('<rect class="{}" x="{}" y="{}" width="{}" height="{}" rx="{}"/>').format(
                look, _n(x), _n(y), _n(width), _n(height), _n(radius)
            )
        )

    def text(
        self, x: float, y: float, text: str, look: str, *, size: float, room: float = 10_000, right: bool = False
    ) -> None:
        """One line of text that begins (or, with `right`, ends) at `x`, its baseline at `y`."""
        shown = fit(text, size, room)
        whole = Markup("<title>{}</title>").format(text) if shown != text else ""
        anchor = Markup(' text-anchor="end"') if right else ""
        self._shapes.append(
            Markup('<text class="{}" x="{}" y="{}" font-size="{}"{}>{}{}</text>').format(
                look, _n(x), _n(y), _n(size), anchor, whole, shown
            )
        )

    def path(self, points: Sequence[tuple[float, float]], look: str) -> None:
        """A line through the points, with an arrow's head at the end."""
        way = " ".join(f"{'L' if i else 'M'}{_n(x)} {_n(y)}" for i, (x, y) in enumerate(points))
        (x0, y0), (x, y) = points[-2:]
        head = 4.0
        if x == x0:
            back = head if y < y0 else -head
            wings = [(x - head * 0.8, y + back), (x + head * 0.8, y + back)]
        else:
            back = head if x < x0 else -head
            wings = [(x + back, y - head * 0.8), (x + back, y + head * 0.8)]
        arrow = f"M{_n(wings[0][0])} {_n(wings[0][1])}L{_n(x)} {_n(y)}L{_n(wings[1][0])} {_n(wings[1][1])}"
        self._shapes.append(Markup('<path class="{}" d="{}{}"/>').format(look, way, arrow))

    def take(self, other: "Canvas") -> None:
        """Put another canvas's shapes on top."""
        self._shapes += other._shapes

    def svg(self, width: float, height: float, *, look: str, title: str) -> Markup:
        """The drawing; `title` is what someone hears who does not see it."""
        return Markup('<svg class="{}" viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>').format(
            look, _n(width), _n(height), escape(title), Markup("").join(self._shapes)
        )


def _n(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")

"""A topology as SVG: zones side by side on a wide page, one above the other on a phone; nothing is placed by hand."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from markupsafe import Markup

from gpufleet.report.canvas import Canvas
from gpufleet.report.places import ACCESS, Chip, Network, Region, Subnet, Zone

_PAD, _GAP = 12, 10
_CHIP, _CHIP_SHORT = 40, 26
_SUBNET_HEAD, _ZONE_HEAD, _NETWORK_HEAD, _BAR = 36, 26, 32, 28
_LABELS = {
    "public": "public subnet",
    "private": "private subnet",
    "pods": "subnet of pods",
    "isolated": "closed subnet",
}

Slot = tuple[str, int]
"""A row of the zones: an access and how many-th subnet of it, so that equals stand side by side."""


@dataclass(frozen=True, kw_only=True)
class Format:
    """How much room there is."""

    width: int
    zones_abreast: int
    data_beside: int
    """Width of the column for data; 0 puts it below."""
    data_abreast: int


WIDE = Format(width=1120, zones_abreast=3, data_beside=230, data_abreast=1)
NARROW = Format(width=342, zones_abreast=1, data_beside=0, data_abreast=1)


def draw(region: Region, form: Format, *, look: str) -> Markup:
    """One region; `look` is the class of the drawing as a whole."""
    canvas = Canvas()
    bottom = 0.0
    aside = form.data_beside if region.beside and region.networks else 0
    width = form.width - (aside + _GAP if aside else 0)
    for network in region.networks:
        bottom = _network(canvas, network, form, bottom, width) + _GAP
    if region.beside:
        if aside:
            bottom = max(bottom, _data(canvas, region.beside, width + _GAP, 0, aside, 1) + _GAP)
        else:
            abreast = form.data_abreast if region.networks else max(1, form.width // 260)
            bottom = _data(canvas, region.beside, 0, bottom, form.width, abreast) + _GAP
    return canvas.svg(form.width, max(bottom - _GAP, 1), look=look, title=describe(region))


def describe(region: Region) -> str:
    """The drawing in one sentence, for someone who does not see it."""
    parts = [
        f"network {network.name} {network.cidr} in {len(network.zones)} zone{'s' * (len(network.zones) != 1)}"
        for network in region.networks
    ]
    if region.beside:
        parts.append(f"{len(region.beside)} buckets and repositories beside")
    return f"Region {region.name or 'not named'}: {'; '.join(parts) or 'nothing that has a place'}"


def _network(canvas: Canvas, network: Network, form: Format, top: float, width: float) -> float:
    """Draw a network at the left edge; return its bottom."""
    inner = width - 2 * _PAD
    slots = _slots(network.zones)
    y = top + _NETWORK_HEAD
    frames = Canvas()  # drawn after the frame of the network, whose height is known only at the end
    if network.internet:
        frames.box(_PAD, y, inner, _BAR, "chip edge")
        frames.text(_PAD + 10, y + 18, "internet gateway", "t strong", size=12, room=inner - 20)
        y += _BAR + _GAP * 2
    igw_bottom = y - _GAP * 2
    for start in range(0, len(network.zones), form.zones_abreast):
        row = network.zones[start : start + form.zones_abreast]
        abreast = min(form.zones_abreast, len(network.zones))
        zone_width = (inner - _GAP * (abreast - 1)) / abreast
        # A row of its own keeps only the slots it has, or a phone would show gaps.
        heights = _heights(row, [slot for slot in slots if any(slot in _by_slot(zone) for zone in row)])
        for column, zone in enumerate(row):
            x = _PAD + column * (zone_width + _GAP)
            first_row = network.internet and start == 0
            _zone(frames, zone, x, y, zone_width, heights, igw_bottom if first_row else None)
        y += _zone_height(heights) + _GAP
    for chip in network.chips:
        y = _chip(frames, chip, _PAD, y, inner) + _GAP
    bottom = y - _GAP + _PAD
    canvas.box(0.5, top + 0.5, width - 1, bottom - top - 1, "frame network", radius=10)
    canvas.text(_PAD, top + 21, network.name, "t strong", size=14, room=inner - 110)
    canvas.text(width - _PAD, top + 21, network.cidr, "t mono", size=12, right=True)
    canvas.take(frames)
    return bottom


def _slots(zones: Sequence[Zone]) -> list[Slot]:
    found = {slot for zone in zones for slot in _by_slot(zone)}
    return sorted(found, key=lambda slot: (ACCESS.index(slot[0]), slot[1]))


def _by_slot(zone: Zone) -> Mapping[Slot, Subnet]:
    return {
        (access, index): subnet
        for access, group in groupby(zone.subnets, key=lambda subnet: subnet.access)
        for index, subnet in enumerate(group)
    }


def _heights(zones: Sequence[Zone], slots: Sequence[Slot]) -> dict[Slot, float]:
    return {
        slot: max(_subnet_height(subnet) for zone in zones if (subnet := _by_slot(zone).get(slot)) is not None)
        for slot in slots
    }


def _zone_height(heights: Mapping[Slot, float]) -> float:
    return _ZONE_HEAD + sum(heights.values()) + _GAP * len(heights)


def _zone(
    canvas: Canvas, zone: Zone, x: float, y: float, width: float, heights: Mapping[Slot, float], gateway: float | None
) -> None:
    canvas.box(x, y, width, _zone_height(heights), "frame zone", radius=8)
    canvas.text(x + _GAP, y + 18, zone.name, "t quiet strong", size=12, room=width - 2 * _GAP)
    by_slot = _by_slot(zone)
    top = y + _ZONE_HEAD
    for slot, height in heights.items():
        if (subnet := by_slot.get(slot)) is not None:
            _subnet(canvas, subnet, x + 8, top, width - 16, height)
            if slot[0] == "public" and gateway is not None:
                canvas.path([(x + width - 28, top), (x + width - 28, gateway)], "flow")
                gateway = None  # one arrow a zone
        top += height + _GAP


def _subnet_height(subnet: Subnet) -> float:
    return _SUBNET_HEAD + sum(_chip_height(chip) + 6 for chip in subnet.chips) + (2 if subnet.chips else 0)


def _subnet(canvas: Canvas, subnet: Subnet, x: float, y: float, width: float, height: float) -> None:
    canvas.box(x, y, width, height, f"subnet {subnet.access}")
    canvas.text(x + 8, y + 15, _LABELS[subnet.access], "t strong", size=11)
    canvas.text(x + width - 8, y + 15, subnet.cidr, "t mono", size=11, right=True)
    canvas.text(x + 8, y + 29, subnet.way_out, "t quiet", size=11, room=width - 16)
    top = y + _SUBNET_HEAD
    for chip in subnet.chips:
        top = _chip(canvas, chip, x + 8, top, width - 16) + 6


def _chip_height(chip: Chip) -> float:
    return _CHIP if chip.detail else _CHIP_SHORT


def _chip(canvas: Canvas, chip: Chip, x: float, y: float, width: float) -> float:
    """Draw a chip; return its bottom."""
    height = _chip_height(chip)
    canvas.box(x, y, width, height, f"chip {chip.look}", radius=5)
    canvas.text(x + 9, y + 17, chip.title, f"t strong in-{chip.look}", size=12, room=width - 18)
    if chip.detail:
        canvas.text(x + 9, y + 32, chip.detail, f"t in-{chip.look}", size=11, room=width - 18)
    return y + height


def _data(canvas: Canvas, chips: Sequence[Chip], x: float, top: float, width: float, abreast: int) -> float:
    """Draw the panel of data; return its bottom."""
    rows = -(-len(chips) // abreast)
    height = _NETWORK_HEAD + rows * (_CHIP + 6) + 6
    canvas.box(x + 0.5, top + 0.5, width - 1, height - 1, "frame beside", radius=10)
    canvas.text(x + _PAD, top + 21, "data, beside the network", "t strong", size=13, room=width - 2 * _PAD)
    room = (width - 2 * 8 - 6 * (abreast - 1)) / abreast
    for index, chip in enumerate(chips):
        row, column = divmod(index, abreast)
        _chip(canvas, chip, x + 8 + column * (room + 6), top + _NETWORK_HEAD + row * (_CHIP + 6), room)
    return top + height

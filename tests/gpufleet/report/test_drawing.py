"""The drawing as SVG: nothing leaves its frame, whatever there is to draw."""

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpufleet.report import drawing, topology
from gpufleet.report.canvas import fit, measure
from gpufleet.report.places import ACCESS, Chip, Network, Region, Subnet, Zone
from tests.gpufleet.report.world import NASTY, estate_of, network

SVG = "{http://www.w3.org/2000/svg}"


def read(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(str.replace(svg, "<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1))


names = st.text("abc-<&\"'é 0", min_size=1, max_size=40)
chips = st.builds(Chip, look=st.sampled_from(["gpu", "data"]), title=names, detail=st.one_of(st.just(""), names))
subnets = st.builds(
    Subnet,
    name=names,
    cidr=names,
    access=st.sampled_from(ACCESS),
    way_out=names,
    chips=st.lists(chips, max_size=3).map(tuple),
)
zones = st.builds(
    Zone,
    name=names,
    subnets=st.lists(subnets, max_size=4).map(lambda found: tuple(sorted(found, key=lambda s: ACCESS.index(s.access)))),
)
networks = st.builds(
    Network,
    name=names,
    cidr=names,
    internet=st.booleans(),
    zones=st.lists(zones, max_size=5).map(tuple),
    chips=st.lists(chips, max_size=2).map(tuple),
)
regions = st.builds(
    Region,
    name=names,
    networks=st.lists(networks, max_size=2).map(tuple),
    beside=st.lists(chips, max_size=4).map(tuple),
)


@given(regions, st.sampled_from([drawing.WIDE, drawing.NARROW]))
def test_every_box_lies_in_the_drawing_and_boxes_nest_or_stay_apart(region: Region, form: drawing.Format):
    root = read(drawing.draw(region, form, look="map"))
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    assert width == form.width
    boxes = [tuple(float(r.attrib[key]) for key in ("x", "y", "width", "height")) for r in root.iter(f"{SVG}rect")]
    for x, y, w, h in boxes:
        assert x >= 0
        assert y >= 0
        assert w > 0
        assert x + w <= width + 0.1
        assert y + h <= height + 0.1
    for i, (x, y, w, h) in enumerate(boxes):
        for x2, y2, w2, h2 in boxes[i + 1 :]:
            apart = x + w <= x2 + 0.1 or x2 + w2 <= x + 0.1 or y + h <= y2 + 0.1 or y2 + h2 <= y + 0.1
            inside = x2 >= x - 0.1 and y2 >= y - 0.1 and x2 + w2 <= x + w + 0.1 and y2 + h2 <= y + h + 0.1
            assert apart or inside


@given(st.text(max_size=60), st.floats(10, 400))
def test_a_text_is_cut_to_its_room(text: str, room: float):
    shown = fit(text, 12, room)
    assert shown == text or shown in ("…", shown.rstrip("…").rstrip() + "…")
    assert shown == "…" or measure(shown, 12) <= room


def test_what_was_cut_is_whole_in_the_tooltip():
    long = "a-pool-with-a-name-that-no-box-of-this-width-could-ever-hold-in-one-line-of-text"
    region = Region(name="r", networks=(), beside=(Chip(look="data", title=long),))
    root = read(drawing.draw(region, drawing.NARROW, look="map"))
    assert [title.text for title in root.iter(f"{SVG}title")] == [long]


def test_a_name_cannot_break_out_of_the_drawing():
    region = Region(name=NASTY, networks=(), beside=(Chip(look="data", title=f'"{NASTY}'),))
    svg = drawing.draw(region, drawing.WIDE, look="map")
    assert "<script" not in svg
    assert NASTY in (read(svg).attrib["aria-label"])


def test_zones_stand_abreast_on_a_wide_page_and_below_each_other_on_a_phone():
    (region,) = topology.of(estate_of(network)).regions
    wide, narrow = (
        [(r.attrib["x"], r.attrib["y"]) for r in read(svg).iter(f"{SVG}rect") if "zone" in r.attrib["class"]]
        for svg in (drawing.draw(region, form, look="map") for form in (drawing.WIDE, drawing.NARROW))
    )
    assert len({x for x, _ in wide}) == 2
    assert len({y for _, y in wide}) == 1
    assert len({x for x, _ in narrow}) == 1
    assert len({y for _, y in narrow}) == 2


@pytest.mark.parametrize("form", [drawing.WIDE, drawing.NARROW])
def test_a_way_to_the_internet_is_an_arrow_from_the_public_subnet(form: drawing.Format):
    (region,) = topology.of(estate_of(network)).regions
    root = read(drawing.draw(region, form, look="map"))
    (arrow,) = root.iter(f"{SVG}path")
    numbers = [float(n) for n in re.findall(r"[\d.]+", arrow.attrib["d"])]
    (door,) = (
        r for r in root.iter(f"{SVG}rect") if r.attrib["class"] == "chip edge" and float(r.attrib["height"]) == 28
    )
    assert numbers[3] == float(door.attrib["y"]) + 28


def test_a_region_is_told_to_those_who_do_not_see_it():
    (region,) = topology.of(estate_of(network)).regions
    assert drawing.describe(region) == (
        "Region eu-west-1: network net 10.0.0.0/16 in 2 zones; 1 buckets and repositories beside"
    )

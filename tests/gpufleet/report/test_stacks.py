"""The pages of the shipped stacks: what a director sees of them."""

from functools import cache
from pathlib import Path

import pytest

from gpufleet.plan import planning, project
from gpufleet.report import page, topology
from gpufleet.report.estate import Estate, entries, mapping
from tests.gpufleet.report.world import TODAY

ROOT = Path(__file__).parents[3]


@cache
def plan(stack: str) -> planning.Plan:
    return planning.plan(project.load(ROOT, stack), policy_pack=None, today=TODAY)


@pytest.mark.parametrize(("stack", "regions"), [("dev", ["us-east-1"]), ("prod", ["us-east-1", "us-west-2"])])
def test_every_region_is_drawn_with_its_zones_and_a_control_plane(stack: str, regions: list[str]):
    places = topology.of(Estate(entries(plan(stack).update.resources)))
    assert [region.name for region in places.regions] == regions
    for region in places.regions:
        (network,) = region.networks
        assert [zone.name for zone in network.zones] == [f"{region.name}{letter}" for letter in "abc"]
        assert [chip.title for chip in network.chips if chip.look == "cluster"] == [
            f"EKS gpufleet-{stack}-{region.name}"
        ]
        assert "data" in {chip.look for chip in region.beside}


@pytest.mark.parametrize("stack", ["dev", "prod"])
def test_every_subnet_and_every_pool_is_in_the_drawing(stack: str):
    estate = Estate(entries(plan(stack).update.resources))
    networks = [network for region in topology.of(estate).regions for network in region.networks]
    subnets = [subnet for network in networks for zone in network.zones for subnet in zone.subnets]
    assert len(subnets) == len(estate.of("aws:ec2/subnet:Subnet"))
    drawn = {chip.title for subnet in subnets for chip in subnet.chips} | {c.title for n in networks for c in n.chips}
    labels = [mapping(group["inputs"].get("labels")) for group in estate.of("aws:eks/nodeGroup:NodeGroup")]
    assert {label["gpufleet.io/pool"] for label in labels if "gpufleet.io/pool" in label} <= drawn


@pytest.mark.parametrize("stack", ["dev", "prod"])
def test_a_page_is_made_of_it(stack: str):
    html = page.render(plan(stack), today=TODAY)
    assert f"<h1>{stack}</h1>" in html
    assert "(known after the update)" not in html
    assert "cannot be read before the update" not in html

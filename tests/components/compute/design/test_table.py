"""Every type of the catalogue, bought in every way, with and without EFA, brought by either scaler."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import pytest

from components.compute.design import Refused, as_document
from components.compute.design.request import PURCHASES, PoolRequest
from components.compute.design.shapes import Design
from gpufleet.facts import instances
from tests import golden
from tests.components.compute.design.requests import answer, bought, wish

FAMILIES = tuple(dict.fromkeys(instances.get(name).family for name in instances.names()))
CELLS = tuple(product(PURCHASES, (False, True), ("node-group", "karpenter")))


def cells(name: str) -> Iterator[tuple[str, PoolRequest]]:
    """The sixteen wishes for a type, in a region that offers it."""
    region = next(iter(sorted(instances.get(name).regions, key=lambda r: (r != "us-east-1", r))), "us-east-1")
    for purchase, efa, scaler in CELLS:
        plain = wish(name, region=region, zones=(f"{region}a",), efa=efa, scaler=scaler)
        yield f"{purchase:<14} {'efa' if efa else '-':<3} {scaler:<10}", bought(plain, purchase)


def line(found: Design | Refused) -> str:
    """A design in so many words."""
    if isinstance(found, Refused):
        return f"refused {found.rule}: {found.reason}"
    parts = [
        found.capacity_type if found.scaler == "node-group" else found.karpenter_capacity_type,
        f"{found.accelerator_resource} {found.accelerators_per_node}",
        f"efa {found.efa_per_node} from card {found.interfaces[1].card}" if found.efa else "",
        "placement group" if found.placement_group else "",
        found.image.ami_type,
        found.local_storage or "",
        f"first {found.desired_at_first}" if found.desired_at_first else "",
        (found.quota.code or "quota without code") if found.quota.counted else "no quota",
        f"{found.quota.vcpus_at_ceiling} vCPUs" if found.quota.counted else "",
        f"{found.price.minimum_usd_per_hour:.2f} to {found.price.maximum_usd_per_hour:.2f} USD/h"
        if found.price.minimum_usd_per_hour is not None and found.price.maximum_usd_per_hour is not None
        else "no price",
    ]
    return ", ".join(part for part in parts if part)


@pytest.mark.parametrize("family", FAMILIES)
def test_every_cell_is_the_golden_design_or_the_golden_refusal(family: str) -> None:
    lines: list[str] = []
    for name in (name for name in instances.names() if instances.get(name).family == family):
        found = [(cell, line(answer(request))) for cell, request in cells(name)]
        lines.append(name)
        if len({text for _, text in found}) == 1:
            lines.append(f"  every cell                       {found[0][1]}")
        else:
            lines.extend(f"  {cell}  {text}" for cell, text in found)
    golden.check(f"pools/{family}.txt", "\n".join(lines) + "\n")


def test_left_to_the_design_every_type_has_an_answer_for_every_use() -> None:
    for name, purchase, use in product(instances.names(), PURCHASES, ("interactive", "training", "inference")):
        region = next(iter(instances.get(name).regions), "us-east-1")
        found = answer(bought(wish(name, region=region, zones=(f"{region}a",), use=use), purchase))
        if isinstance(found, Design):
            assert as_document(found)["pool"] == "pool"
        else:
            assert str(found).count("; nearest: ") == 1


def test_following_the_nearest_possible_ends_in_a_design() -> None:
    """What a refusal proposes as fields is never refused for the same reason, and leads somewhere."""
    for name in instances.names():
        for cell, request in cells(name):
            seen: list[str] = []
            found = answer(request)
            while isinstance(found, Refused) and found.change:
                assert found.rule not in seen, f"{name} {cell}: {seen} leads back to {found.rule}"
                seen.append(found.rule)
                request = replace(request, **found.change)
                found = answer(request)
            assert isinstance(found, Design) or not found.change

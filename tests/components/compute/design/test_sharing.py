"""Parts of a GPU, and turns on one."""

import pytest

from components.compute.design import decide
from components.compute.design.request import ImageChoice, PoolRequest, Sharing
from tests.components.compute.design.requests import reason, refusal, wish

BOTTLEROCKET = ImageChoice(family="bottlerocket")


def mig(profile: str | None) -> Sharing:
    return Sharing(kind="mig", profile=profile)


def slices(replicas: int | None) -> Sharing:
    return Sharing(kind="time-slicing", replicas=replicas)


@pytest.mark.parametrize(
    ("name", "profile", "parts"),
    [
        ("p4d.24xlarge", "1g.5gb", 56),
        ("p4d.24xlarge", "1g.10gb", 32),
        ("p4de.24xlarge", "1g.10gb", 56),
        ("p5.4xlarge", "3g.40gb", 2),
        ("p6-b300.48xlarge", "1g.34gb", 56),
        ("g7e.2xlarge", "1g.24gb", 4),
    ],
)
def test_mig_parts_are_counted_by_the_gpu_and_its_memory(name: str, profile: str, parts: int) -> None:
    design = decide(wish(name, sharing=mig(profile)))
    assert (design.accelerators_per_node, design.limits["nvidia.com/gpu"]) == (parts, 2 * parts)
    assert design.labels["nvidia.com/mig.config"] == f"all-{profile}"


def test_time_slicing_is_never_sold_as_isolation() -> None:
    design = decide(wish("g6.xlarge", sharing=slices(4)))
    assert (design.accelerators_per_node, design.gpus_at_ceiling) == (4, 2)
    assert design.labels["gpufleet.io/sharing"] == "time-slicing"
    assert reason(design, "sharing").endswith("For people who trust each other, never between tenants")
    assert any(text.startswith("time-slicing isolates nobody") for text in design.warnings)


@pytest.mark.parametrize(
    ("request_", "rule"),
    [
        (wish("g6.xlarge", sharing=mig("1g.6gb")), "mig-not-on-gpu"),
        (wish("p4d.24xlarge", sharing=mig("1g.20gb")), "mig-profile"),
        (wish("p4d.24xlarge", sharing=mig(None)), "mig-profile"),
        (wish("p4d.24xlarge", "p4de.24xlarge", sharing=mig("1g.10gb")), "mig-profile"),
        (wish("p5.4xlarge", image=BOTTLEROCKET, sharing=mig("4g.40gb")), "mig-on-bottlerocket"),
        (wish("p6-b300.48xlarge", image=BOTTLEROCKET, sharing=mig("1g.34gb")), "mig-on-bottlerocket"),
        (wish("g6.xlarge", sharing=slices(1)), "time-slicing-replicas"),
        (wish("g6.xlarge", sharing=slices(17)), "time-slicing-replicas"),
        (wish("g6.xlarge", sharing=slices(None)), "time-slicing-replicas"),
        (wish("inf2.xlarge", sharing=slices(2)), "sharing-neuron"),
        (wish("p4d.24xlarge", efa=True, sharing=mig("1g.5gb")), "efa-shared-gpu"),
    ],
)
def test_sharing_that_cannot_be_is_refused_by_name(request_: PoolRequest, rule: str) -> None:
    assert refusal(request_).rule == rule


def test_a_fraction_of_a_gpu_counts_as_one() -> None:
    design = decide(wish("g6f.large"))
    assert (design.accelerators_per_node, design.gpus_at_ceiling) == (1, 2)
    assert reason(design, "instance types") == "g6f.large with 1 x L4 (0.125 of a GPU each)"


def test_what_bottlerocket_would_cut_into_something_else_names_what_it_cuts_and_the_image_that_cuts_it() -> None:
    refused = refusal(wish("p5.4xlarge", image=BOTTLEROCKET, sharing=mig("4g.40gb")))

    assert (refused.allowed, refused.nearest) == ("1g.10gb, 1g.20gb, 2g.20gb, 3g.40gb, 7g.80gb", "image: al2023")
    assert decide(wish("p5.4xlarge", sharing=mig("4g.40gb"))).accelerators_per_node == 1
    assert decide(wish("p5.4xlarge", image=BOTTLEROCKET, sharing=mig("1g.10gb"))).accelerators_per_node == 7


def test_sixteen_pods_at_most_take_turns() -> None:
    assert decide(wish("g6.xlarge", sharing=slices(16))).accelerators_per_node == 16

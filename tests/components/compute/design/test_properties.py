"""What holds for whatever is asked."""

from dataclasses import replace
from datetime import timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from components.compute.design import Refused, as_document
from components.compute.design.request import (
    IMAGE_FAMILIES,
    PURCHASES,
    SCALERS,
    USES,
    Checkpoint,
    ImageChoice,
    PoolRequest,
    Reservation,
    Sharing,
)
from components.compute.design.shapes import Design, PodPreset
from gpufleet.facts import instances
from tests.components.compute.design.requests import ENDS, STARTS, answer, wish

ZONES = ("us-east-1a", "us-east-1b", "us-east-1c")

reservations = st.builds(
    Reservation,
    id=st.sampled_from([None, "cr-0123456789abcdef0", "cr-x"]),
    zone=st.sampled_from([None, *ZONES, "us-east-1f"]),
    count=st.sampled_from([None, 1, 4, 64]),
    instance_type=st.sampled_from([None, "p5.48xlarge"]),
    starts=st.sampled_from([None, STARTS, STARTS.replace(tzinfo=None)]),
    ends=st.sampled_from([None, ENDS, STARTS + timedelta(minutes=5)]),
    state=st.sampled_from([None, "active", "scheduled", "expired"]),
    create=st.booleans(),
    offering_id=st.sampled_from([None, None, "cb-0123456789abcdef0"]),
    acknowledged=st.booleans(),
)
checkpoints = st.builds(
    Checkpoint,
    gib=st.floats(min_value=0, max_value=1e5),
    path=st.sampled_from(["s3://b/p", "/mnt/fsx", "file"]),
    every_minutes=st.integers(min_value=0, max_value=600),
)
images = st.builds(
    ImageChoice,
    family=st.sampled_from([*IMAGE_FAMILIES, "al2", "windows"]),
    id=st.sampled_from([None, "ami-0123456789abcdef0"]),
    release=st.sampled_from([None, "1.35.2-20260724", "1.34.1-20260724", "nonsense"]),
    architecture=st.sampled_from([None, "x86_64", "arm64"]),
    driver_branch=st.sampled_from([None, 580, 595]),
)
sharings = st.builds(
    Sharing,
    kind=st.sampled_from(["none", "none", "mig", "time-slicing"]),
    profile=st.sampled_from([None, "1g.10gb", "1g.24gb"]),
    replicas=st.sampled_from([None, 1, 4, 65]),
)
wishes = st.builds(
    PoolRequest,
    name=st.sampled_from(["pool", "Pool"]),
    instance_types=st.lists(st.sampled_from([*instances.names(), "p9.huge"]), max_size=3).map(tuple),
    region=st.sampled_from(["us-east-1", "us-west-2", "eu-north-1"]),
    zones=st.lists(st.sampled_from([*ZONES, "us-east-1-dfw-2a"]), max_size=3).map(tuple),
    zones_are_chosen=st.booleans(),
    kubernetes_version=st.sampled_from(["1.35", "1.32", "latest"]),
    max_nodes=st.integers(min_value=0, max_value=1001),
    min_nodes=st.integers(min_value=-1, max_value=3),
    purchase=st.sampled_from(PURCHASES),
    dedicated=st.booleans(),
    reservation=st.none() | reservations,
    efa=st.sampled_from([None, True, False]),
    scaler=st.sampled_from(SCALERS),
    image=images,
    volume_gib=st.sampled_from([100, 200, 20000]),
    use=st.sampled_from(USES),
    checkpoint=st.none() | checkpoints,
    sharing=sharings,
    protected=st.booleans(),
    prefix_delegation=st.booleans(),
    longest_job_hours=st.sampled_from([None, 0.1, 72.0]),
)
single = st.builds(
    wish,
    st.sampled_from([name for name in instances.names() if instances.get(name).is_gpu]),
    efa=st.sampled_from([None, True, False]),
    use=st.sampled_from(USES),
    scaler=st.sampled_from(SCALERS),
    max_nodes=st.integers(min_value=1, max_value=8),
    prefix_delegation=st.booleans(),
)


def designed(request: PoolRequest) -> Design | None:
    return found if isinstance(found := answer(request), Design) else None


@settings(max_examples=400)
@given(wishes)
def test_whatever_is_asked_the_answer_is_a_design_or_a_refusal_that_teaches(request: PoolRequest) -> None:
    found = answer(request)
    if isinstance(found, Refused):
        assert "" not in (found.rule, found.path, found.allowed, found.nearest)
        assert str(found).startswith(f"{found.path}: ")
    else:
        assert answer(request) == found


@given(single)
def test_each_decision_has_its_reason_and_is_made_once(request: PoolRequest) -> None:
    design = designed(request)
    if design is not None:
        assert all(decision.choice and decision.because for decision in design.decisions)
        assert len({decision.about for decision in design.decisions}) == len(design.decisions)


@given(single)
def test_interfaces_are_as_ec2_takes_them(request: PoolRequest) -> None:
    design = designed(request)
    if design is None:
        return
    places = [(interface.card, interface.device) for interface in design.interfaces]
    efa_only = [interface.card for interface in design.interfaces if interface.kind == "efa-only"]
    assert len(set(places)) == len(places)
    assert {device for _, device in places} <= {0, 1}
    assert design.efa == bool(design.interfaces)
    assert design.efa_per_node == len(efa_only) == len(set(efa_only))
    if design.efa:
        assert [i.kind for i in design.interfaces if (i.card, i.device) == (0, 0)] == ["interface"]
        assert tuple(efa_only) == instances.get(design.instance_types[0]).efa_card_indices
        assert len(design.zones) == 1
        assert design.pod.node_selector["topology.kubernetes.io/zone"] == design.zones[0]


@given(single, st.data())
def test_pods_that_fill_a_node_never_ask_for_more_than_it_has(request: PoolRequest, data: st.DataObject) -> None:
    design = designed(request)
    if design is None:
        return
    left = design.pod.accelerators
    parts: list[PodPreset] = []
    while left:
        part = data.draw(st.integers(min_value=1, max_value=left))
        parts.append(design.pod.for_gpus(part))
        left -= part
    assert sum(part.efa for part in parts) <= design.efa_per_node
    assert sum(part.hugepages_mib for part in parts) <= design.pod.hugepages_mib <= design.hugepages_2mib * 2
    assert design.pod.for_gpus(design.pod.accelerators) == design.pod


@given(single)
def test_the_order_of_zones_changes_nothing(request: PoolRequest) -> None:
    several = replace(request, zones=ZONES, efa=False)
    turned = designed(replace(several, zones=ZONES[::-1]))
    assert (turned and as_document(turned)) == ((design := designed(several)) and as_document(design))

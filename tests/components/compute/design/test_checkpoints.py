"""Spot only with a checkpoint that can be written in time."""

import pytest

from components.compute.design import decide
from components.compute.design.request import Checkpoint, ImageChoice, PoolRequest
from tests.components.compute.design.requests import refusal, wish

TYPES = ("g6.12xlarge", "g5.12xlarge", "g6e.12xlarge")


def checkpoint(gib: float, path: str = "s3://checkpoints/run", every_minutes: int = 30) -> Checkpoint:
    return Checkpoint(gib=gib, path=path, every_minutes=every_minutes)


def spot(kept: Checkpoint | None, **fields: object) -> PoolRequest:
    return wish(*TYPES, **{"purchase": "spot", "use": "training", "checkpoint": kept, "efa": False, **fields})


def test_training_on_spot_states_its_checkpoint() -> None:
    refused = refusal(spot(None))
    assert (refused.rule, refused.path) == ("spot-needs-checkpoint", "checkpoint")
    assert decide(wish(*TYPES, purchase="spot")).request.checkpoint is None


def test_a_checkpoint_that_takes_longer_than_the_notice_is_refused_with_the_arithmetic() -> None:
    refused = refusal(spot(checkpoint(100)))
    assert (refused.rule, refused.path) == ("checkpoint-too-slow", "checkpoint.gib")
    assert refused.reason == (
        "100 GiB = 107.4 GB at 1.00 GB/s (20% of 40 Gbit/s to S3) take 107 s, and of the 120 s of notice 90 s are left "
        "when 30 s went by for the notice to arrive and the step in hand to end"
    )
    assert refused.allowed == "up to 83.8 GiB a node on g6.12xlarge, g5.12xlarge, g6e.12xlarge"


@pytest.mark.parametrize(("gib", "fits"), [(83.8, True), (83.9, False)])
def test_the_limit_that_is_named_is_the_limit(gib: float, fits: bool) -> None:
    request = spot(checkpoint(gib))
    if fits:
        assert decide(request).capacity_type == "SPOT"
    else:
        assert refusal(request).rule == "checkpoint-too-slow"


def test_a_mounted_path_is_taken_to_be_slower() -> None:
    assert refusal(spot(checkpoint(50, "/mnt/fsx"))).rule == "checkpoint-too-slow"


@pytest.mark.parametrize(
    ("kept", "rule"),
    [
        (checkpoint(1, "checkpoints/run"), "checkpoint-path"),
        (checkpoint(0), "checkpoint-size"),
        (checkpoint(75, every_minutes=1), "checkpoint-too-often"),
    ],
)
def test_a_checkpoint_that_saves_nothing_is_refused(kept: Checkpoint, rule: str) -> None:
    assert refusal(spot(kept)).rule == rule


@pytest.mark.parametrize(("gib", "grace"), [(1, 90), (70, 106), (83, 120)])
def test_the_grace_on_spot_holds_a_checkpoint_and_ends_within_the_notice(gib: float, grace: int) -> None:
    assert decide(spot(checkpoint(gib))).pod.grace_seconds == grace


def test_on_demand_the_grace_is_as_long_as_the_checkpoint_takes() -> None:
    design = decide(spot(checkpoint(600), purchase="on-demand"))
    assert design.pod.grace_seconds == 675
    assert decide(spot(None, purchase="on-demand")).pod.grace_seconds == 120


def test_a_checkpoint_on_a_mounted_path_keeps_a_spot_pool_to_one_zone() -> None:
    kept = checkpoint(1, "/mnt/fsx")
    refused = refusal(spot(kept, zones=("us-east-1a", "us-east-1b")))
    assert (refused.rule, refused.path, refused.value) == ("checkpoint-zonal", "checkpoint.path", "/mnt/fsx")
    assert refused.nearest == "a path in S3; or zones: [us-east-1a], where the volume is"
    assert decide(spot(kept, zones=("us-east-1b",))).zones == ("us-east-1b",)
    assert decide(spot(checkpoint(1), zones=("us-east-1a", "us-east-1b"))).zones == ("us-east-1a", "us-east-1b")


def test_on_demand_nodes_in_several_zones_are_warned_of_a_mounted_path() -> None:
    kept = checkpoint(1, "/mnt/fsx")
    zones = ("us-east-1a", "us-east-1b")
    (warning,) = decide(wish(*TYPES, use="training", efa=False, checkpoint=kept, zones=zones)).warnings
    assert warning.startswith("checkpoints go to /mnt/fsx, and the nodes are in us-east-1a, us-east-1b: ")


def test_in_a_protected_environment_every_spot_pool_states_its_checkpoint() -> None:
    pinned = ImageChoice(release="1.35.2-20260724")
    refused = refusal(spot(None, use="inference", protected=True, image=pinned))
    assert (refused.rule, refused.path) == ("spot-needs-checkpoint", "checkpoint")
    assert refused.reason.endswith("and in a protected environment nothing may be lost by that")
    assert decide(spot(checkpoint(1), use="inference", protected=True, image=pinned)).capacity_type == "SPOT"

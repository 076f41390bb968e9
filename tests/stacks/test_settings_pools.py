"""Wrong pools are answered with the path, the value, what is allowed and the fix or the nearest that can be had."""

from typing import Any

import pytest

from stacks import settings
from tests.stacks.test_settings import Change, R, refusal, region, shipped


def reserved(name: str, most: int, **other: Any) -> dict[str, Any]:
    """A pool in the one reservation of four g6e.4xlarge."""
    return {
        "name": name,
        "instance_types": ["g6e.4xlarge"],
        "purchase": "reservation",
        "reservation": {"id": "cr-0123456789abcdef0", "zone": "us-east-1a", "count": 4},
        "nodes": {"max": most},
        **other,
    }


WRONG: dict[str, tuple[Change, str]] = {
    "a spot pool with a ceiling of 0": (
        lambda s: region(s)["pools"][0].update(nodes={"min": 0, "max": 0}),
        f"{R}.pools.0.nodes.max: 0\n  allowed: at least 1\n"
        "  fix: set max to the pool's ceiling in nodes, 1 at least: a pool without one is never closed",
    ),
    "a floor above the ceiling": (
        lambda s: region(s)["pools"][0].update(nodes={"min": 5, "max": 2}),
        f"{R}.pools.0.nodes.min: 5\n  allowed: 0 to max (2)\n  fix: lower min or raise max",
    ),
    "two pools of one name": (
        lambda s: region(s)["pools"].append(region(s)["pools"][0]),
        f"{R}.pools.2.name: 'dev-l4'\n"
        "  allowed: a name that no other pool of the region has\n"
        "  fix: rename one of them",
    ),
    "training on spot without a checkpoint": (
        lambda s: region(s)["pools"][0].update(use="training"),
        f"{R}.pools.0.checkpoint: missing\n  allowed: a mapping with gib, path and every_minutes",
    ),
    "a way of buying that is not there": (
        lambda s: region(s)["pools"][0].update(purchase="cheap"),
        f"{R}.pools.0.purchase: 'cheap'\n  allowed: spot, on-demand, reservation or capacity-block\n",
    ),
    "a block without its reservation": (
        lambda s: region(s)["pools"][0].update(purchase="capacity-block"),
        f"{R}.pools.0.reservation: missing\n  allowed: a mapping where purchase is capacity-block\n"
        "  fix: add reservation: {id: cr-..., zone: ...}",
    ),
    "a reservation that nobody uses": (
        lambda s: region(s)["pools"][0].update(reservation={"id": "cr-0123456789abcdef0", "zone": "us-east-1a"}),
        f"{R}.pools.0.reservation: 'given'\n  allowed: none where purchase is spot\n",
    ),
    "a reservation in a zone that the network lacks": (
        lambda s: region(s)["pools"][0].update(
            purchase="reservation", reservation={"id": "cr-0123456789abcdef0", "zone": "us-east-1f"}
        ),
        f"{R}.pools.0.reservation.zone: ['us-east-1f']\n  allowed: us-east-1a, us-east-1b, us-east-1c\n",
    ),
    "a reservation that is there and made too": (
        lambda s: region(s)["pools"][0].update(
            purchase="reservation",
            reservation={"id": "cr-0123456789abcdef0", "zone": "us-east-1a", "create": True},
        ),
        f"{R}.pools.0.reservation: ['id', 'create']\n  allowed: exactly one of id, create, buy\n",
    ),
    "a block bought without saying what that means": (
        lambda s: region(s)["pools"][0].update(
            purchase="capacity-block",
            reservation={
                "zone": "us-east-1a",
                "buy": {"offering": "cb-0123456789abcdef0", "upfront_usd": 12000, "acknowledge": "yes"},
            },
        ),
        f"{R}.pools.0.reservation.buy.acknowledge: 'yes'\n  allowed: paid at once and never refunded\n",
    ),
    "a time without its zone": (
        lambda s: region(s)["pools"][0].update(
            purchase="capacity-block",
            reservation={"id": "cr-0123456789abcdef0", "zone": "us-east-1a", "ends": "2027-01-31T11:30:00"},
        ),
        f"{R}.pools.0.reservation.ends: '2027-01-31T11:30:00'\n",
    ),
    "a GPU shared in two ways": (
        lambda s: region(s)["pools"][0].update(sharing={"mig": "1g.10gb", "time_slicing": 4}),
        f"{R}.pools.0.sharing: missing\n  allowed: mig or time_slicing\n",
    ),
    "an unpinned image in a protected environment": (
        lambda s: s.update(protected=True),
        f"{R}.pools.0.image: 'al2023'\n",
    ),
    "EFA over several zones": (
        lambda s: region(s)["pools"][0].update(instance_types=["g6e.12xlarge"], efa=True),
        f"{R}.pools.0.zones: ['us-east-1a', 'us-east-1b', 'us-east-1c']\n  allowed: exactly one zone with EFA\n"
        "  fix: zones: [us-east-1a], or whichever offers the type; or efa: false (EFA traffic does not cross zones",
    ),
    "a floor that Karpenter cannot keep": (
        lambda s: region(s)["pools"][0].update(nodes={"min": 1, "max": 4}, scaler="karpenter"),
        f"{R}.pools.0.nodes.min: 1\n",
    ),
    "a type that is named twice": (
        lambda s: region(s)["pools"][0].update(instance_types=["g6.xlarge", "g6.2xlarge", "g6.xlarge"]),
        f"{R}.pools.0.instance_types.2: 'g6.xlarge'\n  allowed: each type once\n",
    ),
    "a release of another family's image": (
        lambda s: region(s)["pools"][0].update(image={"family": "bottlerocket", "release": "1.35.2-20260724"}),
        f"{R}.pools.0.image.release: '1.35.2-20260724'\n  allowed: Bottlerocket's version and build, 1.63.0-0f4c0b3c\n",
    ),
    "pools that share a reservation and want more than it has": (
        lambda s: region(s).update(pools=[reserved("one", 3), reserved("two", 2)]),
        f"{R}.pools.1.nodes.max: 2\n"
        "  allowed: 1 to 1: one may have 3 of the 4 in cr-0123456789abcdef0\n"
        "  fix: lower the ceilings of the pools that share the reservation",
    ),
    "a pool in a reservation that others use up": (
        lambda s: region(s).update(pools=[reserved("one", 4), reserved("two", 1)]),
        f"{R}.pools.1.nodes.max: 1\n  allowed: no further pool: one may have 4 of the 4 in cr-0123456789abcdef0\n",
    ),
    "pools that describe one reservation differently": (
        lambda s: region(s).update(pools=[reserved("one", 1), reserved("two", 1, instance_types=["g6.xlarge"])]),
        f"{R}.pools.1.reservation.id: 'cr-0123456789abcdef0'\n  allowed: one description of a reservation\n"
        "  fix: write the same as pool one",
    ),
    "a pool in a zone that the network lacks": (
        lambda s: region(s)["pools"][0].update(zones=["us-east-1f"]),
        f"{R}.pools.0.zones: ['us-east-1f']\n"
        "  allowed: us-east-1a, us-east-1b, us-east-1c\n"
        "  fix: keep to the network's zones",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_mistake_is_answered_with_path_value_allowed_and_fix(name: str):
    change, expected = WRONG[name]
    message = refusal(change)
    assert message.startswith(expected)
    assert message.count("allowed:") == 1


def test_pools_that_fit_into_one_reservation_together_are_accepted():
    given = shipped("dev")
    region(given)["pools"] = [reserved("one", 3), reserved("two", 1)]
    assert [pool.nodes.max for pool in settings.parse(given, "s").regions["us-east-1"].pools] == [3, 1]

"""Every type of the catalogue x every way of buying x EFA x both scalers, through the settings and the whole platform.

Each cell is refused by a message that teaches, or it is a pool of the stack: then nothing in it breaks a mandatory
rule, and Terraform's AWS provider, where it is at hand, takes every resource.
"""

import functools
import json
import subprocess
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from gpufleet.facts import instances
from gpufleet.plan import planning, project
from stacks.settings import SettingsError, parse

ROOT = Path(__file__).parents[2]
JUDGE = ROOT.parent / "shared/judges/aws-provider-validate"
PURCHASES = ("on-demand", "spot", "reservation", "capacity-block")
WINDOW = {"starts": "2027-03-01T11:30:00Z", "ends": "2027-03-15T11:30:00Z"}
REGIONS = {"node-group": "us-east-1", "karpenter": "us-west-2"}
"""One for each scaler: so many pools would not find addresses in one network."""


def settings(pools: list[dict[str, Any]]) -> dict[str, Any]:
    def region(name: str, second: int) -> dict[str, Any]:
        return {
            "network": {
                "cidr": f"10.{second}.0.0/16",
                "pod_cidr": "100.64.0.0/16",
                "zones": [f"{name}{letter}" for letter in "abcdef"],
                "egress": "nat-per-zone",
            },
            "cluster": {"admins": ["role/ml-platform-admin"]},
            "pools": [pool for pool in pools if REGIONS[pool["scaler"]] == name],
        }

    return {
        "account_id": "111122223333",
        "tags": {"owner": "ml-platform", "cost-center": "research", "expires": "2027-03-31"},
        "budget": {"monthly_usd": 10**8, "max_hourly_usd": 10**6, "alert_emails": ["gpu-costs@example.com"]},
        "regions": {"us-east-1": region("us-east-1", 96), "us-west-2": region("us-west-2", 97)},
    }


def wanted(purchase: str) -> list[dict[str, Any]]:
    pools: list[dict[str, Any]] = []
    for name, efa, scaler in product(instances.names(), (False, True), REGIONS):
        zone = f"{REGIONS[scaler]}{'abcdef'[len(pools) // 2 % 6]}"
        held = {"id": f"cr-{len(pools):08x}", "zone": zone, "count": 1}
        reservation = {"reservation": held, "capacity-block": {**held, **WINDOW}}.get(purchase)
        pools.append(
            {
                "name": f"pool-{len(pools)}",
                "instance_types": [name],
                "purchase": purchase,
                "efa": efa,
                "scaler": scaler,
                "zones": [zone],
                "nodes": {"min": 0, "max": 1},
                **({"reservation": reservation} if reservation else {}),
            }
        )
    return pools


@functools.cache
def accepted(purchase: str) -> tuple[list[dict[str, Any]], list[str]]:
    """The pools that the settings take, and what they say of the others."""
    pools: list[dict[str, Any]] = []
    refused: list[str] = []
    for pool in wanted(purchase):
        try:
            parse(settings([pool]), "settings")
        except SettingsError as error:
            refused.append(str(error))
        else:
            pools.append(pool)
    return pools, refused


@functools.cache
def planned(purchase: str, folder: Path) -> planning.Plan:
    file = folder / f"{purchase}.json"
    file.write_text(json.dumps(settings(accepted(purchase)[0])))
    return planning.plan(project.load(ROOT, settings_file=file), policy_pack=ROOT / "policies")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pools")


@pytest.mark.parametrize("purchase", PURCHASES)
def test_what_is_refused_is_told_with_what_is_allowed_and_the_way_out(purchase: str) -> None:
    pools, refused = accepted(purchase)
    assert pools
    assert len(pools) + len(refused) == 4 * len(instances.names())
    for message in refused:
        assert message.startswith(("settings.regions.us-east-1.pools.0.", "settings.regions.us-west-2.pools.0."))
        assert message.count("\n  allowed: ") == message.count("\n  fix: ") == 1


@pytest.mark.parametrize("purchase", PURCHASES)
def test_every_pool_that_can_be_had_is_made_and_breaks_no_mandatory_rule(purchase: str, folder: Path) -> None:
    plan = planned(purchase, folder)
    kinds = ("gpufleet:index:GpuPool", "gpufleet:index:KarpenterPool")
    made = [resource for resource in plan.update.resources if resource.type in kinds]
    assert len(made) == len(accepted(purchase)[0])
    assert [violation for violation in plan.violations if violation.mandatory] == []


@pytest.mark.parametrize("purchase", PURCHASES)
def test_terraforms_provider_takes_every_one_of_them(purchase: str, folder: Path) -> None:
    if not JUDGE.is_file():
        pytest.skip("no provider is at hand to ask")
    file = folder / f"{purchase}-plan.json"
    file.write_text(json.dumps(planned(purchase, folder).as_document()))
    asked = subprocess.run([JUDGE, file], capture_output=True, text=True, check=False)
    if asked.returncode == 3:
        pytest.skip("the provider is not here")
    assert asked.stdout.splitlines()[-1].endswith("0 problems, 0 not asked"), asked.stdout

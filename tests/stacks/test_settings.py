"""Wrong settings are answered with the path, the value, what is allowed and the fix."""

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from stacks import settings
from stacks.settings.mistakes import SettingsError

STACKS = Path(__file__).parents[2] / "stacks"
Change = Callable[[Any], object]


def shipped(stack: str) -> Any:
    return yaml.safe_load((STACKS / f"Pulumi.{stack}.yaml").read_text())["config"]["gpufleet:settings"]


def region(given: Any) -> Any:
    return given["regions"]["us-east-1"]


def refusal(change: Change) -> str:
    given = copy.deepcopy(shipped("dev"))
    change(given)
    with pytest.raises(SettingsError) as refused:
        settings.parse(given, "gpufleet:settings")
    return str(refused.value)


R = "gpufleet:settings.regions.us-east-1"
ARABIC = "\u0661" * 12

WRONG: dict[str, tuple[Change, str]] = {
    "a wrong type": (
        lambda s: s["budget"].update(monthly_usd="lots"),
        "gpufleet:settings.budget.monthly_usd: 'lots'\n  allowed: a number\n"
        "  fix: set monthly_usd to USD a month at which the alerts are aimed",
    ),
    "an unknown instance type": (
        lambda s: region(s)["pools"][0].update(instance_types=["g6.3xlarge"]),
        f"{R}.pools.0.instance_types.0: 'g6.3xlarge'\n  allowed: EC2 instance types of the catalogue\n"
        "  fix: did you mean g6.xlarge, g6f.xlarge, g6e.xlarge, g6.8xlarge?",
    ),
    "a type without NVIDIA GPUs": (
        lambda s: region(s)["pools"][0].update(instance_types=["g6.xlarge", "m7i.large"]),
        f"{R}.pools.0.instance_types: 'm7i.large'\n  allowed: types with NVIDIA GPUs, Trainium",
    ),
    "a budget below one node-hour": (
        lambda s: s["budget"].update(max_hourly_usd=0.5),
        "gpufleet:settings.budget.max_hourly_usd: 0.5\n"
        "  allowed: at least 0.9776 USD, one hour of one g6.2xlarge node of pool dev-l4\n"
        "  fix: raise max_hourly_usd, or give the pool a smaller type",
    ),
    "a missing part": (
        lambda s: s.pop("budget"),
        "gpufleet:settings.budget: missing\n"
        "  allowed: What the environment may cost: monthly_usd, max_hourly_usd, alert_emails\n  fix: add budget",
    ),
    "a missing tag": (
        lambda s: s["tags"].pop("owner"),
        "gpufleet:settings.tags.owner: missing\n"
        "  allowed: non-empty tags owner, cost-center, expires\n"
        "  fix: add owner",
    ),
    "two workspaces of one name": (
        lambda s: s["workspaces"].append({"name": "vision"}),
        "gpufleet:settings.workspaces.1.name: 'vision'\n"
        "  allowed: a name that no other workspace of the environment has\n",
    ),
    "a person who is no principal": (
        lambda s: s["workspaces"][0].update(developers=["alice"]),
        "gpufleet:settings.workspaces.0.developers.0: 'alice'\n  allowed: role/NAME, user/NAME or an IAM ARN\n",
    ),
    "an account in digits that AWS does not write": (
        lambda s: s.update(account_id=ARABIC),
        f"gpufleet:settings.account_id: {ARABIC!r}\n  allowed: The AWS account, twelve digits, quoted\n",
    ),
    "a tag that AWS refuses": (
        lambda s: s["tags"].update(team="a<b>"),
        "gpufleet:settings.tags.team: 'a<b>'\n"
        "  allowed: 1 to 128 letters, digits, spaces and _.:/=+-@, not beginning with aws:\n",
    ),
    "a tag that is too long": (
        lambda s: s["tags"].update(team="a" * 129),
        "gpufleet:settings.tags.team: 'aaa",
    ),
    "one tag in upper and lower case, which IAM takes for twice the same": (
        lambda s: s["tags"].update(Owner="somebody"),
        "gpufleet:settings.tags.Owner: 'somebody'\n  allowed: one tag in place of owner too\n",
    ),
    "a tag that the stack sets itself": (
        lambda s: s["tags"].update({"gpufleet-stack": "another"}),
        "gpufleet:settings.tags.gpufleet-stack: 'another'\n  allowed: a tag that the stack does not set itself\n",
    ),
    "a tag that Karpenter sets itself": (
        lambda s: s["tags"].update({"karpenter.sh/nodepool": "mine"}),
        "gpufleet:settings.tags.karpenter.sh/nodepool: 'mine'\n  allowed: tags that begin with none of ",
    ),
    "more tags than EC2 takes": (
        lambda s: s["tags"].update({f"tag-{number}": "x" for number in range(40)}),
        "gpufleet:settings.tags: '43 tags'\n  allowed: at most 40\n",
    ),
    "regions of two partitions": (
        lambda s: s["regions"].update(
            {"cn-north-1": {"network": {"cidr": "10.9.0.0/16", "zones": ["cn-north-1a", "cn-north-1b"]}}}
        ),
        "gpufleet:settings.regions.cn-north-1: 'cn-north-1'\n"
        "  allowed: regions of aws, as us-east-1 is: an account is in one partition\n",
    ),
    "a boundary that is no policy": (
        lambda s: s.update(permissions_boundary_arn="arn:foo"),
        "gpufleet:settings.permissions_boundary_arn: 'arn:foo'\n"
        "  allowed: ARN of the IAM policy that bounds every role made\n",
    ),
    "a team in a namespace of the cluster's own": (
        lambda s: s["workspaces"][0].update(name="kube-system"),
        "gpufleet:settings.workspaces.0.name: 'kube-system'\n  allowed: a namespace of the team's own, none of default",
    ),
    "a budget without an end": (
        lambda s: s["budget"].update(monthly_usd=float("inf")),
        "gpufleet:settings.budget.monthly_usd: inf\n  allowed: a number, neither infinite nor none\n",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_mistake_is_answered_with_path_value_allowed_and_fix(name: str):
    change, expected = WRONG[name]
    message = refusal(change)
    assert message.startswith(expected)
    assert message.count("allowed:") == 1


def test_every_mistake_is_told_at_once():
    def several(given: Any) -> None:
        given.pop("account_id")
        given["colour"] = "red"

    assert refusal(several) == (
        "2 mistakes in the settings\n"
        "gpufleet:settings.account_id: missing\n"
        "  allowed: The AWS account, twelve digits, quoted\n"
        "  fix: add account_id\n"
        "gpufleet:settings.colour: no such setting\n"
        "  allowed: account_id, tags, budget, regions, account, protected, workspaces, waivers, "
        "permissions_boundary_arn\n  fix: remove it"
    )


@pytest.mark.parametrize(
    ("name", "zone_id"),
    [
        ("us-east-1", "use1-az4"),
        ("ap-southeast-4", "apse4-az2"),
        ("ap-northeast-1", "apne1-az1"),
        ("eu-central-2", "euc2-az3"),
        ("us-gov-west-1", "usgw1-az1"),
        ("me-south-1", "mes1-az1"),
    ],
)
def test_a_zones_id_begins_with_its_region_in_short(name: str, zone_id: str):
    given = shipped("dev")
    given["workspaces"] = []
    given["regions"] = {
        name: {
            "network": {"cidr": "10.9.0.0/16", "zones": [f"{name}a", f"{name}b"]},
            "cluster": {"admins": ["role/a"]},
            "storage": {"express": {"zone": f"{name}a", "zone_id": zone_id}},
        }
    }
    assert settings.parse(given, "s").regions[name].storage.express is not None


@pytest.mark.parametrize("stack", ["dev", "staging", "prod"])
def test_the_shipped_settings_are_accepted(stack: str):
    assert settings.parse(shipped(stack), stack).account_id == shipped(stack)["account_id"]


def test_settings_cannot_be_changed_once_read():
    parsed = settings.parse(shipped("dev"), "dev")
    with pytest.raises(ValueError, match="frozen"):
        parsed.budget.monthly_usd = 1  # pyright: ignore[reportAttributeAccessIssue] -- that it is refused is the point

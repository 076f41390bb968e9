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
    "a mistyped key": (
        lambda s: region(s)["network"].update(cidrr="10.0.0.0/16"),
        f"{R}.network.cidrr: no such setting\n"
        "  allowed: cidr, zones, egress, endpoints, pod_cidr, s3_readable_buckets, flow_log_days\n"
        "  fix: rename it to cidr",
    ),
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
        f"{R}.pools.0.instance_types.1: 'm7i.large'\n  allowed: types with NVIDIA GPUs for which EKS has an image\n"
        "  fix: choose another type (no accelerator; no EKS NVIDIA image)",
    ),
    "a CIDR that is too small": (
        lambda s: region(s)["network"].update(cidr="10.0.0.0/24"),
        f"{R}.network.cidr: '10.0.0.0/24'\n  allowed: a private IPv4 block of /16 to /20, such as 10.20.0.0/16\n",
    ),
    "a public API without CIDRs": (
        lambda s: region(s)["cluster"].update(api={"public_cidrs": []}),
        f"{R}.cluster.api.public_cidrs: []\n  allowed: at least 1 of them\n"
        "  fix: set public_cidrs to the networks that may call the public API endpoint",
    ),
    "a public API by its name alone": (
        lambda s: region(s)["cluster"].update(api="public"),
        f"{R}.cluster.api: 'public'\n  allowed: private, or a mapping with public_cidrs\n",
    ),
    "an API open to the world": (
        lambda s: region(s)["cluster"].update(api={"public_cidrs": ["0.0.0.0/0"]}),
        f"{R}.cluster.api.public_cidrs.0: '0.0.0.0/0'\n"
        "  allowed: a public IPv4 CIDR of /8 or narrower, such as 203.0.113.0/24\n",
    ),
    "zones of another region": (
        lambda s: region(s)["network"].update(zones=["us-east-1a", "us-west-2a"]),
        f"{R}.network.zones.1: 'us-west-2a'\n"
        "  allowed: zones of us-east-1, such as us-east-1a\n"
        "  fix: name a zone of this region",
    ),
    "a number of zones in place of their names": (
        lambda s: region(s)["network"].update(zones=3),
        f"{R}.network.zones: 3\n  allowed: a list\n  fix: set zones to availability zones by name, at least two",
    ),
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
    "an unsupported Kubernetes version": (
        lambda s: region(s)["cluster"].update(kubernetes="1.29"),
        f"{R}.cluster.kubernetes: '1.29'\n  allowed: 1.34, 1.35, 1.36\n  fix: write kubernetes: \"1.35\"",
    ),
    "a version that YAML read as a number": (
        lambda s: region(s)["cluster"].update(kubernetes=1.35),
        f"{R}.cluster.kubernetes: 1.35\n  allowed: text (quote it in YAML)\n",
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
    "a closed network without the endpoints that nodes need": (
        lambda s: region(s)["network"].update(egress="none", endpoints=["ecr.dkr"]),
        f"{R}.network.endpoints: ['ecr.dkr']\n"
        "  allowed: with egress none at least ec2, ecr.api, ecr.dkr, eks, eks-auth, logs, sts\n"
        "  fix: add ec2, ecr.api, eks, eks-auth, logs, sts, or write endpoints: auto",
    ),
    "training on spot without a checkpoint": (
        lambda s: region(s)["pools"][0].update(use="training"),
        f"{R}.pools.0.checkpoint: missing\n"
        "  allowed: a mapping with gib, path and every_minutes where use: training meets purchase: spot\n",
    ),
    "a way of buying that is not there": (
        lambda s: region(s)["pools"][0].update(purchase="capacity-block"),
        f"{R}.pools.0.purchase: 'capacity-block'\n  allowed: spot or on-demand\n  fix: choose one of them",
    ),
    "a bucket for another purpose": (
        lambda s: region(s)["storage"]["buckets"].update(dataset={}),
        f"{R}.storage.buckets.dataset: 'dataset'\n"
        "  allowed: datasets, checkpoints, artifacts or scratch\n"
        "  fix: did you mean datasets?",
    ),
    "an endpoint of a service that has none": (
        lambda s: region(s)["network"].update(endpoints=["ecr.apii"]),
        f"{R}.network.endpoints: 'ecr.apii'\n"
        "  allowed: short names of AWS services with a VPC endpoint\n"
        "  fix: did you mean",
    ),
    "more nodes than the subnets have addresses for": (
        lambda s: (
            region(s)["network"].update(cidr="10.20.0.0/20"),
            region(s)["pools"][0]["nodes"].update(max=40),
            s["budget"].update(max_hourly_usd=500),
        ),
        f"{R}.network.cidr: '10.20.0.0/20'\n  allowed: a block in which every subnet holds what may come to it\n"
        "  fix: the private subnet of us-east-1a, 10.20.0.0/24, has 251 addresses and needs ",
    ),
    "pods in a block that is not for them": (
        lambda s: region(s)["network"].update(pod_cidr="10.99.0.0/16"),
        f"{R}.network.pod_cidr: '10.99.0.0/16'\n  allowed: a block of /16 to /18 inside 100.64.0.0/10\n",
    ),
    "a cache of a bucket that is not there": (
        lambda s: region(s)["storage"].update(lustre={"size_gib": 1200, "zone": "us-east-1a", "from": "artifacts"}),
        f"{R}.storage.lustre.from: 'artifacts'\n  allowed: a bucket of the region: datasets, checkpoints, scratch\n",
    ),
    "a cache of a size that is not sold": (
        lambda s: region(s)["storage"].update(lustre={"size_gib": 1300, "zone": "us-east-1a", "from": "datasets"}),
        f"{R}.storage.lustre.size_gib: 1300\n  allowed: what FSx sells\n",
    ),
    "training in another zone than its data": (
        lambda s: (
            region(s)["storage"].update(lustre={"size_gib": 1200, "zone": "us-east-1a", "from": "datasets"}),
            region(s)["pools"][0].update(use="training", purchase="on-demand", zones=["us-east-1b"]),
        ),
        f"{R}.pools.0.zones: ['us-east-1b']\n  allowed: the zone of the data that training reads: us-east-1a\n",
    ),
    "a copy in a region that the environment lacks": (
        lambda s: region(s)["storage"]["buckets"]["datasets"].update(replicate_to="eu-west-1"),
        f"{R}.storage.buckets.datasets.replicate_to: ['eu-west-1']\n"
        "  allowed: none: no other region of the environment has such a bucket\n",
    ),
    "a registry that ECR does not fetch from": (
        lambda s: region(s).update(image_cache={"registries": ["nvcr.io"]}),
        f"{R}.image_cache.registries: ['nvcr.io']\n"
        "  allowed: registries that ECR fetches from\n"
        "  fix: 'nvcr.io' is not one",
    ),
    "a registry that asks who pulls": (
        lambda s: region(s).update(image_cache={"registries": ["docker.io"]}),
        f"{R}.image_cache.credentials: {{}}\n  allowed: the ARN of a secret for each of docker.io\n",
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
    "an API open to addresses that no caller from outside has": (
        lambda s: region(s)["cluster"].update(api={"public_cidrs": ["10.0.0.0/8"]}),
        f"{R}.cluster.api.public_cidrs.0: '10.0.0.0/8'\n  allowed: a public IPv4 CIDR of /8 or narrower",
    ),
    "an account in digits that AWS does not write": (
        lambda s: s.update(account_id=ARABIC),
        f"gpufleet:settings.account_id: {ARABIC!r}\n  allowed: The AWS account, twelve digits, quoted\n",
    ),
    "a tag that AWS refuses": (
        lambda s: s["tags"].update(team="a<b>"),
        "gpufleet:settings.tags.team: 'a<b>'\n"
        "  allowed: letters, digits, spaces and _.:/=+-@, not beginning with aws:\n",
    ),
    "a cluster that nobody may enter": (
        lambda s: (region(s)["cluster"].update(admins=[]), s.update(workspaces=[])),
        f"{R}.cluster.admins: []\n  allowed: somebody who may enter the cluster\n",
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
        "  allowed: account_id, tags, budget, regions, account, workspaces, permissions_boundary_arn\n  fix: remove it"
    )


@pytest.mark.parametrize("stack", ["dev", "staging", "prod"])
def test_the_shipped_settings_are_accepted(stack: str):
    assert settings.parse(shipped(stack), stack).account_id == shipped(stack)["account_id"]


def test_settings_cannot_be_changed_once_read():
    parsed = settings.parse(shipped("dev"), "dev")
    with pytest.raises(ValueError, match="frozen"):
        parsed.budget.monthly_usd = 1  # pyright: ignore[reportAttributeAccessIssue] -- that it is refused is the point

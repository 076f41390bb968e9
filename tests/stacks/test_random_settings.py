"""Any settings at all: refused by mistakes that teach, or planned alike twice, without a violation that forbids.

Rules about the budget are left out: whether a sum of money that nobody thought about fits is what they are for.
"""

import functools
import json
import re
import subprocess
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from gpufleet.plan import planning, project
from gpufleet.plan.planning import Plan
from gpufleet.plan.violations import Violation
from stacks.settings import SettingsError, parse

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
JUDGE = ROOT.parent / "shared/judges/aws-provider-validate"
EXAMPLES = 25
SLOW_TO_DRAW = (HealthCheck.too_slow, HealthCheck.data_too_large)
OF_THE_BUDGET = {"budgets-cover-the-pools", "spend-hourly-ceiling", "spend-monthly-floor"}
TYPES = {
    "small": ["g6.xlarge", "g6.2xlarge", "g5.xlarge", "g5.2xlarge", "g4dn.xlarge", "g6e.4xlarge"],
    "several": ["g6.12xlarge", "g6e.12xlarge", "g5.12xlarge", "g6e.24xlarge", "g7e.12xlarge"],
    "large": ["p5.48xlarge", "p4d.24xlarge", "p5en.48xlarge", "p6-b200.48xlarge", "p4de.24xlarge"],
    "odd": [
        "g5g.xlarge",
        "g6f.large",
        "trn1.32xlarge",
        "inf2.xlarge",
        "g4ad.xlarge",
        "p6e-gb200.36xlarge",
        "m7i.large",
    ],
}
REGIONS = {"us-east-1": "abc", "eu-central-1": "ab", "us-gov-west-1": "abc", "cn-northwest-1": "ab"}
EVERYTHING_THERE = ("us-east-1", "eu-central-1")
TOGETHER = [
    ["us-east-1"],
    ["eu-central-1"],
    ["us-gov-west-1"],
    ["cn-northwest-1"],
    ["us-east-1", "eu-central-1"],
]
MISTAKE = re.compile(
    r"settings(?:\.regions\.(?P<region>[\w-]+)\.pools\.(?P<pool>\d+))?(?:\.[^\n]+?)?: [^\n]+"
    r"\n  allowed: [^\n]+\n  fix: [^\n]+"
)
NAME = st.from_regex(r"[a-z][a-z0-9-]{0,29}[a-z0-9]", fullmatch=True) | st.just("a" + "-" * 29 + "z")


@st.composite
def optional(draw: st.DrawFn, **fields: st.SearchStrategy[Any]) -> dict[str, Any]:
    """Some of the fields, most of them left out: of settings that say everything hardly any can be had."""
    said = draw(st.sets(st.sampled_from(sorted(fields)), max_size=3))
    return {name: draw(fields[name]) for name in sorted(said)}


def reservations(zones: list[str], purchase: str) -> st.SearchStrategy[dict[str, Any]]:
    held = {
        "id": st.integers(0, 9).map(lambda number: f"cr-{number:017x}"),
        "zone": st.sampled_from(zones),
        "count": st.integers(2, 8),
    }
    times = {"starts": st.just("2027-01-10T11:30:00Z"), "ends": st.just("2027-01-24T11:30:00+05:30")}
    made = {"create": st.just(True), "zone": st.sampled_from(zones), "count": st.integers(1, 2), "ends": times["ends"]}
    there = st.fixed_dictionaries(held, optional=times)
    return there | st.fixed_dictionaries(made) if purchase == "reservation" else there


def images() -> st.SearchStrategy[Any]:
    own = {"id": st.just("ami-0123456789abcdef0"), "architecture": st.sampled_from(["x86_64", "arm64"])}
    return st.sampled_from(
        [
            "al2023",
            "bottlerocket",
            {"release": "1.35.2-20260724"},
            {"family": "bottlerocket", "release": "1.63.0-0f4c0b3c"},
        ]
    ) | st.fixed_dictionaries({"id": own["id"]}, optional={"architecture": own["architecture"]})


@st.composite
def pools(draw: st.DrawFn, zones: list[str], number: int) -> dict[str, Any]:
    use = draw(st.sampled_from(["interactive", "training", "inference"]))
    size = draw(st.sampled_from(["small", "several", "large", "odd"]))
    # Of all the types only large ones are sold in blocks.
    ways = ["on-demand", "spot", "reservation", *(["capacity-block"] if size == "large" else [])]
    purchase = draw(st.sampled_from(ways))
    held = purchase in ("reservation", "capacity-block")
    types = st.lists(st.sampled_from(TYPES[size]), min_size=1, max_size=1 if held else 3, unique=True)
    pool: dict[str, Any] = {
        "name": f"{draw(NAME)[:29]}{number}",
        "instance_types": draw(types),
        "purchase": purchase,
        "use": use,
        # What else keeps GPUs at hand has to answer for it.
        "nodes": {"min": draw(st.integers(0, 2)) if use == "inference" else 0, "max": draw(st.integers(2, 4))},
        **draw(
            optional(
                zones=st.lists(st.sampled_from(zones), min_size=1, max_size=2, unique=True),
                efa=st.sampled_from([True, False, "auto"]),
                scaler=st.sampled_from(["auto", "karpenter", "node-group"]),
                image=images(),
                dedicated=st.booleans(),
                volume_gib=st.sampled_from([200, 16384]),
                longest_job_hours=st.sampled_from([0.5, 72, 720]),
                repair=st.sampled_from(["eks", "lenient"]),
                updates=st.sampled_from(["surge", "minimal"]),
            )
        ),
    }
    if held:
        pool["reservation"] = draw(reservations(zones, purchase))
    if purchase == "spot" and use == "training":
        path = draw(st.sampled_from(["s3://checkpoints/run", "/mnt/fsx"]))
        pool["checkpoint"] = {"gib": draw(st.sampled_from([1, 20])), "path": path, "every_minutes": 20}
    if draw(st.integers(0, 5)) == 0:
        pool["sharing"] = {"mig": "1g.10gb"} if size == "large" else {"time_slicing": 2}
    return pool


@st.composite
def regions(draw: st.DrawFn, name: str, number: int) -> dict[str, Any]:
    zones = [f"{name}{letter}" for letter in REGIONS[name]]
    purposes = ["datasets", "checkpoints", "artifacts", "scratch"]
    buckets = draw(st.dictionaries(st.sampled_from(purposes), optional(keep_days=st.just(7))))
    storage: dict[str, Any] = {
        "buckets": buckets,
        **draw(optional(mountpoint=st.booleans(), access_logs=st.booleans())),
    }
    if "datasets" in buckets and draw(st.booleans()):
        size = draw(st.sampled_from([{"size_gib": 1200}, {"size_gib": 9600, "throughput": 500, "efa": True}]))
        storage["lustre"] = {"zone": zones[0], "from": "datasets", **size}
    cache = {"registries": ["public.ecr.aws", "quay.io"]}
    return {
        "network": {
            "cidr": f"10.{number}.0.0/16",
            "zones": zones,
            "egress": draw(st.sampled_from(["nat-per-zone", "single-nat", "none"])),
            **draw(optional(pod_cidr=st.just("100.64.0.0/16"), flow_log_days=st.sampled_from([90, 365]))),
        },
        "cluster": {
            "admins": ["role/platform"],
            **draw(
                optional(
                    api=st.sampled_from(["private", {"public_cidrs": ["203.0.113.0/24"]}]),
                    kubernetes=st.sampled_from(["1.34", "1.35"]),
                    deletion_protected=st.booleans(),
                    system=st.just({"instance_types": ["m7g.xlarge"], "nodes": {"min": 2, "max": 3}}),
                )
            ),
        },
        "pools": [draw(pools(zones, index)) for index in range(draw(st.integers(1, 6)))],
        "storage": storage,
        **draw(optional(registry=st.just({"repositories": ["trainer", "nvidia/dcgm"]}))),
        **({"image_cache": cache} if name in EVERYTHING_THERE and draw(st.booleans()) else {}),
    }


def _name(workspace: Mapping[str, Any]) -> str:
    return workspace["name"]


@st.composite
def environments(draw: st.DrawFn) -> dict[str, Any]:
    names = draw(st.sampled_from(TOGETHER))
    member = st.fixed_dictionaries(
        {"name": NAME, "developers": st.just(["role/team"])},
        optional={"data": st.just({"keep_days": 90}), "viewers": st.just(["user/auditor"])},
    )
    return {
        "account_id": "111122223333",
        "tags": {"owner": "ml-platform", "cost-center": "research", "expires": "2099-12-31"},
        "budget": {"monthly_usd": 50_000, "max_hourly_usd": 1000, "alert_emails": ["gpu-costs@example.com"]},
        "regions": {name: draw(regions(name, 10 + number)) for number, name in enumerate(names)},
        "workspaces": draw(st.lists(member, max_size=2, unique_by=_name)),
        **draw(
            optional(
                account=st.just({"guard_rails": True, "service_linked_roles": "create"}),
                protected=st.booleans(),
            )
        ),
    }


def plan(environment: Mapping[str, Any], stack: str) -> Plan:
    """The plan of an environment that the settings accept, with all that must hold of it held."""
    loaded = project.load(ROOT, settings_file=HERE / "pools.yaml")
    given = replace(loaded, stack=stack, source=stack, config={"gpufleet:settings": json.dumps(environment)})
    planned = planning.plan(given, policy_pack=ROOT / "policies")
    assert list(planning.differences(planned.preview, planned.update)) == []
    assert [violation for violation in planned.violations if counts(violation)] == [], json.dumps(environment)
    return planned


def counts(violation: Violation) -> bool:
    """Whether the environment must not have it."""
    return violation.mandatory and violation.rule not in OF_THE_BUDGET


def acceptable(environment: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The environment without the pools that are refused, every one of them with the way out; None if more is wrong."""
    left = json.loads(json.dumps(environment))
    while (refusal := refused(left)) is not None:
        mistakes = [MISTAKE.fullmatch(text) for text in re.split(r"\n(?=settings\.)", refusal)]
        found = [mistake for mistake in mistakes if mistake is not None]
        assert len(found) == len(mistakes) - (len(mistakes) > 1) >= 1, refusal
        of_pools = {(mistake["region"], int(mistake["pool"])) for mistake in found if mistake["pool"] is not None}
        if not of_pools:
            return None
        for region, index in sorted(of_pools, reverse=True):
            del left["regions"][region]["pools"][index]
    return left


def refused(environment: Mapping[str, Any]) -> str | None:
    """What the settings say against the environment."""
    try:
        parse(environment, "settings")
    except SettingsError as error:
        return str(error)
    return None


@functools.cache
def accepted() -> Mapping[str, Plan]:
    """The plans of the environments that were not refused, by stack."""
    plans: dict[str, Plan] = {}

    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        deadline=None,
        database=None,
        suppress_health_check=SLOW_TO_DRAW,
        phases=[Phase.generate],  # to shrink one takes minutes, and the environment that fails is printed whole
    )
    @given(environments())
    def every(environment: Mapping[str, Any]) -> None:
        if (asked := acceptable(environment)) is not None:
            stack = f"random-{len(plans)}"
            plans[stack] = plan(asked, stack)

    every()
    return plans


def test_whatever_is_asked_is_refused_with_the_way_out_or_planned_alike_twice_and_within_the_rules():
    assert len(accepted()) >= EXAMPLES // 2


def test_terraforms_provider_takes_whatever_the_settings_accept(tmp_path: Path):
    if not JUDGE.is_file():
        pytest.skip("no provider is at hand to ask")
    resources = [
        {**resource, "name": f"{stack}-{resource['name']}", "inputs": of_older_provider(resource["inputs"])}
        for stack, planned in accepted().items()
        for resource in planned.as_document()["resources"]
    ]
    (tmp_path / "plan.json").write_text(json.dumps({"resources": resources}))
    asked = subprocess.run([JUDGE, tmp_path / "plan.json"], capture_output=True, text=True, check=False)
    if asked.returncode == 3:
        pytest.skip(f"the provider is not here: {asked.stdout.strip()}")
    assert re.fullmatch(r"\d+ AWS resources asked, 0 problems, 0 not asked\n", asked.stdout), asked.stdout


def of_older_provider(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """The inputs without what a node group takes since version 6 of the provider; the one that is asked is older."""
    given = dict(inputs)
    for block, newer in (("nodeRepairConfig", "nodeRepairConfigOverrides"), ("updateConfig", "updateStrategy")):
        if block in given:
            given[block] = {key: value for key, value in given[block].items() if key != newer}
    return given

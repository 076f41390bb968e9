"""The whole bill: regions, components, what is free and what is listed, sums and speed."""

import importlib.util
import re
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpufleet.pricing import price, rules
from tests.gpufleet.pricing.plans import (
    CLUSTER,
    KEY,
    NAT,
    PROVIDER,
    STACK,
    TEMPLATE,
    TODAY,
    bill,
    component,
    pool,
    provider,
    reasons,
    resource,
    template,
    urn,
)
from tests.harness import calls


def test_the_document_has_the_shape_of_the_contract() -> None:
    cluster = resource(CLUSTER, "main", {"version": "1.35"}, parent=urn("gpufleet:index:Thing", "fleet"))
    bucket = resource("aws:s3/bucket:Bucket", "data")
    assert bill(component("fleet"), cluster, bucket).as_document() == {
        "currency": "USD",
        "hourly_minimum": 0.1,
        "hourly_maximum": 0.1,
        "monthly_minimum": 73.0,
        "monthly_maximum": 73.0,
        "lines": [
            {
                "urn": urn(CLUSTER, "main"),
                "type": CLUSTER,
                "name": "main",
                "component": "fleet",
                "what": "EKS control plane",
                "quantity_minimum": 1,
                "quantity_maximum": 1,
                "unit_usd": 0.1,
                "unit": "hour",
                "hourly_minimum": 0.1,
                "hourly_maximum": 0.1,
                "monthly_minimum": 73.0,
                "monthly_maximum": 73.0,
                "purchase": "",
                "region": "us-east-1",
                "assumed": False,
                "note": "",
                "quantity_expected": 1,
                "hourly_expected": 0.1,
                "monthly_expected": 73.0,
                "pool": "",
                "workspace": "",
                "types": [],
                "price_date": "2026-11-30",
            }
        ],
        "prices_as_of": "2026-07-20",
        "unpriced": [
            {
                "urn": urn("aws:s3/bucket:Bucket", "data"),
                "type": "aws:s3/bucket:Bucket",
                "name": "data",
                "reason": "by use: GB-months stored, requests and transfer",
            }
        ],
        "hourly_expected": 0.1,
        "monthly_expected": 73.0,
        "prices_from": "built-in",
    }


def test_an_empty_plan_costs_nothing() -> None:
    cost = price([], today=TODAY)
    assert (cost.hourly_maximum, cost.lines, cost.unpriced) == (0, (), ())


def test_sums_are_exact_where_floats_would_drift() -> None:
    keys = [resource(CLUSTER, f"c{number}", {"version": "1.35"}) for number in range(3)]
    assert bill(*keys).hourly_maximum == Decimal("0.3")


def test_lines_come_dearest_first() -> None:
    cost = bill(resource(KEY, "a"), resource(NAT, "b"), resource(CLUSTER, "c", {"version": "1.35"}))
    assert [line.name for line in cost.lines] == ["c", "b", "a"]


def test_the_region_is_the_resources_own_then_the_providers() -> None:
    own = resource(NAT, "own", {"region": "eu-west-1"})
    lines = price([provider("us-west-2"), own, resource(NAT, "other")], today=TODAY).lines
    assert {line.name: (line.region, line.assumed, line.note.rpartition("; ")[2]) for line in lines} == {
        "own": ("eu-west-1", True, "list price of us-east-1 stands in for eu-west-1"),
        "other": ("us-west-2", True, "list price of us-east-1 stands in for us-west-2"),
    }


def test_a_price_of_the_region_itself_is_not_assumed() -> None:
    assert not bill(resource(NAT, "a")).lines[0].assumed


@pytest.mark.parametrize("region", [None, "04da6b54-80e4-46f7-96ec-b56ff0331ba9", 7])
def test_an_unknown_region_is_assumed_to_be_us_east_1_and_said_so(region: object) -> None:
    line = price([provider(region), resource(NAT, "a")], today=TODAY).lines[0]
    assert (line.region, line.assumed) == ("us-east-1", True)
    assert line.note.endswith("region unknown: us-east-1 assumed")


def test_the_caller_may_know_the_region_better() -> None:
    line = price([provider(), resource(NAT, "a")], lambda found: "eu-north-1", today=TODAY).lines[0]
    assert (line.region, line.assumed) == ("eu-north-1", True)


def test_a_line_names_the_outermost_component_whatever_lies_between() -> None:
    outer, inner = component("outer"), component("inner", parent=urn("gpufleet:index:Thing", "outer"))
    network = resource("aws:ec2/vpc:Vpc", "vpc", parent=inner["urn"])
    deep, shallow = resource(NAT, "deep", parent=network["urn"]), resource(NAT, "shallow")
    # Whatever the order: the first look-up must not spoil what is remembered for the next.
    for plan in ([outer, inner, network, deep, shallow], [shallow, deep, network, inner, outer]):
        assert {line.name: line.component for line in bill(*plan).lines} == {"deep": "outer", "shallow": ""}


def test_the_stack_is_not_a_component() -> None:
    stack: dict[str, Any] = {
        "urn": STACK,
        "type": "pulumi:pulumi:Stack",
        "name": "shop-dev",
        "parent": "",
        "inputs": {},
        "id": None,
    }
    assert bill(stack, resource(NAT, "a")).lines[0].component == ""


def test_parents_that_go_round_in_a_circle_do_not_hang() -> None:
    one = component("one", parent=urn("gpufleet:index:Thing", "two"))
    two = component("two", parent=urn("gpufleet:index:Thing", "one"))
    assert bill(one, two, resource(NAT, "a", parent=one["urn"])).lines[0].component in ("one", "two")


@pytest.mark.parametrize(
    "type_",
    [
        "aws:ec2/securityGroup:SecurityGroup",
        "aws:iam/role:Role",
        "aws:ec2/routeTable:RouteTable",
        "aws:ec2/launchTemplate:LaunchTemplate",
        "aws:s3/bucketPolicy:BucketPolicy",
        "aws:budgets/budget:Budget",
        "random:index/randomId:RandomId",
        "kubernetes:apps/v1:Deployment",
        "kubernetes:helm.sh/v3:Release",
        "kubernetes:core/v1:Service",
        "aws:autoscaling/schedule:Schedule",
        "aws:ec2/placementGroup:PlacementGroup",
        "aws:iam/instanceProfile:InstanceProfile",
        "aws:ssm/parameter:Parameter",
    ],
)
def test_what_is_known_to_be_free_is_neither_priced_nor_listed(type_: str) -> None:
    cost = bill(resource(type_, "free"))
    assert (cost.lines, cost.unpriced) == ((), ())


@pytest.mark.parametrize(
    ("type_", "reason"),
    [
        ("aws:rds/instance:Instance", "no price rule for this type"),
        ("aws:iamidentity/thing:Thing", "no price rule for this type"),
        ("gcp:compute/instance:Instance", "no price rule for this type"),
        ("aws:cloudwatch/logGroup:LogGroup", "by use: GB ingested and GB-months kept"),
        ("kubernetes:networking.k8s.io/v1:Ingress", "its controller may create a load balancer; not in the plan"),
    ],
)
def test_what_is_neither_priced_nor_known_as_free_is_listed(type_: str, reason: str) -> None:
    assert reasons(bill(resource(type_, "x"))) == [reason]


def test_an_aws_resource_without_an_id_is_not_taken_for_a_component() -> None:
    database = {**resource("aws:rds/instance:Instance", "db"), "id": None}
    assert reasons(bill(database)) == ["no price rule for this type"]


def test_a_component_is_neither_priced_nor_listed_whether_marked_or_not() -> None:
    marked = {**component("marked"), "custom": False, "id": "an-id"}
    assert bill(marked, component("plain")).unpriced == ()


@pytest.mark.parametrize(
    "odd", [{}, {"type": 7, "inputs": 3}, {"type": NAT, "inputs": "?"}, {"urn": None, "type": NAT}]
)
def test_an_entry_of_an_odd_shape_never_crashes_and_is_never_dropped(odd: dict[str, Any]) -> None:
    cost = price([odd], today=TODAY)
    assert len(cost.lines) + len(cost.unpriced) == 1


def test_no_type_is_both_priced_and_known_as_free() -> None:
    assert [type_ for type_ in rules.RULES if rules.is_free(type_)] == []


def test_every_aws_type_that_a_rule_or_a_list_names_exists_in_the_sdk() -> None:
    origin = importlib.util.find_spec("pulumi_aws")
    assert origin is not None
    assert origin.origin is not None
    sdk = Path(origin.origin).parent
    for type_ in rules.known_types():
        package, module, _ = type_.split(":")
        if package == "aws":
            folder, _, resource_name = module.partition("/")
            snake = re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", resource_name).lower()
            source = sdk / {"lambda": "lambda_"}.get(folder, folder) / f"{snake}.py"
            assert f"'{type_}'" in source.read_text(encoding="utf-8"), type_


def test_ten_times_the_resources_make_about_ten_times_the_calls() -> None:
    # A walk to the root from each resource would make it a hundred times.
    work(levels=2)  # what is cached once
    assert work(levels=2000) < 12 * work(levels=200)


def work(levels: int) -> int:
    """The calls it takes to price a chain of components, each inside the one before, and in each a pool."""
    plan: list[dict[str, Any]] = [provider(), template()]
    parent = STACK
    for level in range(levels):
        inside = component(f"level{level}", parent=parent)
        parent = inside["urn"]
        plan += [inside, {**pool(f"pool{level}", ["g6.2xlarge"], 0, 4), "parent": parent}]
    cost = price(plan, today=TODAY)
    assert len(cost.lines) == 2 * levels
    assert {line.component for line in cost.lines} == {"level0"}
    return calls(lambda: price(plan, today=TODAY))


TYPES = ["g6.2xlarge", "p5.48xlarge", "p5e.48xlarge", "g6f.large", "nonsense"]
OTHERS = [resource(NAT, "n"), resource(KEY, "k"), resource(CLUSTER, "c"), resource("aws:x/y:Z", "z")]


@st.composite
def pools(draw: st.DrawFn) -> dict[str, Any]:
    types = draw(st.lists(st.sampled_from(TYPES), max_size=3))
    minimum, more = draw(st.integers(0, 5)), draw(st.integers(0, 5))
    purchase = draw(st.sampled_from(["SPOT", "ON_DEMAND", "CAPACITY_BLOCK", "LEASE"]))
    return pool("p", types, minimum, minimum + more, capacityType=purchase)


@st.composite
def templates(draw: st.DrawFn) -> dict[str, Any]:
    return template(gib=draw(st.integers(0, 1000)))


SOME = st.one_of(pools(), templates(), st.sampled_from(OTHERS))


def numbered(plan: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same resources, each with a URN of its own."""
    return [{**found, "urn": f"{found['urn']}{number}"} for number, found in enumerate(plan)]


@given(plan=st.lists(SOME, max_size=8), extra=SOME)
def test_adding_a_resource_never_lowers_the_ceiling_and_the_floor_is_never_above_it(
    plan: list[dict[str, Any]], extra: dict[str, Any]
) -> None:
    all_of_them = numbered([*plan, extra])
    before, after = bill(*all_of_them[:-1]), bill(*all_of_them)
    assert after.hourly_maximum >= before.hourly_maximum
    assert 0 <= after.hourly_minimum <= after.hourly_maximum
    assert after.monthly_minimum <= after.monthly_maximum
    assert PROVIDER not in [gap.urn for gap in after.unpriced]


@given(plan=st.lists(SOME, max_size=6), data=st.data())
def test_the_order_of_the_resources_does_not_matter(plan: list[dict[str, Any]], data: st.DataObject) -> None:
    # Without templates: these share their id, which real ones never do, so the first would win.
    unique = [found for found in numbered(plan) if found["type"] != TEMPLATE]
    shuffled = data.draw(st.permutations(unique))
    assert bill(*unique).as_document() == bill(*shuffled).as_document()

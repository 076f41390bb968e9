"""What is asked must be readable; and every refusal there is has a test that names it."""

import re
from pathlib import Path

import pytest

from components.compute.design import decide
from components.compute.design.request import PoolRequest
from tests.components.compute.design.requests import refusal, wish

TESTS = Path(__file__).parent
SOURCES = TESTS.parents[3] / "components/compute/design"


@pytest.mark.parametrize(
    ("request_", "rule", "path"),
    [
        (wish(), "no-types", "instance_types"),
        (wish("g6.xlage"), "unknown-type", "instance_types"),
        (wish("g6.xlarge", zones=()), "no-zones", "zones"),
        (wish("g6.xlarge", name="Train"), "pool-name", "name"),
        (wish("g6.xlarge", kubernetes_version="1.4"), "kubernetes-version", "kubernetes_version"),
        (wish("g6.xlarge", max_nodes=0), "pool-ceiling", "nodes.max"),
        (wish("g6.xlarge", min_nodes=3), "pool-floor", "nodes.min"),
        (wish("g6.xlarge", use="fun"), "unknown-value", "use"),
    ],
)
def test_what_cannot_be_read_is_refused_at_its_setting(request_: PoolRequest, rule: str, path: str) -> None:
    refused = refusal(request_)
    assert (refused.rule, refused.path) == (rule, path)


def test_a_refusal_says_path_value_reason_what_is_allowed_and_what_comes_nearest() -> None:
    assert str(refusal(wish("g6.xlage"))) == (
        "instance_types: 'g6.xlage': no such type in the catalogue; allowed: EC2 instance types of the catalogue; "
        "nearest: g6.xlarge, g6f.xlarge, g6e.xlarge, g6.8xlarge"
    )


def test_every_refusal_is_named_in_a_test() -> None:
    raised = {
        rule
        for source in SOURCES.glob("*.py")
        for rule in re.findall(r'(?:Refused\(|for rule, what, kinds in \()\s+\(?"([a-z-]+)"', source.read_text())
    }
    tested = "\n".join(test.read_text() for test in TESTS.glob("test_*.py"))
    assert len(raised) > 40
    assert sorted(rule for rule in raised if f'"{rule}"' not in tested) == []


def test_decisions_come_in_one_order_whatever_is_asked() -> None:
    plain = [decision.about for decision in decide(wish("g6.xlarge")).decisions]
    fast = [decision.about for decision in decide(wish("p5.48xlarge", use="training", min_nodes=1)).decisions]
    assert [about for about in fast if about in plain] == [about for about in plain if about in fast]
    assert plain[:3] == ["instance types", "purchase", "tenancy"]


def test_a_type_that_the_region_did_not_offer_is_told_and_left_to_preflight() -> None:
    (warning,) = decide(wish("p6-b200.48xlarge", region="eu-west-1")).warnings
    assert warning.startswith("p6-b200.48xlarge was not offered in eu-west-1 when the catalogue was made, but in ")
    assert warning.endswith("; gpufleet preflight asks AWS")

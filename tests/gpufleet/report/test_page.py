"""The page as a whole: complete, safe, loading nothing, the same twice."""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from html.parser import HTMLParser

import pulumi
import pulumi_aws as aws

from gpufleet.plan.police import Violation
from gpufleet.plan.waivers import Waiver
from gpufleet.report import page
from tests.gpufleet.report.world import NASTY, TODAY, Box, network, plan_of, policy

SECTIONS = ["architecture", "policies", "money", "permissions", "network", "checklist", "resources"]
BROKEN = Violation("no-open-door", "urn:pulumi:s::p::t::door", "is <open>", "mandatory", "high", "close it")
VOID = {"meta", "link", "input", "br", "rect", "path"}


class Outline(HTMLParser):
    """What a page is made of: elements with their attributes, texts of headings."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]


def rendered(build: Callable[[], object], *violations: Violation) -> str:
    return page.render(plan_of(build, violations), today=TODAY)


def test_every_section_is_there_whatever_the_plan_holds():
    for build in (network, lambda: None):
        outline = Outline(rendered(build))
        assert [attributes["id"] for attributes in outline.all("section")] == SECTIONS
        assert [link["href"] for link in outline.all("a")] == ["#main", *(f"#{name}" for name in SECTIONS)]
        assert outline.open == []


def test_the_page_loads_nothing():
    html = rendered(network)
    outline = Outline(html)
    assert not [a for _, a in outline.elements if "src" in a or "srcset" in a or "data" in a]
    assert {link["href"] for link in outline.all("link")} == {"data:,"}
    assert "@import" not in html
    assert "url(" not in html
    assert "default-src 'none'" in html


def test_the_same_plan_on_the_same_day_gives_the_same_bytes():
    plan = plan_of(network)
    shuffled = replace(plan.update, resources=plan.update.resources[::-1])
    first, second = page.render(plan, today=TODAY), page.render(replace(plan, update=shuffled), today=TODAY)
    assert first == second


def nasty() -> None:
    tags = {"Name": NASTY, "owner": f'"{NASTY}'}
    vpc = aws.ec2.Vpc("net", cidr_block="10.0.0.0/16", tags=tags)
    subnet = aws.ec2.Subnet("s", vpc_id=vpc.id, cidr_block=NASTY, availability_zone="us-east-1a", tags=tags)
    aws.eks.NodeGroup(
        "pool",
        cluster_name=NASTY,
        node_role_arn=NASTY,
        labels={"gpufleet.io/pool": NASTY},
        subnet_ids=[subnet.id],
        instance_types=[NASTY],
        scaling_config={"min_size": 0, "max_size": 1, "desired_size": 0},
    )
    aws.ec2.SecurityGroup("group", description=NASTY, vpc_id=vpc.id)
    statement = {"Effect": "Allow", "Principal": {"Service": NASTY}, "Action": NASTY, "Resource": NASTY, "Sid": NASTY}
    aws.iam.Role("role", assume_role_policy=policy({**statement, "Condition": {NASTY: {NASTY: NASTY}}}))
    aws.sqs.Queue("queue", kms_master_key_id=NASTY, opts=pulumi.ResourceOptions(parent=Box("box")))
    aws.budgets.Budget("b", budget_type="COST", time_unit="MONTHLY", limit_amount=NASTY, name=NASTY)


def test_whatever_a_user_writes_stays_text():
    violation = Violation(NASTY, f"urn:pulumi:s::p::t::{NASTY}", NASTY, "mandatory", "high", NASTY)
    html = rendered(nasty, violation)
    outline = Outline(html)
    assert len(outline.all("script")) == 1
    assert NASTY not in html
    assert html.count("&lt;script&gt;alert(1)&lt;/script&gt;") > 15
    assert not [a for _, a in outline.elements if any(name.startswith("on") for name in a)]


def test_a_broken_rule_is_told_with_its_fix_and_the_verdict_says_so():
    html = rendered(network, BROKEN)
    assert "The plan does not hold" in html
    assert "2 of 3 rules without a violation" in html
    assert "<strong>door</strong>: is &lt;open&gt;" in html
    assert "close it" in html
    assert "Mend 1 mandatory violation" in html


def test_an_advice_does_not_fail_the_plan():
    html = rendered(network, replace(BROKEN, level="advisory"))
    assert "The plan holds" in html
    assert "Mend 1" not in html


def test_a_plan_that_nobody_judged_says_so():
    html = page.render(plan_of(network, rules=0), today=TODAY)
    assert "No policy pack judged this plan." in html
    assert "not judged by any rule" in html


def test_a_waiver_is_shown_with_its_owner_reason_and_end():
    waiver = Waiver(
        rule=BROKEN.rule,
        resource="door",
        reason="until the <new> door",
        owner="ml-platform",
        expires=date(2027, 1, 31),
        origin="here",
    )
    html = rendered(network, replace(BROKEN, waiver=waiver))
    assert "The plan holds" in html
    assert "3 of 3 rules without a violation, 1 waived" in html
    assert "<dt>reason</dt><dd>until the &lt;new&gt; door</dd>" in html
    assert "<dt>expires</dt><dd>2027-01-31</dd>" in html
    assert "None: every rule holds" not in html


def test_the_dates_are_those_of_the_plan_and_of_the_prices():
    plan = plan_of(network)
    html = page.render(plan, today=TODAY)
    assert '<time datetime="2026-11-30">' in html
    assert f'list prices of <time datetime="{plan.cost.as_document()["prices_as_of"]}">' in html


def test_everything_is_named_for_those_who_do_not_see_it():
    outline = Outline(rendered(network, BROKEN))
    names = [name for name, _ in outline.elements]
    assert [names.count(landmark) for landmark in ("header", "main", "nav", "footer", "h1")] == [1, 1, 1, 1, 1]
    assert outline.all("html")[0]["lang"] == "en"
    assert names.count("caption") == names.count("table")
    assert all(th.get("scope") in ("col", "row") for th in outline.all("th"))
    drawings = [svg for svg in outline.all("svg") if svg.get("aria-hidden") != "true"]
    assert drawings
    assert all(svg["role"] == "img" and svg["aria-label"] for svg in drawings)
    ids = Counter(a["id"] for _, a in outline.elements if "id" in a)
    assert [name for name, count in ids.items() if count > 1] == []
    assert {a["aria-labelledby"] for a in outline.all("section")} <= set(ids)
    labelled = {a["for"] for a in outline.all("label") if "for" in a}
    assert labelled == {"words"}


def test_headings_do_not_skip_a_level():
    levels = [int(name[1]) for name, _ in Outline(rendered(network, BROKEN)).elements if re.fullmatch("h[1-6]", name)]
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in zip(levels, levels[1:], strict=False))


def test_without_javascript_only_the_search_is_missing():
    outline = Outline(rendered(network))
    hidden = [(name, a.get("id")) for name, a in outline.elements if "hidden" in a]
    assert hidden == [("form", "search")]


def test_another_projects_program_gets_a_page_too():
    def build():
        aws.sqs.Queue("jobs")
        aws.ec2.Instance("box", instance_type="g5.xlarge", region="us-east-1")

    html = rendered(build)
    assert "Nothing in this plan has a place in a network" in html
    assert "1 Queue" in html

"""Each order: what is weaker, what is equal, what cannot be told."""

import json
from typing import Any

import pytest

from gpufleet.check.compare.orders import Order

RETENTION = Order(name="more", zero="most")
TOKENS = Order(name="ranked", ranks=("optional", "required"))
ACCESS = Order(name="ranked", ranks=("AmazonEKSClusterAdminPolicy", "AmazonEKSViewPolicy"), ending=True)
OPEN = {"Statement": {"Effect": "Allow", "Principal": {"AWS": ["*"]}, "Action": "s3:GetObject"}}
CONDITIONED = {"Statement": [{**OPEN["Statement"], "Condition": {"StringEquals": {"aws:PrincipalAccount": "1"}}}]}
ADMIN = json.dumps({"Statement": [{"Effect": "Allow", "Action": ["*"], "Resource": "*"}]})
NAMED = {"Statement": [{"Effect": "Allow", "Action": "s3:GetObject", "Resource": "*"}]}
DENY = {"Statement": [{"Effect": "Deny", "Principal": "*", "Action": "*"}]}


def order(name: str) -> Order:
    return Order(name=name)


@pytest.mark.parametrize(
    ("by", "weaker", "stronger"),
    [
        (order("more"), 30, 90),
        (order("more"), "1.9", "1.10"),
        (order("more"), "7", 30),
        (RETENTION, 365, 0),
        (order("less"), 3, 1),
        (order("true"), False, True),
        (order("true"), "false", "true"),
        (order("false"), True, False),
        (order("set"), None, "arn:aws:kms:x"),
        (order("set"), {}, {"cpu": 100}),
        (order("unset"), "my-key", ""),
        (order("count"), ["a"], ["a", "b"]),
        (order("count_less"), ["a", "b"], ["a"]),
        (order("count_less"), "one", []),
        (TOKENS, "optional", "required"),
        (ACCESS, "arn:aws:eks::aws:x/AmazonEKSClusterAdminPolicy", "arn:aws-cn:eks::aws:x/AmazonEKSViewPolicy"),
        (order("public"), "0.0.0.0/0", ["203.0.113.0/24"]),
        (order("public"), ["203.0.113.0/24", "198.51.100.0/24"], "203.0.113.0/24"),
        (order("public"), "8.8.8.8/32", ["10.0.0.0/8", "192.168.0.0/16", "fd00::/8"]),
        (order("public"), "::/0", "2001:db8::/32"),
        (order("statements"), OPEN, CONDITIONED),
        (order("statements"), ADMIN, NAMED),
        (order("statements"), None, DENY),
    ],
)
def test_the_weaker_falls_short_and_the_stronger_does_not(by: Order, weaker: Any, stronger: Any):
    assert by.loss(weaker, [stronger]) == stronger
    assert by.loss(stronger, [weaker]) is None
    assert by.loss(weaker, [weaker]) is None


@pytest.mark.parametrize(
    ("by", "value", "others"),
    [
        (order("more"), "many", [3]),
        (order("more"), True, [3]),
        (order("more"), 3, ["many"]),
        (order("true"), "maybe", [True]),
        (order("true"), False, []),
        (TOKENS, "no-preference", ["required"]),
        (order("public"), "pl-12345", ["10.0.0.0/8"]),
        (order("statements"), "{", [NAMED]),
        (order("superset"), [], []),
        (order("public"), "10.0.0.0/8", ["10.1.0.0/16"]),
    ],
)
def test_what_cannot_be_told_is_not_weaker(by: Order, value: Any, others: list[Any]):
    assert by.loss(value, others) is None


def test_the_weakest_of_the_others_is_what_counts():
    assert order("more").loss(30, [365, 90]) == 90
    assert order("more").loss(90, [365, 90]) is None
    assert order("set").loss(None, ["key"]) == "key"
    assert TOKENS.loss("optional", ["required", "unheard-of"]) == "required"


def test_a_list_that_lacks_what_all_others_have_is_weaker():
    by = order("superset")
    assert by.loss(["api"], [["api", "audit", "scheduler"], ["audit", "api"]]) == "also audit"
    assert by.loss(None, [["audit"]]) == "also audit"
    assert by.loss(["api", "audit"], [["api"], ["scheduler"]]) is None


def test_a_list_that_has_what_no_other_has_is_weaker():
    by = order("subset")
    assert by.loss(["sts.amazonaws.com", "any"], [["sts.amazonaws.com"]]) == "without any"
    assert by.loss(["sts.amazonaws.com"], [["sts.amazonaws.com", "more"]]) is None

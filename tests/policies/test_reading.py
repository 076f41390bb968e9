"""Reading properties of which some are unknown, as the SDK's proxies hand them over."""

from typing import Any

import pytest
from pulumi_policy.proxy import UNKNOWN_STRING_VALUE, unknown_checking_proxy

from policies.rules._cidrs import is_open
from policies.rules._documents import is_everything, matching, statements
from policies.rules._reading import UNKNOWN, differs, elements, entries, number, read, shown


def _props(**values: Any) -> Any:
    return unknown_checking_proxy(values)


def test_only_what_is_unknown_reads_as_unknown() -> None:
    props = _props(a={"b": UNKNOWN_STRING_VALUE, "c": 1.0}, d=UNKNOWN_STRING_VALUE)
    assert read(props, "a", "b") is UNKNOWN
    assert read(props, "a", "c") == 1.0
    assert read(props, "d", "anything") is UNKNOWN


def test_an_absent_key_and_a_value_of_the_wrong_kind_read_as_nothing() -> None:
    props = _props(a=None, b="text")
    assert read(props, "a", "x") is None
    assert read(props, "b", "x") is None
    assert read(props, "missing") is None


def test_a_block_in_a_list_of_one_is_looked_into() -> None:
    assert read(_props(block=[{"flag": True}]), "block", "flag") is True
    assert read(_props(block=[]), "block", "flag") is None


def test_items_are_unknown_one_by_one() -> None:
    props = _props(items=["a", UNKNOWN_STRING_VALUE], tags={"x": UNKNOWN_STRING_VALUE, "y": "1"})
    assert elements(read(props, "items")) == ["a", UNKNOWN]
    assert entries(read(props, "tags")) == {"x": UNKNOWN, "y": "1"}
    assert elements(UNKNOWN) == [UNKNOWN]
    assert elements(None) == []
    assert elements("alone") == ["alone"]


@pytest.mark.parametrize(
    ("value", "wanted", "absent", "result"),
    [
        (True, True, False, False),
        ("true", True, False, False),
        ("False", False, True, False),
        (None, True, False, True),
        (None, True, True, False),
        (UNKNOWN, True, False, False),
        ("yes", True, False, True),
        ({}, True, False, True),
    ],
)
def test_a_value_of_an_odd_type_is_never_taken_for_a_good_one(
    value: Any, wanted: bool, absent: bool, result: bool
) -> None:
    assert differs(value, wanted, absent=absent) is result


def test_numbers_are_read_from_text_and_nothing_else() -> None:
    assert number("4") == 4.0
    assert number(3.0) == 3.0
    assert [number(odd) for odd in (True, "many", None, [1])] == [None] * 4


def test_values_are_shown_as_people_write_them() -> None:
    assert [shown(value) for value in (None, True, 2.0, 1.5, "text")] == ["not set", "true", "2", "1.5", "text"]


@pytest.mark.parametrize(
    "cidr", ["0.0.0.0/0", "::/0", "0.0.0.0/1", "128.0.0.0/1", "2000::/3", "anywhere", "10.0.0.0/7", 5]
)
def test_the_internet_is_recognised_whole_in_halves_and_misspelt(cidr: Any) -> None:
    assert is_open(cidr)


@pytest.mark.parametrize(
    "cidr", ["10.0.0.0/8", "172.16.0.0/12", "fc00::/7", "203.0.113.0/24", "2001:db8::/32", UNKNOWN]
)
def test_private_and_narrow_ranges_are_not_the_internet(cidr: Any) -> None:
    assert not is_open(cidr)


def test_a_statement_that_is_unknown_neither_allows_nor_denies() -> None:
    found = statements({"Statement": [UNKNOWN_STRING_VALUE]})
    assert found is not None
    (statement,) = found
    assert not statement.allows
    assert statement.conditions is None


def test_a_document_without_statements_is_none_at_all() -> None:
    assert statements("not json") is None
    assert statements({"Version": "2012-10-17"}) is None
    assert statements(["list"]) is None
    assert statements(UNKNOWN) is None


def test_patterns_are_matched_as_aws_matches_them() -> None:
    assert matching("IAM:Pass*", "iam:PassRole")
    assert matching("iam:PassRol?", "iam:PassRole")
    assert not matching("iam:[P]assRole", "iam:PassRole")


@pytest.mark.parametrize("resource", ["*", "arn:aws:s3:::*", "arn:*:*:*:*:*", "**"])
def test_a_star_is_recognised_dressed_as_an_arn(resource: str) -> None:
    assert is_everything(resource)


@pytest.mark.parametrize(
    "resource", ["arn:aws:s3:::b", "arn:aws:ec2:us-east-1:111122223333:*", "arn:aws:iam::1:role/*"]
)
def test_an_arn_with_any_limit_is_not_a_star(resource: str) -> None:
    assert not is_everything(resource)

"""What holds for every grant, in every partition."""

import json
import pkgutil
import warnings
from importlib import import_module
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from components.identity import grants
from components.identity.grants.place import Place
from components.identity.statements import MANAGED_LIMIT, Statement
from tests.components.identity.grants import catalogue, reference

BUILDING_BLOCKS = {"bucket_access", "key_use", "place"}
DOCUMENTS = catalogue.documents(catalogue.HOME)
GRANTS = catalogue.grants(catalogue.HOME)


def text(statements: list[Statement]) -> str:
    return json.dumps({"Version": "2012-10-17", "Statement": [statement.as_dict() for statement in statements]})


def size(statements: list[Statement]) -> int:
    return len("".join(text(statements).split()))


def test_every_grant_is_in_the_catalogue() -> None:
    modules = {module.name for module in pkgutil.iter_modules(grants.__path__)}

    assert {name.partition("-")[0] for name in DOCUMENTS} == modules - BUILDING_BLOCKS


@pytest.mark.parametrize("name", GRANTS)
def test_every_action_exists_and_no_service_is_granted_whole(name: str) -> None:
    for action in (action for statement in GRANTS[name] for action in statement.actions):
        assert reference.matching(action), action
        assert "*" not in action or action == "kms:ReEncrypt*"


@pytest.mark.parametrize("name", GRANTS)
def test_every_action_has_the_resources_and_condition_keys_that_aws_asks_of_it(name: str) -> None:
    assert list(reference.faults(GRANTS[name])) == []


@pytest.mark.parametrize("name", DOCUMENTS)
def test_parliament_finds_nothing_that_the_newer_reference_does_not_refute(name: str) -> None:
    assert [f"{finding.issue} {finding.detail}" for finding in _findings(name)] == []


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_wildcard_has_its_reason(name: str) -> None:
    unexplained = [
        statement.sid
        for statement in DOCUMENTS[name]
        if "*" in "".join([*map(str, statement.resources), *statement.actions]) and not statement.because
    ]

    assert unexplained == []


@pytest.mark.parametrize("partition", catalogue.PLACES)
def test_every_document_fits_into_a_managed_policy(partition: str) -> None:
    sizes = {name: size(parts) for name, parts in catalogue.documents(catalogue.PLACES[partition]).items()}

    assert {name: length for name, length in sizes.items() if length > MANAGED_LIMIT} == {}


@pytest.mark.parametrize("partition", ["aws-cn", "aws-us-gov"])
def test_no_arn_of_the_commercial_partition_is_left_in_another(partition: str) -> None:
    for name, statements in catalogue.documents(catalogue.PLACES[partition]).items():
        assert "arn:aws:" not in text(statements), name


@pytest.mark.parametrize("partition", catalogue.PLACES)
def test_a_role_is_passed_by_name_and_to_one_service_only(partition: str) -> None:
    place = catalogue.PLACES[partition]
    passing = [
        statement.as_dict()
        for statements in catalogue.grants(place).values()
        for statement in statements
        if any("pass" in action.lower() for action in statement.actions)
    ]

    assert passing
    for statement in passing:
        assert statement["Resource"] == [place.iam_arn("role/gpu/node")]
        assert statement["Condition"] == {
            "StringEquals": {
                "iam:PassedToService": "ec2.amazonaws.com.cn" if partition == "aws-cn" else "ec2.amazonaws.com"
            }
        }


def test_no_grant_makes_service_linked_roles_or_policies() -> None:
    for name, statements in GRANTS.items():
        for action in (action for statement in statements for action in statement.actions):
            assert not action.startswith(("iam:CreateServiceLinkedRole", "iam:Attach", "iam:Put")), name


@given(
    cluster=st.from_regex(r"[0-9A-Za-z][0-9A-Za-z_-]{0,99}", fullmatch=True),
    place=st.sampled_from(
        [
            *catalogue.PLACES.values(),
            Place(account_id="999988887777", region="ap-southeast-5", partition="aws"),
            Place(account_id="999988887777", region="us-gov-east-1", partition="aws-us-gov"),
        ]
    ),
)
@settings(max_examples=60, deadline=None)
def test_whatever_the_cluster_is_called_every_document_fits(cluster: str, place: Place) -> None:
    documents = catalogue.documents(place, cluster)

    assert {name: size(parts) for name, parts in documents.items() if size(parts) > MANAGED_LIMIT} == {}
    assert all(len({s.sid for s in parts}) == len(parts) for parts in documents.values())


def _findings(name: str) -> list[Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it imports pkg_resources
        parliament: Any = import_module("parliament")  # untyped
    # It takes the colon in a policy variable for one of the ARN's.
    plain = text(DOCUMENTS[name]).replace("${aws:PrincipalTag/", "${")
    findings: list[Any] = parliament.analyze_policy_string(plain).findings
    return [finding for finding in findings if not _refuted(finding)]


def _refuted(finding: Any) -> bool:
    if finding.issue == "UNKNOWN_ACTION":
        return bool(reference.matching(finding.location["string"]))
    if finding.issue == "UNKNOWN_CONDITION_FOR_ACTION":
        return "elasticloadbalancing:CreateAction" in finding.detail
    # Judged for the grant as a whole by the reference, statement by statement and with its conditions.
    return finding.issue == "RESOURCE_MISMATCH"

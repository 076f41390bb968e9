"""The services that a VPC can have an endpoint for."""

from datetime import date

import pytest

from gpufleet.facts import endpoints, regions


@pytest.mark.parametrize(
    ("service", "kind"),
    [
        ("ecr.api", "Interface"),
        ("eks-auth", "Interface"),
        ("s3", "Gateway"),
        ("s3express", "Gateway"),
        ("iam", None),
        ("ecr", None),
        ("com.amazonaws.us-east-1.brand-new", "Interface"),
        ("aws.sagemaker.us-east-1.notebook", "Interface"),
    ],
)
def test_a_service_has_a_gateway_or_interfaces_or_neither(service: str, kind: str | None) -> None:
    assert endpoints.kind(service) == kind


@pytest.mark.parametrize(
    ("service", "region", "name"),
    [
        ("ecr.api", "us-gov-west-1", "com.amazonaws.us-gov-west-1.ecr.api"),
        ("ecr.api", "cn-north-1", "cn.com.amazonaws.cn-north-1.ecr.api"),
        ("logs", "cn-north-1", "com.amazonaws.cn-north-1.logs"),
        ("s3", "cn-north-1", "com.amazonaws.cn-north-1.s3"),
        ("ecr.dkr", "eusc-de-east-1", "eu.amazonaws.eusc-de-east-1.ecr.dkr"),
        ("com.amazonaws.us-east-1.brand-new", "us-east-1", "com.amazonaws.us-east-1.brand-new"),
    ],
)
def test_a_service_is_named_as_its_region_names_it(service: str, region: str, name: str) -> None:
    assert endpoints.service_name(service, region) == name


def test_what_answers_in_another_region_says_so() -> None:
    assert "home region" in (endpoints.elsewhere("iam") or "")
    assert endpoints.elsewhere("sts") is None


def test_a_mistyped_service_has_neighbours() -> None:
    assert endpoints.nearest("ssmmessage")[0] == "ssmmessages"
    assert endpoints.nearest("%") == []


def test_names_are_sorted_and_unique_and_the_exceptions_are_of_known_regions() -> None:
    assert list(endpoints.names()) == sorted(set(endpoints.names()))
    assert len(endpoints.names()) > 300
    assert endpoints.as_of() == date(2026, 11, 30)
    assert endpoints.service_name("ebs", "us-isof-south-1").startswith("gov.ic.hci.csp.")
    assert regions.find("us-isof-south-1") is not None

"""Quotas: which one an instance counts against, and the limits of a network."""

import pytest

from gpufleet.facts import instances, quotas


@pytest.mark.parametrize(
    ("instance_type", "on_demand", "spot"),
    [
        ("p4d.24xlarge", "L-417A185B", "L-7212CCBC"),
        ("p5en.48xlarge", "L-417A185B", "L-C4BD4855"),
        ("p6-b200.48xlarge", "L-417A185B", None),
        ("g6e.12xlarge", "L-DB2E81BA", "L-3819A6DF"),
        ("gr6f.4xlarge", "L-DB2E81BA", "L-3819A6DF"),
        ("trn2.48xlarge", "L-2C3B7624", "L-6B0D517C"),
        ("im4gn.large", "L-1216C47A", "L-34B43A08"),
        ("c7i-flex.large", "L-1216C47A", "L-34B43A08"),
    ],
)
def test_a_type_counts_against_the_quota_of_its_family(instance_type: str, on_demand: str, spot: str | None) -> None:
    found = [quotas.vcpus(instance_type, purchase) for purchase in ("on-demand", "spot")]
    assert [one and one.code for one in found] == [on_demand, spot]


def test_a_family_that_no_source_files_has_no_quota() -> None:
    assert quotas.vcpus("mac2.metal", "on-demand") is None
    assert quotas.vcpus("p5.48xlarge", "capacity-block") is None
    assert quotas.vcpus("", "spot") is None


def test_every_type_of_the_catalogue_has_both_quotas() -> None:
    lost = [
        (name, purchase)
        for name in instances.names()
        for purchase in ("on-demand", "spot")
        if quotas.vcpus(name, purchase) is None
    ]
    assert lost == []


def test_the_catalogue_says_the_same() -> None:
    # A code that is not filed here is none of a family: L-5480EFD2 is of dedicated inf hosts.
    filed = {quota.code for quota in quotas.all_vcpus()}
    other = [
        (name, code)
        for name in instances.names()
        for purchase, code in (
            ("on-demand", instances.get(name).quota_on_demand),
            ("spot", instances.get(name).quota_spot),
        )
        if code in filed and (found := quotas.vcpus(name, purchase)) and found.code != code
    ]
    assert other == []


@pytest.mark.parametrize(
    ("name", "instance_type", "is_counted"),
    [
        ("All P4, P3 and P2 Spot Instance Requests", "p4d.24xlarge", True),
        ("All P4, P3 and P2 Spot Instance Requests", "p5.48xlarge", False),
        ("All P Spot Instance Requests", "p6-b200.48xlarge", True),
        ("All P5 and P6 Spot Instance Requests", "p6-b200.48xlarge", True),
        ("All G and VT Spot Instance Requests", "g6.xlarge", True),
        ("Running On-Demand P instances", "p5.48xlarge", True),
        ("Running Dedicated p5 Hosts", "p5.48xlarge", False),
    ],
)
def test_a_quotas_name_says_which_types_count(name: str, instance_type: str, is_counted: bool) -> None:
    assert quotas.counts(name, instance_type) is is_counted


def test_limits_go_by_key() -> None:
    assert (quotas.limit("elastic-ip").service, quotas.limit("elastic-ip").code) == ("ec2", "L-0263D0A3")
    assert quotas.limit("vpc").default == 5
    assert len(quotas.limit_keys()) == 15
    with pytest.raises(KeyError):
        quotas.limit("unheard-of")


def test_every_code_looks_like_one_and_is_there_once() -> None:
    codes = [quota.code for quota in quotas.all_vcpus()] + [quotas.limit(key).code for key in quotas.limit_keys()]
    known = [code for code in codes if code is not None]
    assert all(code.startswith("L-") and len(code) == 10 for code in known)
    assert len(known) == len(set(known))

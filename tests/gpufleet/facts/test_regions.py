"""Regions and their partitions."""

import pytest

from gpufleet.facts import regions


@pytest.mark.parametrize(
    ("name", "partition", "dns_suffix"),
    [
        ("us-east-1", "aws", "amazonaws.com"),
        ("cn-north-1", "aws-cn", "amazonaws.com.cn"),
        ("us-gov-west-1", "aws-us-gov", "amazonaws.com"),
        ("eusc-de-east-1", "aws-eusc", "amazonaws.eu"),
    ],
)
def test_a_region_knows_its_partition_and_dns_suffix(name: str, partition: str, dns_suffix: str) -> None:
    assert regions.find(name) == regions.Region(name, partition, dns_suffix)


@pytest.mark.parametrize("name", ["us-east-1a", "us-east-9", "aws-global", ""])
def test_what_is_not_a_region_is_none(name: str) -> None:
    assert regions.find(name) is None


def test_names_are_sorted_and_unique() -> None:
    assert list(regions.names()) == sorted(set(regions.names()))

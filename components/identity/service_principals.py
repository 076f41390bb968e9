"""How an AWS service is named as a principal, which differs between partitions for a few of them."""

from gpufleet.facts import regions

_PARTITION_SUFFIXED = frozenset({"ec2", "elasticmapreduce"})
"""Carry the partition's DNS suffix; all others end in amazonaws.com everywhere.
https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_principal.html#principal-services-in-opt-in-regions"""


def of(service: str, partition: str) -> str:
    """The principal of a global service name: `of("ec2", "aws-cn")` is `ec2.amazonaws.com.cn`."""
    return f"{service}.{dns_suffix(partition) if service in _PARTITION_SUFFIXED else 'amazonaws.com'}"


def logs(region: str, partition: str) -> str:
    """CloudWatch Logs acts under a name that holds the region and the partition's suffix."""
    return f"logs.{region}.{dns_suffix(partition)}"


def dns_suffix(partition: str) -> str:
    """The partition's DNS suffix, `amazonaws.com` or `amazonaws.com.cn` for example.

    Raises:
        ValueError: no such partition.
    """
    suffixes = {region.partition: region.dns_suffix for name in regions.names() if (region := regions.find(name))}
    if partition not in suffixes:
        raise ValueError(f"partition: {partition!r} is unknown; allowed are {', '.join(sorted(suffixes))}")
    return suffixes[partition]

import pytest

from components.identity import service_principals


def test_ec2_carries_the_suffix_of_its_partition_and_eks_never_does() -> None:
    assert service_principals.of("ec2", "aws") == "ec2.amazonaws.com"
    assert service_principals.of("ec2", "aws-us-gov") == "ec2.amazonaws.com"
    assert service_principals.of("ec2", "aws-cn") == "ec2.amazonaws.com.cn"
    assert service_principals.of("eks", "aws-cn") == "eks.amazonaws.com"


def test_logs_is_named_by_region_and_suffix() -> None:
    assert service_principals.logs("us-east-1", "aws") == "logs.us-east-1.amazonaws.com"
    assert service_principals.logs("cn-north-1", "aws-cn") == "logs.cn-north-1.amazonaws.com.cn"


def test_an_unknown_partition_is_refused_with_those_there_are() -> None:
    with pytest.raises(ValueError, match="partition: 'azure' is unknown; allowed are aws, aws-cn"):
        service_principals.dns_suffix("azure")

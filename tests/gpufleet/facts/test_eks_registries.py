"""The registries of EKS's own images."""

from gpufleet.facts import eks_registries, regions


def test_a_region_has_the_account_that_aws_names_for_it() -> None:
    assert eks_registries.find("us-east-1") == "602401143452.dkr.ecr.us-east-1.amazonaws.com"
    assert eks_registries.find("af-south-1") == "877085696533.dkr.ecr.af-south-1.amazonaws.com"


def test_another_partition_has_another_suffix() -> None:
    assert eks_registries.find("cn-north-1") == "918309763551.dkr.ecr.cn-north-1.amazonaws.com.cn"


def test_of_a_region_that_no_source_names_nothing_is_said() -> None:
    assert eks_registries.find("xy-nowhere-1") is None


def test_every_region_in_the_file_is_one() -> None:
    known = [name for name in regions.names() if eks_registries.find(name)]
    assert len(known) == 32

from components.network import endpoint_services


def test_a_closed_network_gets_what_nodes_cannot_do_without() -> None:
    assert endpoint_services.wanted("none", None) == ("ec2", "ecr.api", "ecr.dkr", "eks", "eks-auth", "logs", "sts")


def test_a_network_with_nat_needs_none() -> None:
    assert endpoint_services.wanted("single-nat", None) == ()
    assert endpoint_services.missing("single-nat", ["ecr.api"]) == ()


def test_what_is_asked_for_is_taken_once_and_sorted() -> None:
    assert endpoint_services.wanted("none", ["sts", "ecr.api", "sts"]) == ("ecr.api", "sts")


def test_an_incomplete_list_is_told_what_it_lacks() -> None:
    assert endpoint_services.missing("none", ["ecr.dkr", "eks", "logs"]) == ("ec2", "ecr.api", "eks-auth", "sts")


def test_endpoints_are_named_as_their_region_names_them() -> None:
    assert endpoint_services.service_name("ecr.api", "us-gov-west-1") == "com.amazonaws.us-gov-west-1.ecr.api"
    assert endpoint_services.service_name("ecr.api", "cn-north-1") == "cn.com.amazonaws.cn-north-1.ecr.api"
    assert endpoint_services.service_name("logs", "cn-north-1") == "com.amazonaws.cn-north-1.logs"

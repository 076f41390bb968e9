import pytest

from components.network import endpoint_services
from gpufleet.facts import endpoints


def test_a_closed_network_gets_what_nodes_cannot_do_without() -> None:
    assert endpoint_services.wanted("none", None) == ("ec2", "ecr.api", "ecr.dkr", "eks", "eks-auth", "logs", "sts")


def test_a_network_with_nat_needs_none() -> None:
    assert endpoint_services.wanted("single-nat", None) == ()
    assert endpoint_services.missing("single-nat", ["ecr.api"]) == ()


def test_what_is_asked_for_is_taken_once_and_sorted() -> None:
    assert endpoint_services.wanted("none", ["sts", "ecr.api", "sts"]) == ("ecr.api", "sts")


def test_an_incomplete_list_is_told_what_it_lacks() -> None:
    assert endpoint_services.missing("none", ["ecr.dkr", "eks", "logs"]) == ("ec2", "ecr.api", "eks-auth", "sts")


def test_each_feature_that_is_on_brings_the_services_it_calls() -> None:
    features = (*endpoint_services.NODES, "karpenter", "lustre", "session-manager", "prometheus", "load-balancers")

    assert endpoint_services.wanted("none", None, features) == (
        *("aps-workspaces", "ec2", "ec2messages", "ecr.api", "ecr.dkr", "eks", "eks-auth", "elasticloadbalancing"),
        *("fsx", "logs", "sqs", "ssm", "ssmmessages", "sts"),
    )


def test_what_no_vpc_has_an_endpoint_for_is_not_wanted_but_told_of() -> None:
    assert "iam" not in endpoint_services.needed(["karpenter"])
    assert set(endpoint_services.beyond(["karpenter"])) == {"iam", "pricing.api"}
    assert endpoint_services.beyond() == {}


def test_a_gateway_is_free_and_therefore_wanted_beside_nat_too() -> None:
    assert endpoint_services.wanted("nat-per-zone", None, ["nodes", "express-buckets", "lustre"]) == ("s3express",)


def test_a_list_that_misses_what_a_feature_needs_is_told_of_that_feature_s_service() -> None:
    asked = endpoint_services.CLOSED_NETWORK

    assert endpoint_services.missing("none", asked, (*endpoint_services.NODES, "lustre", "secrets")) == (
        "fsx",
        "secretsmanager",
    )


def test_the_features_of_every_cluster_make_the_closed_network() -> None:
    assert endpoint_services.needed() == endpoint_services.CLOSED_NETWORK


def test_every_service_of_every_feature_is_one_that_aws_has() -> None:
    called = {service for services in endpoint_services.FEATURES.values() for service in services}

    assert [name for name in called if endpoints.kind(name) is None and endpoints.elsewhere(name) is None] == []


def test_a_name_that_aws_does_not_have_is_answered_with_the_nearest() -> None:
    assert endpoint_services.unknown(["ecr.api", "ecr.dkt", "iam", "zzz"]) == {
        "ecr.dkt": "did you mean ecr.dkr?",
        "iam": "leave it out: IAM answers in the home region of the partition only; its endpoint (com.amazonaws.iam) "
        "lies there",
        "zzz": "write a short service name such as ecr.api",
    }


def test_a_service_newer_than_the_list_can_be_had_by_its_full_name() -> None:
    assert endpoint_services.unknown(["com.amazonaws.us-east-1.brand-new"]) == {}


def test_an_unknown_feature_is_answered_with_those_there_are() -> None:
    with pytest.raises(ValueError, match="features: lustr not known; allowed are nodes, images, pod-identity, logs"):
        endpoint_services.wanted("none", None, ["nodes", "lustr"])

from typing import Any

from policies.rules.eks_cluster_private_api import RULE
from tests.policies.clusters import cluster
from tests.policies.judging import later, messages


def _api(**settings: Any) -> None:
    cluster(vpc_config={"subnet_ids": [later("subnet-1")], **settings})


NO_PRIVATE = (
    "cluster: endpointPrivateAccess is not set (AWS default false); it must be true, so that nodes reach the API "
    "inside the VPC."
)


def test_a_cluster_that_says_nothing_is_public_by_the_defaults_of_aws(preview: bool) -> None:
    assert messages(RULE, _api, preview=preview) == [
        NO_PRIVATE,
        "cluster: endpointPublicAccess is not set (AWS default true) without publicAccessCidrs (AWS default "
        "0.0.0.0/0); it must be false, or the ranges named.",
    ]


def test_an_open_list_is_reported_in_both_families(preview: bool) -> None:
    def build() -> None:
        _api(endpoint_private_access=True, endpoint_public_access=True, public_access_cidrs=["0.0.0.0/0", "::/0"])

    wish = "which is the internet; it must hold narrow ranges only, or endpointPublicAccess be false."
    assert messages(RULE, build, preview=preview) == [
        f"cluster: publicAccessCidrs holds 0.0.0.0/0, {wish}",
        f"cluster: publicAccessCidrs holds ::/0, {wish}",
    ]


def test_a_public_api_without_a_private_one_is_reported(preview: bool) -> None:
    def build() -> None:
        _api(endpoint_public_access=True, public_access_cidrs=["203.0.113.0/24"])

    assert messages(RULE, build, preview=preview) == [NO_PRIVATE]


def test_a_private_api_and_a_narrow_public_one_are_quiet(preview: bool) -> None:
    def narrow() -> None:
        _api(endpoint_private_access=True, endpoint_public_access=True, public_access_cidrs=["203.0.113.0/24"])

    assert messages(RULE, cluster, preview=preview) == []
    assert messages(RULE, narrow, preview=preview) == []


def test_unknown_ranges_are_quiet_and_hide_no_known_one() -> None:
    def build() -> None:
        ranges = [later("203.0.113.0/24"), "0.0.0.0/0"]
        cluster(
            vpc_config={
                "subnet_ids": ["subnet-1"],
                "endpoint_private_access": True,
                "endpoint_public_access": True,
                "public_access_cidrs": ranges,
            }
        )

    assert len(messages(RULE, build, preview=True)) == 1
    assert len(messages(RULE, build)) == 1


def test_an_unknown_switch_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        cluster(
            vpc_config={
                "subnet_ids": ["subnet-1"],
                "endpoint_private_access": later(True, "private"),
                "endpoint_public_access": later(True, "public"),
            }
        )

    assert messages(RULE, build, preview=True) == []
    assert len(messages(RULE, build)) == 1

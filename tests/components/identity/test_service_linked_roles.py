from typing import Any

import pulumi_aws as aws
import pytest

from components.identity import service_linked_roles
from components.identity.service_linked_roles import ServiceLinkedRoles, ServiceLinkedRolesArgs, needed
from tests.components import builds
from tests.harness import record

ROLE = "aws:iam/serviceLinkedRole:ServiceLinkedRole"
ALWAYS = ("autoscaling.amazonaws.com", "eks-nodegroup.amazonaws.com", "eks.amazonaws.com")


def args(**changes: Any) -> ServiceLinkedRolesArgs:
    defaults: dict[str, Any] = {"account_id": builds.ACCOUNT, "partition": "aws", "services": needed(spot=True)}
    return ServiceLinkedRolesArgs(**(defaults | changes))


def test_a_stack_needs_the_roles_of_its_features_and_no_others() -> None:
    assert needed() == ALWAYS
    assert needed(spot=True) == (*ALWAYS, "spot.amazonaws.com")
    assert set(needed(load_balancers=True, lustre=True, pull_through_cache=True)) - set(ALWAYS) == {
        "elasticloadbalancing.amazonaws.com",
        "fsx.amazonaws.com",
        "pullthroughcache.ecr.amazonaws.com",
    }


def test_every_feature_is_known_by_the_name_of_its_role() -> None:
    everything = needed(spot=True, load_balancers=True, lustre=True, pull_through_cache=True)

    assert set(everything) == set(service_linked_roles.ROLES)


def test_in_a_new_account_the_spot_role_is_made_once_and_outlives_the_stack() -> None:
    role = record(lambda: ServiceLinkedRoles("linked", args(created=["spot.amazonaws.com"]))).one(ROLE)

    assert role.name == "linked-spot"
    assert role.inputs == {"awsServiceName": "spot.amazonaws.com"}
    assert role.options["retainOnDelete"] is True


def test_in_an_account_that_has_them_all_are_adopted_and_said_so() -> None:
    recorded = record(lambda: ServiceLinkedRoles("linked", args()))

    assert recorded.all(ROLE) == []
    assert recorded.one("gpufleet:index:ServiceLinkedRoles").outputs["adopted"] == list(needed(spot=True))


def test_a_key_that_names_the_scaling_role_comes_after_it() -> None:
    def build() -> None:
        linked = ServiceLinkedRoles("linked", args(created=["autoscaling.amazonaws.com"]))
        aws.kms.Key("volumes", policy=linked.role_arns.apply(lambda arns: arns["autoscaling.amazonaws.com"]))

    for preview in (True, False):
        recorded = record(build, preview=preview)
        key = recorded.one("aws:kms/key:Key")
        assert key.dependencies == (recorded.one(ROLE).urn,)
        assert key.inputs["policy"] == (
            f"arn:aws:iam::{builds.ACCOUNT}:role/aws-service-role/autoscaling.amazonaws.com/AWSServiceRoleForAutoScaling"
        )


def test_the_arn_is_of_the_partition() -> None:
    assert service_linked_roles.role_arn(builds.ACCOUNT, "aws-cn", "spot.amazonaws.com") == (
        f"arn:aws-cn:iam::{builds.ACCOUNT}:role/aws-service-role/spot.amazonaws.com/AWSServiceRoleForEC2Spot"
    )


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"services": ["spot"]}, "services: 'spot' is not known; allowed are autoscaling.amazonaws.com"),
        (
            {"services": ["s3.data-source.lustre.fsx.amazonaws.com"]},
            "services: 's3.data-source.lustre.fsx.amazonaws.com' is not known",
        ),
        ({"services": needed(), "created": ["spot.amazonaws.com"]}, "created: 'spot.amazonaws.com' is not among"),
    ],
)
def test_a_mistake_is_answered_with_what_is_allowed(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        args(**changes)

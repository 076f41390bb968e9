"""The smaller checks: spot scores, service-linked roles, images, versions, endpoint services."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pulumi
import pulumi_aws as aws
import pytest

from gpufleet.preflight.checks import endpoint_services, image_parameters, service_roles, spot_scores, versions
from gpufleet.preflight.results import COULD_NOT_ASK, FAILED, PASSED
from tests.gpufleet.preflight.conftest import Ask
from tests.gpufleet.preflight.fleet import TAGS, Network, at_least, said
from tests.gpufleet.preflight.recorded import VERSIONS, ZONE_IDS, Recorded, refusal, role

TYPES = ["g5.12xlarge", "g6.12xlarge", "g6e.12xlarge"]
AL2023 = "/aws/service/eks/optimized-ami/1.35/amazon-linux-2023/x86_64"
BOTTLEROCKET = "/aws/service/bottlerocket/aws-k8s-1.35"


def spot_pool(types: list[str] = TYPES) -> None:
    Network().pool("burst", types, zones="ab", capacity="SPOT", most=4)


def scores(recorded: Recorded, **by_letter: int) -> None:
    rows = [
        {"Region": "us-west-2", "AvailabilityZoneId": ZONE_IDS[f"us-west-2{letter}"], "Score": score}
        for letter, score in by_letter.items()
    ]
    recorded.answers["GetSpotPlacementScores"] = {"SpotPlacementScores": rows}


def test_a_spot_pool_is_scored_by_the_best_of_its_zones(ask: Ask, recorded: Recorded) -> None:
    scores(recorded, a=3, b=7, c=9)
    assert said(ask(spot_scores.check, spot_pool)) == [
        (PASSED, "pool burst: 4 spot instances at once score 7 of 10 (us-west-2a 3, us-west-2b 7)")
    ]
    question = next(asked for _, operation, asked in recorded.asked if operation == "GetSpotPlacementScores")
    assert (question["TargetCapacity"], question["InstanceTypes"]) == (4, TYPES)


def test_a_low_score_fails(ask: Ask, recorded: Recorded) -> None:
    scores(recorded, a=3, b=1, c=9)
    (result,) = ask(spot_scores.check, spot_pool)
    assert (result.status, result.evidence["scores"]) == (FAILED, {"us-west-2a": 3, "us-west-2b": 1})


def test_a_low_score_of_fewer_than_three_types_says_little(ask: Ask, recorded: Recorded) -> None:
    scores(recorded, a=3, b=1)
    (result,) = ask(spot_scores.check, lambda: spot_pool(TYPES[:2]))
    assert result.status == PASSED
    assert result.fix.startswith("the pool names 2 of the 3 types below which AWS always scores low")


def test_no_score_at_all_is_no_answer(ask: Ask, recorded: Recorded) -> None:
    scores(recorded, c=9)
    (result,) = ask(spot_scores.check, spot_pool)
    assert (result.status, result.permission) == (COULD_NOT_ASK, "")


def test_too_many_new_questions_about_scores_are_no_missing_permission(ask: Ask, recorded: Recorded) -> None:
    recorded.refuse("GetSpotPlacementScores", code="MaxConfigLimitExceeded")
    (result,) = ask(spot_scores.check, spot_pool)
    assert (result.status, result.permission) == (COULD_NOT_ASK, "")


def test_only_spot_pools_are_scored(ask: Ask) -> None:
    assert ask(spot_scores.check, lambda: Network().pool("serve", TYPES)) == []


def test_a_role_that_is_missing_and_not_planned_fails_with_the_command(ask: Ask, session: Any) -> None:
    session.client("iam").create_service_linked_role(AWSServiceName="autoscaling.amazonaws.com")
    (autoscaling, node_group, eks, spot) = ask(service_roles.check, spot_pool)
    assert (autoscaling.status, autoscaling.what) == (PASSED, "AWSServiceRoleForAutoScaling is there")
    assert (spot.status, spot.fix) == (
        FAILED,
        "aws iam create-service-linked-role --aws-service-name spot.amazonaws.com",
    )
    assert {node_group.evidence["service"], eks.evidence["service"]} == {
        "eks-nodegroup.amazonaws.com",
        "eks.amazonaws.com",
    }


def spot_role() -> None:
    aws.iam.ServiceLinkedRole("spot", aws_service_name="spot.amazonaws.com", opts=Network().opts)


def test_a_role_that_the_plan_makes_must_not_be_there(ask: Ask, recorded: Recorded) -> None:
    def of_spot() -> tuple[str, str]:
        found = [one for one in ask(service_roles.check, spot_role) if one.evidence["service"].startswith("spot")]
        return found[0].status, found[0].what

    recorded.answers["GetRole"] = refusal("NoSuchEntity")
    assert of_spot() == (PASSED, "AWSServiceRoleForEC2Spot will be made by this stack")
    recorded.answers["GetRole"] = role
    assert of_spot() == (
        FAILED,
        "AWSServiceRoleForEC2Spot is there already, and the plan makes it: AWS refuses to make it twice",
    )
    tags = [{"Key": key, "Value": value} for key, value in TAGS.items()]
    recorded.answers["GetRole"] = lambda asked: {"Role": {**role(asked)["Role"], "Tags": tags}}
    assert of_spot() == (PASSED, "AWSServiceRoleForEC2Spot is of this stack")


def test_roles_are_asked_about_once_for_all_regions(ask: Ask, recorded: Recorded) -> None:
    def entry() -> None:
        spot_pool()
        other = aws.Provider("other", region="us-east-1", allowed_account_ids=["123456789012"])
        aws.sqs.Queue("queue", opts=pulumi.ResourceOptions(provider=other))

    results = ask(service_roles.check, entry)
    names = [asked["RoleName"] for _, operation, asked in recorded.asked if operation == "GetRole"]
    assert len(results) == len(names) == len(set(names)) == 4


@pytest.mark.parametrize(
    ("more", "parameter"),
    [
        ({}, f"{AL2023}/nvidia/recommended/image_id"),
        ({"ami_type": "AL2023_x86_64_STANDARD"}, f"{AL2023}/standard/recommended/image_id"),
        (
            {"ami_type": "AL2023_ARM_64_NVIDIA"},
            f"{AL2023.replace('x86_64', 'arm64')}/nvidia/recommended/image_id",
        ),
        (
            {"release_version": "1.35.0-20261101"},
            f"{AL2023}/nvidia/amazon-eks-node-al2023-x86_64-nvidia-1.35-v20261101/image_id",
        ),
        ({"ami_type": "BOTTLEROCKET_x86_64_NVIDIA"}, f"{BOTTLEROCKET}-nvidia/x86_64/latest/image_id"),
        (
            {"ami_type": "BOTTLEROCKET_ARM_64", "release_version": "1.50.0-abcdef12"},
            f"{BOTTLEROCKET}/arm64/1.50.0-abcdef12/image_id",
        ),
    ],
)
def test_a_managed_image_is_looked_up_where_aws_publishes_it(
    ask: Ask, recorded: Recorded, more: dict[str, Any], parameter: str
) -> None:
    (result,) = ask(image_parameters.check, lambda: Network().pool("serve", TYPES, **more))
    assert (result.status, result.evidence["parameter"]) == (PASSED, parameter)
    recorded.answers["GetParameter"] = refusal("ParameterNotFound")
    (result,) = ask(image_parameters.check, lambda: Network().pool("serve", TYPES, **more))
    assert (result.status, result.what) == (FAILED, f"{parameter} (pool serve) is not published in us-west-2")


def test_an_image_of_ones_own_has_to_be_there(ask: Ask, recorded: Recorded) -> None:
    def entry() -> None:
        Network().pool("serve", TYPES, ami_type="CUSTOM", template={"image_id": "ami-0123456789abcdef0"})

    assert [one.status for one in ask(image_parameters.check, entry)] == [FAILED]
    image = {"ImageId": "ami-0123456789abcdef0", "State": "available", "DeprecationTime": "2030-01-01T00:00:00Z"}
    recorded.answers["DescribeImages"] = {"Images": [image]}
    (result,) = ask(image_parameters.check, entry)
    assert (result.status, result.fix) == (PASSED, "it is deprecated from 2030-01-01 on")
    recorded.answers["DescribeImages"] = {"Images": [{**image, "State": "pending"}]}
    assert [one.status for one in ask(image_parameters.check, entry)] == [FAILED]


def test_an_image_that_is_resolved_at_launch_is_its_parameter(ask: Ask) -> None:
    def entry() -> None:
        Network().pool("serve", TYPES, template={"image_id": "resolve:ssm:/golden/gpu:3"})

    assert [one.evidence["parameter"] for one in ask(image_parameters.check, entry)] == ["/golden/gpu"]


def test_karpenters_alias_is_looked_up_for_each_kind_of_type(ask: Ask) -> None:
    types = [at_least("node.kubernetes.io/instance-type", "g5g.xlarge", "p5.48xlarge")]
    terms = [{"alias": "al2023@v20261101"}]
    results = ask(
        image_parameters.check,
        lambda: Network().karpenter("burst", types, limits={"cpu": "8"}, amiSelectorTerms=terms),
    )
    pinned = "amazon-eks-node-al2023-{0}-nvidia-1.35-v20261101/image_id"
    assert [one.evidence["parameter"] for one in results] == [
        f"{AL2023.replace('x86_64', arch)}/nvidia/{pinned.format(arch)}" for arch in ("arm64", "x86_64")
    ]


def test_a_version_in_standard_support_passes_with_the_days_that_are_left(ask: Ask, recorded: Recorded) -> None:
    (result,) = ask(versions.check, Network)
    assert result.status == PASSED
    assert result.evidence["days_left"] == (VERSIONS["1.35"][1].date() - datetime.now(UTC).date()).days
    soon = datetime.now(UTC) + timedelta(days=20)
    row = {"clusterVersion": "1.35", "versionStatus": "STANDARD_SUPPORT", "endOfStandardSupportDate": soon}
    recorded.answers["DescribeClusterVersions"] = {"clusterVersions": [row]}
    (result,) = ask(versions.check, Network)
    assert (result.status, result.fix, result.evidence["days_left"]) == (PASSED, "plan the upgrade", 20)


def test_a_version_that_eks_does_not_offer_fails(ask: Ask) -> None:
    (result,) = ask(versions.check, lambda: Network(version="1.20"))
    assert (result.status, result.fix) == (FAILED, "take one of 1.35")


def test_extended_support_fails_where_the_cluster_forbids_it_and_is_dear_elsewhere(ask: Ask) -> None:
    standard = {"support_type": "STANDARD"}
    (result,) = ask(versions.check, lambda: Network(version="1.33", upgrade_policy=standard))
    assert result.status == FAILED
    (result,) = ask(versions.check, lambda: Network(version="1.33", upgrade_policy={"support_type": "EXTENDED"}))
    assert (result.status, result.fix) == (PASSED, "plan the upgrade")
    assert result.what.endswith("is in extended support until 2027-07-29, at six times the price")


def test_endpoint_services_of_the_region_pass(ask: Ask) -> None:
    assert said(ask(endpoint_services.check, lambda: endpoint("ec2"))) == [
        (PASSED, "com.amazonaws.us-west-2.ec2 is there")
    ]


def test_an_endpoint_service_that_the_region_lacks_fails(ask: Ask) -> None:
    (result,) = ask(endpoint_services.check, lambda: endpoint("ec22"))
    assert (result.status, result.what) == (
        FAILED,
        "endpoint: us-west-2 has no endpoint service com.amazonaws.us-west-2.ec22",
    )
    assert result.fix.startswith("did you mean com.amazonaws.us-west-2.ec2,")


def test_an_endpoint_service_that_a_zone_lacks_fails(ask: Ask, recorded: Recorded) -> None:
    service = {"ServiceName": "com.amazonaws.us-west-2.fsx", "AvailabilityZones": ["us-west-2b", "us-west-2c"]}
    recorded.answers["DescribeVpcEndpointServices"] = {"ServiceDetails": [service]}
    (result,) = ask(endpoint_services.check, lambda: endpoint("fsx"))
    assert (result.status, result.fix) == (
        FAILED,
        "give the endpoint subnets of us-west-2b, us-west-2c only",
    )


def endpoint(service: str) -> None:
    network = Network()
    aws.ec2.VpcEndpoint(
        "endpoint",
        vpc_id=network.vpc.id,
        service_name=f"com.amazonaws.us-west-2.{service}",
        vpc_endpoint_type="Interface",
        subnet_ids=[network.subnets["a"].id],
        opts=network.opts,
    )


@pytest.mark.parametrize(
    ("check", "entry", "operation", "permission"),
    [
        (spot_scores.check, spot_pool, "GetSpotPlacementScores", "ec2:GetSpotPlacementScores"),
        (spot_scores.check, spot_pool, "DescribeAvailabilityZones", "ec2:DescribeAvailabilityZones"),
        (service_roles.check, spot_role, "GetRole", "iam:GetRole"),
        (image_parameters.check, spot_pool, "GetParameter", "ssm:GetParameter"),
        (versions.check, Network, "DescribeClusterVersions", "eks:DescribeClusterVersions"),
        (
            endpoint_services.check,
            lambda: endpoint("ec2"),
            "DescribeVpcEndpointServices",
            "ec2:DescribeVpcEndpointServices",
        ),
    ],
)
def test_a_missing_permission_is_named(
    ask: Ask, recorded: Recorded, check: Any, entry: Any, operation: str, permission: str
) -> None:
    recorded.refuse(operation)
    assert {(one.status, one.permission) for one in ask(check, entry)} == {(COULD_NOT_ASK, permission)}

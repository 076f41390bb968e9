"""Quotas in vCPUs: what the plan comes to, what others use, and in how many ways AWS can be asked."""

import pulumi_aws as aws
import pytest

from gpufleet.preflight.checks import vcpus
from gpufleet.preflight.results import COULD_NOT_ASK, FAILED, PASSED
from tests.gpufleet.preflight.conftest import Ask
from tests.gpufleet.preflight.fleet import Network, at_least, said
from tests.gpufleet.preflight.recorded import Recorded, refusal, reservation

G, P, P_SPOT, STANDARD = "L-DB2E81BA", "L-417A185B", "L-7212CCBC", "L-1216C47A"
REQUEST = "aws service-quotas request-service-quota-increase --region us-west-2 --service-code ec2 --quota-code"


def one_pool() -> None:
    Network().pool("serve", ["g6e.12xlarge", "g6e.4xlarge"], most=4)


def test_a_plan_within_its_quota_passes(ask: Ask) -> None:
    (result,) = ask(vcpus.check, one_pool)
    assert (result.status, result.what) == (
        PASSED,
        "Running On-Demand G and VT instances: the plan comes to 192 vCPUs (pool serve: 4 x g6e.12xlarge); "
        f"the quota {G} is 100000",
    )
    assert result.evidence == {
        "quota_code": G,
        "quota": 100_000.0,
        "is_default": False,
        "planned_vcpus": 192,
        "used_by_others": 0,
    }


def test_a_quota_that_is_too_small_fails_with_the_request(ask: Ask, recorded: Recorded) -> None:
    recorded.quota(G, 191)
    (result,) = ask(vcpus.check, one_pool)
    assert (result.status, result.fix) == (FAILED, f"{REQUEST} {G} --desired-value 192")
    recorded.quota(G, 192)
    assert [one.status for one in ask(vcpus.check, one_pool)] == [PASSED]


def test_an_increase_that_is_under_way_is_told(ask: Ask, recorded: Recorded) -> None:
    recorded.quota(G, 0)
    rows = [{"DesiredValue": 64.0, "Status": "CASE_OPENED"}, {"DesiredValue": 8.0, "Status": "DENIED"}]
    recorded.answers["ListRequestedServiceQuotaChangeHistoryByQuota"] = {"RequestedQuotas": rows}
    (result,) = ask(vcpus.check, one_pool)
    assert result.fix.splitlines()[1:] == ["asked for already: 64 (CASE_OPENED)"]
    recorded.refuse("ListRequestedServiceQuotaChangeHistoryByQuota")
    (result,) = ask(vcpus.check, one_pool)
    assert (result.status, result.fix) == (FAILED, f"{REQUEST} {G} --desired-value 192")


def test_each_way_of_buying_has_its_own_quota(ask: Ask, recorded: Recorded) -> None:
    def entry() -> None:
        network = Network()
        network.pool("batch", ["p4d.24xlarge"], capacity="SPOT", most=2)
        network.pool("train", ["p4d.24xlarge"], most=1)

    recorded.quota(P_SPOT, 96)
    assert [
        (one.status, one.evidence["quota_code"], one.evidence["planned_vcpus"]) for one in ask(vcpus.check, entry)
    ] == [
        (FAILED, P_SPOT, 192),
        (PASSED, P, 96),
    ]


def test_a_capacity_block_counts_against_no_quota(ask: Ask, recorded: Recorded) -> None:
    def entry() -> None:
        template = {"instance_type": "p5.48xlarge", "instance_market_options": {"market_type": "capacity-block"}}
        Network().pool("train", [], capacity="CAPACITY_BLOCK", most=64, template=template)

    recorded.quota(P, 0)
    assert ask(vcpus.check, entry) == []


def test_a_reservation_counts_once_and_the_pool_in_it_not_again(ask: Ask, recorded: Recorded) -> None:
    def entry() -> None:
        network = Network()
        held = aws.ec2.CapacityReservation(
            "held",
            instance_type="p4d.24xlarge",
            instance_platform="Linux/UNIX",
            availability_zone="us-west-2b",
            instance_count=3,
            opts=network.opts,
        )
        target = {"capacity_reservation_target": {"capacity_reservation_id": held.id}}
        network.pool("train", ["p4d.24xlarge"], most=3, template={"capacity_reservation_specification": target})

    (result,) = ask(vcpus.check, entry)
    assert "the plan comes to 288 vCPUs (reservation: 3 x p4d.24xlarge)" in result.what


def test_what_others_run_and_reserve_counts_and_what_is_the_stacks_own_does_not(ask: Ask, recorded: Recorded) -> None:
    def instance(name: str, cluster: str = "", lifecycle: str = "") -> dict[str, object]:
        tags = [{"Key": "eks:cluster-name", "Value": cluster}] if cluster else []
        return {"InstanceType": name, "Tags": tags, **({"InstanceLifecycle": lifecycle} if lifecycle else {})}

    running = [
        instance("g5.12xlarge", "other"),
        instance("g6e.12xlarge", "trial"),
        instance("g5.12xlarge", lifecycle="spot"),
        instance("g5.12xlarge", lifecycle="capacity-block"),
        instance("m5.metal"),
    ]
    recorded.answers["DescribeInstances"] = {"Reservations": [{"Instances": running}]}
    held = [
        reservation("cr-1", InstanceType="g5.xlarge", AvailableInstanceCount=4),
        reservation("cr-2", InstanceType="g5.xlarge", AvailableInstanceCount=4, OwnerId="999999999999"),
        reservation("cr-3", InstanceType="g5.xlarge", AvailableInstanceCount=4, ReservationType="capacity-block"),
    ]
    recorded.answers["DescribeCapacityReservations"] = {"CapacityReservations": held}
    recorded.quota(G, 255)
    (result,) = ask(vcpus.check, one_pool)
    assert result.status == FAILED
    assert result.what.endswith(f"the quota {G} is 255, of which others use 64")
    assert result.fix == f"{REQUEST} {G} --desired-value 256"


def test_types_that_the_catalogue_does_not_hold_are_asked_about(ask: Ask) -> None:
    def entry() -> None:
        Network().pool("odd", ["m5.large"], most=5)

    (result,) = ask(vcpus.check, entry)
    assert (result.status, result.evidence["planned_vcpus"], result.evidence["quota_code"]) == (PASSED, 10, STANDARD)


def test_a_type_that_nobody_knows_fails(ask: Ask, recorded: Recorded) -> None:
    def entry() -> None:
        Network().pool("odd", ["g99.large"])

    recorded.answers["DescribeInstanceTypes"] = {"InstanceTypes": []}
    assert said(ask(vcpus.check, entry))[0] == (
        FAILED,
        "EC2 in us-west-2 knows no g99.large, so the plan cannot be counted",
    )


def test_a_pool_whose_types_only_a_template_of_others_knows_is_not_passed_over(ask: Ask) -> None:
    def entry() -> None:
        network = Network()
        aws.eks.NodeGroup(
            "theirs",
            cluster_name=network.cluster.name,
            node_role_arn="arn:aws:iam::123456789012:role/node",
            subnet_ids=[network.subnets["a"].id],
            scaling_config={"min_size": 1, "max_size": 2, "desired_size": 1},
            launch_template={"id": "lt-0123456789abcdef0", "version": "1"},
            opts=network.opts,
        )

    (result,) = ask(vcpus.check, entry)
    assert (result.status, result.permission) == (COULD_NOT_ASK, "")
    assert result.what.startswith("of which types pool theirs is: the plan names none")


@pytest.mark.parametrize(
    ("limits", "expected"),
    [({"cpu": "384"}, 384), ({"cpu": "384000m"}, 384), ({"nvidia.com/gpu": "16"}, 192), ({"nodes": "3"}, 288)],
)
def test_a_node_pool_counts_up_to_its_limit(ask: Ask, limits: dict[str, str], expected: int) -> None:
    def entry() -> None:
        types = [at_least("node.kubernetes.io/instance-type", "p4d.24xlarge")]
        Network().karpenter("burst", types, limits=limits)

    (result,) = ask(vcpus.check, entry)
    assert (result.status, result.evidence["planned_vcpus"]) == (PASSED, expected)


def test_a_node_pool_without_a_limit_fails(ask: Ask) -> None:
    def entry() -> None:
        Network().karpenter("burst", [at_least("node.kubernetes.io/instance-type", "p4d.24xlarge")], limits={})

    (result,) = ask(vcpus.check, entry)
    assert (result.status, result.fix) == (FAILED, "set spec.limits.cpu of the NodePool")


def test_a_quota_that_the_account_never_changed_is_awss_default(ask: Ask, recorded: Recorded) -> None:
    recorded.answers["GetServiceQuota"] = refusal("NoSuchResourceException")
    row = {"QuotaCode": G, "QuotaName": "Running On-Demand G and VT instances", "Value": 0.0}
    recorded.answers["GetAWSDefaultServiceQuota"] = {"Quota": row}
    (result,) = ask(vcpus.check, one_pool)
    assert (result.status, result.evidence["is_default"], result.evidence["quota"]) == (FAILED, True, 0.0)


def test_without_get_service_quota_the_list_is_read(ask: Ask, recorded: Recorded) -> None:
    recorded.refuse("GetServiceQuota")
    row = {"QuotaCode": G, "QuotaName": "Running On-Demand G and VT instances", "Value": 200.0}
    recorded.answers["ListServiceQuotas"] = {"Quotas": [row]}
    (result,) = ask(vcpus.check, one_pool)
    assert (result.status, result.evidence["quota"]) == (PASSED, 200.0)


def test_without_either_the_quota_could_not_be_asked_and_the_plan_is_still_told(ask: Ask, recorded: Recorded) -> None:
    recorded.refuse("GetServiceQuota", "ListServiceQuotas")
    (result,) = ask(vcpus.check, one_pool)
    assert (result.status, result.permission) == (COULD_NOT_ASK, "servicequotas:GetServiceQuota")
    assert "the plan comes to 192 vCPUs" in result.what
    assert "a new account has 0" in result.what


@pytest.mark.parametrize(
    ("operation", "permission"),
    [
        ("DescribeInstances", "ec2:DescribeInstances"),
        ("DescribeCapacityReservations", "ec2:DescribeCapacityReservations"),
    ],
)
def test_without_knowing_what_runs_the_quota_alone_is_held_against_the_plan(
    ask: Ask, recorded: Recorded, operation: str, permission: str
) -> None:
    recorded.refuse(operation, code="UnauthorizedOperation")
    unasked, judged = ask(vcpus.check, one_pool)
    assert (unasked.status, unasked.permission) == (COULD_NOT_ASK, permission)
    assert (judged.status, judged.evidence["used_by_others"]) == (PASSED, None)


def test_a_quota_without_a_known_code_is_found_by_its_name(ask: Ask, recorded: Recorded) -> None:
    def entry() -> None:
        Network().pool("burst", ["p6-b200.48xlarge"], capacity="SPOT", most=1)

    rows = [
        {"QuotaCode": "L-7212CCBC", "QuotaName": "All P4, P3 and P2 Spot Instance Requests", "Value": 9999.0},
        {"QuotaCode": "L-0000FFFF", "QuotaName": "All P6 and P7 Spot Instance Requests", "Value": 96.0},
    ]
    recorded.answers["ListServiceQuotas"] = {"Quotas": rows}
    (result,) = ask(vcpus.check, entry)
    assert (result.status, result.evidence["quota_code"]) == (FAILED, "L-0000FFFF")
    recorded.answers["ListServiceQuotas"] = {"Quotas": rows[:1]}
    (result,) = ask(vcpus.check, entry)
    assert (result.status, result.permission) == (COULD_NOT_ASK, "")


def test_throttling_is_no_missing_permission(ask: Ask, recorded: Recorded) -> None:
    recorded.refuse("GetServiceQuota", code="ThrottlingException")
    (result,) = ask(vcpus.check, one_pool)
    assert (result.status, result.permission) == (COULD_NOT_ASK, "")
    assert result.what.endswith("AWS is asked too often (ThrottlingException)")
